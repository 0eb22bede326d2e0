//! Reading documents, limits, and mistakes.

use rand::{Rng as _, SeedableRng as _, rngs::StdRng, seq::IndexedRandom as _};
use xml::{Element, Limits, read};

const SMALL: Limits = Limits { bytes: 200, depth: 3, elements: 6, attributes: 2 };

/// A tree in one line: `name[attribute=value](children)"text"`.
fn shown(element: &Element<'_>) -> String {
    let mut line = element.name.to_owned();
    for attribute in &element.attributes {
        line += &format!("[{}={}]", attribute.name, attribute.value);
    }
    if !element.children.is_empty() {
        line += &format!("({})", element.children.iter().map(shown).collect::<Vec<_>>().join(" "));
    }
    if !element.text().is_empty() {
        line += &format!("{:?}", element.text());
    }
    line
}

fn check(document: impl AsRef<[u8]>, expected: &str) {
    let document = document.as_ref();
    let found = read(document, &SMALL).map_or_else(|problem| problem.to_string(), |root| shown(&root));
    assert_eq!(found, expected, "{}", String::from_utf8_lossy(document));
}

#[test]
fn documents() {
    check("<a/>", "a");
    check("<a></a>", "a");
    check("<a> \n\t one \r\n two </a>", "a\"one \\n two\"");
    check("<a><b>1</b><c/><b>2</b></a>", "a(b\"1\" c b\"2\")");
    check("<p:a xmlns:p='urn:x'><p:b/></p:a>", "a[xmlns:p=urn:x](b)");
    check("<a x='1' y = \"2\" />", "a[x=1][y=2]");
    check("<a x='&lt;&#65;&#x42;&quot;\n'/>", "a[x=<AB\" ]");
    check("<a>&lt;&gt;&amp;&quot;&apos;&#228;&#xE4;</a>", "a\"<>&\\\"'ää\"");
    check("<a>1<!-- 2 -->3<![CDATA[<4>]]></a>", "a\"13<4>\"");
    check("<?xml version=\"1.0\"?>\n<!-- hello --><?php no?><a/>\n<!-- bye -->\n", "a");
    check("\u{feff}<?xml version='1.0' encoding='utf-8' standalone='yes'?><ä/>", "ä");
    check("<?xml version=\"1.0\" encoding=\"UTF-8\"?><a/>", "a");
}

#[test]
fn not_documents() {
    check("", "line 1, column 1: the document has no element");
    check(" \n ", "line 2, column 2: the document has no element");
    check("hello", "line 1, column 1: there is text outside of the root");
    check("<a/>x", "line 1, column 5: there is text outside of the root");
    check("\u{feff}\u{feff}<a/>", "line 1, column 1: there is text outside of the root");
    check("<a/><b/>", "line 1, column 5: a second root: a document has one");
    check("<a>\n  <b>", "line 2, column 3: <b> is not closed");
    check("<a>\n  <b></a>", "line 2, column 6: expected `</b>`, but `</a>` was found");
    check("</a>", "line 1, column 1: close tag `</a>` does not match any open tag");
    check("<a", "line 1, column 1: tag not closed: `>` not found before end of input");
    check("<1/>", "line 1, column 1: \"1\" is no name of an element");
    check("<>", "line 1, column 1: \"\" is no name of an element");
    check("<a:b:c/>", "line 1, column 1: \"a:b:c\" is no name of an element");
    check("<a x/>", "line 1, column 4: <a>: an attribute has no value");
    check("<a x=1/>", "line 1, column 4: <a>: the value of attribute x is not in quotes");
    check("<a x='1'y='2'/>", "line 1, column 9: <a>: a space is missing before an attribute");
    check("<a x='1' x='2'/>", "line 1, column 10: <a>: attribute x is there twice");
    check("<a x='<'/>", "line 1, column 4: <a>: the value of attribute x has a `<`");
    check("<a>]]></a>", "line 1, column 4: `]]>` is not allowed in text");
    check("<a>&</a>", "line 1, column 4: entity or character reference not closed: `;` not found before end of input");
    check("<a>\u{1}</a>", "line 1, column 4: the character U+0001 is not allowed in XML");
    check("<a>\u{17}</a>", "line 1, column 4: the character U+0017 is not allowed in XML");
    check("<a>ä&#0;</a>", "line 1, column 5: \"#0\" stands for no character that XML allows");
    check("<a>&#x110000;</a>", "line 1, column 4: \"#x110000\" stands for no character that XML allows");
    check("<a>&#+65;</a>", "line 1, column 4: \"#+65\" stands for no character that XML allows");
    check("<!-- a -- b --><a/>", "line 1, column 8: forbidden string `--` was found in a comment");
    check("<?xml version='2.0'?><a/>", "line 1, column 1: the version of XML is \"2.0\"; what works: 1.0");
    check(
        "<?xml version='1.0' a='b'?><a/>",
        "line 1, column 1: <?xml?> has \"a\"; what works, in this order: version, encoding, standalone",
    );
    check("<a/><?Xml b?>", "line 1, column 5: \"Xml\" is no name of an instruction");
    check(" <?xml version='1.0'?><a/>", "line 1, column 2: the declaration <?xml?> is not at the very beginning");
}

