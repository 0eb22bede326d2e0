//! Checks every scenario in `scenarios/`, and embeds them. A broken one fails the build with all its problems.

use std::{env, error::Error, fmt::Write, fs, path::PathBuf};

#[path = "src/check.rs"]
#[allow(unreachable_pub, reason = "public in the library")]
mod check;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("scenarios");
    for watched in ["build.rs", "src/check.rs", "schemas", "scenarios"] {
        tell(&format!("rerun-if-changed={watched}"));
    }
    let mut paths =
        fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, std::io::Error>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();

    let mut table = "const SCENARIOS: &[(&str, &str)] = &[\n".to_owned();
    for path in paths {
        let name = path.file_stem().and_then(|stem| stem.to_str()).ok_or("a scenario's file name is not UTF-8")?;
        for problem in check::check(&fs::read_to_string(&path)?) {
            tell(&format!("error={}: {problem}", path.display()));
        }
        writeln!(table, "    ({name:?}, include_str!({:?})),", path.to_str().ok_or("the path is not UTF-8")?)?;
    }
    table.push_str("];\n");
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("scenarios.rs"), table)?;
    Ok(())
}

/// Says something to cargo, which listens to what a build script prints.
fn tell(instruction: &str) {
    println!("cargo::{instruction}");
}
