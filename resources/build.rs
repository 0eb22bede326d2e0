//! Embeds the web pages as they are.

use std::{
    env,
    error::Error,
    fmt::Write,
    fs, io,
    path::{Path, PathBuf},
};

fn main() -> Result<(), Box<dyn Error>> {
    for watched in ["build.rs", "web"] {
        tell(&format!("rerun-if-changed={watched}"));
    }
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("web.rs"), web(&here.join("web"))?)?;
    Ok(())
}

/// A table of all files below a folder, by their path in it.
fn web(folder: &Path) -> Result<String, Box<dyn Error>> {
    let mut table = "const WEB: &[(&str, &[u8])] = &[\n".to_owned();
    for path in files(folder)? {
        let name = path.strip_prefix(folder)?.to_str().ok_or("a web page's file name is not UTF-8")?;
        writeln!(table, "    ({name:?}, include_bytes!({:?})),", path.to_str().ok_or("the path is not UTF-8")?)?;
    }
    table.push_str("];\n");
    Ok(table)
}

/// All files below a folder, sorted.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.append(&mut files(&path)?);
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Says something to cargo, which listens to what a build script prints.
fn tell(instruction: &str) {
    println!("cargo::{instruction}");
}