#[test]
fn encodings() {
    let declared = |encoding: &str| format!("<?xml version='1.0' encoding='{encoding}'?><a/>");
    check(declared("Utf-8"), "a");
    check(declared("ISO-8859-1"), "line 1, column 1: the encoding is \"ISO-8859-1\", and only UTF-8 is read");
    check(b"<a>\xe4</a>", "line 1, column 4: a byte is not UTF-8");
    check(b"\xff\xfe<\0a\0/\0>\0", "line 1, column 1: the document is UTF-16, and only UTF-8 is read");
}

#[test]
fn entities() {
    check(
        "<a>&nbsp;</a>",
        "line 1, column 4: \"nbsp\" is an entity that is not known; only amp, lt, gt, quot and apos are",
    );
    check(
        "<a x='&b;'/>",
        "line 1, column 4: <a>: attribute x: \"b\" is an entity that is not known; only amp, lt, gt, quot and apos are",
    );
    check("<!DOCTYPE a><a/>", "line 1, column 1: a document type (DTD) is not allowed");
    let bomb = "<!DOCTYPE a [<!ENTITY b \"bbb\"><!ENTITY c \"&b;&b;&b;&b;\"><!ENTITY d \"&c;&c;&c;\">]><a>&d;</a>";
    check(bomb, "line 1, column 1: a document type (DTD) is not allowed");
    let file = "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>";
    check(file, "line 1, column 22: a document type (DTD) is not allowed");
}

#[test]
fn limits() {
    check(format!("<a>{}</a>", "x".repeat(193)), &format!("a{:?}", "x".repeat(193)));
    check(format!("<a>{}</a>", "x".repeat(194)), "line 1, column 1: the document has 201 bytes, and 200 are the most");
    check("<a><b><c/></b></a>", "a(b(c))");
    check("<a><b><c><d/></c></b></a>", "line 1, column 10: elements are inside each other more than 3 deep");
    check("<a><b/><b/><b/><b/><b/></a>", "a(b b b b b)");
    check("<a><b/><b/><b/><b/><b/><b/></a>", "line 1, column 24: there are more than 6 elements");
    check("<a b='' c=''/>", "a[b=][c=]");
    check("<a b='' c='' d=''/>", "line 1, column 14: <a>: there are more than 2 attributes in a tag");
}

/// A document that is as deep as its bytes allow does not overflow the stack.
#[test]
fn deep() {
    let limits = Limits { bytes: 1024 * 1024, depth: 32, elements: 65536, attributes: 16 };
    let deep = "<a>".repeat(limits.bytes / 3);
    let problem = read(deep.as_bytes(), &limits).expect_err("too deep");
    assert_eq!(problem.to_string(), "line 1, column 97: elements are inside each other more than 32 deep");
}

/// The time is linear in the number of bytes.
#[test]
fn many_lines_and_attributes() {
    let most = Limits { bytes: usize::MAX, depth: 9, elements: usize::MAX, attributes: 9 };
    let document = format!("<a>{}</a>", "<b/>\n".repeat(200_000));
    assert_eq!(read(document.as_bytes(), &most).expect("a document").children.len(), 200_000);
    let attributes: String = (0..100_000).map(|number| format!(" a{number}=''")).collect();
    let problem = read(format!("<a{attributes}/>").as_bytes(), &most).expect_err("too many");
    assert_eq!(problem.what, "<a>: there are more than 9 attributes in a tag");
}

/// No bytes make the reader panic.
#[test]
fn bytes_of_all_kinds() {
    let mut random = StdRng::seed_from_u64(7);
    let pieces = [
        "<a>",
        "</a>",
        "<a/>",
        "<",
        ">",
        "/",
        "&",
        ";",
        "&#",
        "&#x",
        "'",
        "\"",
        "=",
        " ",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<?",
        "?>",
        "<?xml ",
        "<!DOCTYPE",
        "xmlns",
        ":",
        "ä",
        "\n",
        "\u{feff}",
        "\0",
        "<b x='1'>",
        "</b>",
        "encoding='x'",
    ];
    for _ in 0..200_000 {
        let document: String =
            (0..random.random_range(0..12)).filter_map(|_| pieces.choose(&mut random)).copied().collect();
        let _ = read(document.as_bytes(), &SMALL);
    }
    for _ in 0..50_000 {
        let bytes: Vec<u8> = (0..random.random_range(0..40)).map(|_| random.random()).collect();
        let _ = read(&bytes, &SMALL);
    }
}
