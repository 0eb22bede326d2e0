//! Packages every crate that can be published. Crates of the workspace that others must not use have `publish = false`.

use crate::{
    failure::Failure,
    package,
    project::Project,
    run,
    workspace::{Package, Workspace},
};

/// Packages the crates. A long run also builds each from the files of its package.
pub(crate) fn check(project: &Project) -> Result<(), Failure> {
    let workspace = Workspace::read(project)?;
    Failure::unless_none(findings(&workspace.packages))?;
    Failure::unless_none(package::other_versions(project)?)?;
    let mut command = run::command(project, ["package", "--workspace", "--allow-dirty", "--quiet"]);
    for internal in workspace.packages.iter().filter(|package| package.is_internal()) {
        command.args(["--exclude", &internal.name]);
    }
    if !project.long {
        command.arg("--no-verify");
    }
    // A separate target folder: the packages are built with other features than the workspace.
    command.arg("--target-dir").arg(workspace.target_directory.join("packages"));
    run::finish(&mut command)
}

/// Crates that lack what a registry asks for, or that depend on crates that are not published.
fn findings(packages: &[Package]) -> Vec<String> {
    let mut findings = Vec::new();
    for package in packages.iter().filter(|package| !package.is_internal()) {
        let name = &package.name;
        if !name.starts_with("holdfast-") {
            findings.push(format!("{name} is published and its name does not begin with holdfast-"));
        }
        if package.description.as_ref().is_none_or(|text| text.trim().is_empty()) {
            findings.push(format!("{name} is published and has no description"));
        }
        if package.license.is_none() {
            findings.push(format!("{name} is published and has no licence"));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::{Package, findings};

    #[test]
    fn what_a_registry_asks_for() {
        let check = |change: fn(&mut Package), expected: &[&str]| {
            let mut package = Package::from_row("engine:");
            package.name = "holdfast-engine".into();
            package.description = Some("The kernel".into());
            package.license = Some("MIT".into());
            change(&mut package);
            assert_eq!(findings(&[package]), expected);
        };
        check(|_| {}, &[]);
        check(|package| package.description = None, &["holdfast-engine is published and has no description"]);
        check(|package| package.license = None, &["holdfast-engine is published and has no licence"]);
        check(
            |package| package.name = "engine".into(),
            &["engine is published and its name does not begin with holdfast-"],
        );
        check(|package| (package.publish, package.license) = (Some(Vec::new()), None), &[]);
    }
}
