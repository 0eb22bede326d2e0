//! Formats a script. It changes only white space; all words and comments stay.

use crate::{
    header::is_header,
    token::{Line, split_header},
};

/// Formats the text of a script or a fragment.
pub fn format(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let mut formatted: Vec<String> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if line.is_empty() {
            // Keep only one of several empty lines, and no empty line at the top.
            if formatted.last().is_some_and(|last| !last.is_empty()) {
                formatted.push(String::new());
            }
            continue;
        }
        let comment = line.trim_start();
        if comment.starts_with('#') {
            // Indent a comment like the next line, which it describes.
            let next = lines[at..].iter().find(|line| !line.is_empty() && !line.trim_start().starts_with('#'));
            let indent = if next.is_some_and(|line| is_expectation(line)) { "  " } else { "" };
            formatted.push(format!("{indent}{comment}"));
        } else {
            formatted.push(format_line(line));
        }
    }
    while formatted.last().is_some_and(String::is_empty) {
        formatted.pop();
    }
    formatted.iter().map(|line| format!("{line}\n")).collect()
}

/// Whether the line is an expectation of a client.
fn is_expectation(line: &str) -> bool {
    line.starts_with([' ', '\t']) || line.contains(": nothing more")
}

fn format_line(line: &str) -> String {
    if is_header(line)
        && let Some((key, value)) = line.split_once(':')
    {
        // Spaces inside the value may have a meaning.
        return match split_header(value) {
            Ok((value, "")) => format!("{key}: {value}"),
            Ok((value, comment)) => format!("{key}: {value}  {comment}"),
            Err(_) => format!("{key}: {}", value.trim()),
        };
    }
    // Keep a line with a mistake unchanged; the parser reports it.
    let Ok(read) = Line::read(line) else { return line.to_owned() };
    let words: Vec<&str> = read.tokens.iter().map(|token| token.raw.as_str()).collect();
    let indent = if is_expectation(line) { "  " } else { "" };
    let comment = read.comment.map(|comment| format!("  {comment}")).unwrap_or_default();
    format!("{indent}{}{comment}", words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_form() {
        let text = "\n\n# about\nname:  x  y # why\n\n\n  # later\nAna:   Move  \"a  b\"   1 # go\n \tall:  Moved 1\nAna: nothing more\n   # the end\nserver   ends\n\n";
        let formatted = "\
# about
name: x  y  # why

# later
Ana: Move \"a  b\" 1  # go
  all: Moved 1
  Ana: nothing more
# the end
server ends
";
        assert_eq!(format(text), formatted);
        assert_eq!(format(formatted), formatted);
        assert_eq!(format(""), "");
    }
}
