//! Checks the namespace of a document.

use xml::{Element, Problem, quoted, tag};

use super::NAMESPACE;

/// Checks that all elements are in [`NAMESPACE`], or that none has a namespace.
pub(super) fn check(root: &Element<'_>) -> Result<(), Problem> {
    let mut bound = Vec::new();
    let bindings = bindings(root);
    let wanted = namespace(root, &bindings)?.to_owned();
    if !wanted.is_empty() && wanted != NAMESPACE {
        let what = format!(
            "<{}> is in the namespace {}, and has to be in {NAMESPACE:?} or in none",
            root.name,
            quoted(&wanted)
        );
        return Err(root.problem(what));
    }
    check_below(root, &wanted, &mut bound)
}

/// Prefixes and their namespaces, the innermost last.
type Bindings<'e> = Vec<(&'e str, &'e str)>;

fn check_below<'e>(element: &'e Element<'_>, wanted: &str, bound: &mut Bindings<'e>) -> Result<(), Problem> {
    let outside = bound.len();
    bound.extend(bindings(element));
    check_attributes(element, bound)?;
    let found = namespace(element, bound)?;
    if found != wanted {
        let name = element.name;
        let what = format!("<{name}> is in the namespace {}, and the root is in {wanted:?}", quoted(found));
        return Err(element.problem(what));
    }
    for child in &element.children {
        check_below(child, wanted, bound)?;
    }
    bound.truncate(outside);
    Ok(())
}

fn bindings<'e>(element: &'e Element<'_>) -> Bindings<'e> {
    let bindings = element.attributes.iter().filter_map(|attribute| {
        let prefix = attribute.name.strip_prefix("xmlns")?;
        let prefix = if prefix.is_empty() { prefix } else { prefix.strip_prefix(':')? };
        Some((prefix, &*attribute.value))
    });
    bindings.collect()
}

/// Checks that the prefixes of attributes stand for a namespace. `xml` always does.
fn check_attributes(element: &Element<'_>, bound: &[(&str, &str)]) -> Result<(), Problem> {
    for attribute in &element.attributes {
        let (prefix, local) = tag::split_name(attribute.name);
        let is_known = match prefix {
            "" | "xml" => true,
            // A prefix cannot be taken back.
            "xmlns" => !attribute.value.is_empty(),
            _ => bound.iter().any(|(known, _)| *known == prefix),
        };
        if !is_known {
            return Err(element.problem(match prefix {
                "xmlns" => format!("the prefix {local} is bound to an empty namespace"),
                _ => format!("the prefix of attribute {} stands for no namespace", attribute.name),
            }));
        }
    }
    Ok(())
}

fn namespace<'e>(element: &Element<'_>, bound: &[(&'e str, &'e str)]) -> Result<&'e str, Problem> {
    match bound.iter().rev().find(|(prefix, _)| *prefix == element.prefix) {
        Some((_, namespace)) => Ok(namespace),
        None if element.prefix.is_empty() => Ok(""),
        None => {
            let (prefix, name) = (element.prefix, element.name);
            Err(element.problem(format!("the prefix of <{prefix}:{name}> stands for no namespace")))
        }
    }
}
