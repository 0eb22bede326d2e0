//! The one form of a script's text. Only white space changes: every word and every comment stays.

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
            // One empty line is as good as many, and none belongs at the top.
            if formatted.last().is_some_and(|last| !last.is_empty()) {
                formatted.push(String::new());
            }
            continue;
        }
        let comment = line.trim_start();
        if comment.starts_with('#') {
            // A comment stands like the line that it is about.
            let next = lines[at..].iter().find(|line| !line.is_empty() && !line.trim_start().starts_with('#'));
            let indent = if next.is_some_and(|line| is_told(line)) { "  " } else { "" };
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

/// Whether the line is about what a client is told.
fn is_told(line: &str) -> bool {
    line.starts_with([' ', '\t']) || line.contains(": nothing more")
}

fn format_line(line: &str) -> String {
    if is_header(line)
        && let Some((key, value)) = line.split_once(':')
    {
        // Its value is text, in which every space may be meant.
        return match split_header(value) {
            Ok((value, "")) => format!("{key}: {value}"),
            Ok((value, comment)) => format!("{key}: {value}  {comment}"),
            Err(_) => format!("{key}: {}", value.trim()),
        };
    }
    // What cannot be read is left to whoever says what is wrong with it.
    let Ok(read) = Line::read(line) else { return line.to_owned() };
    let words: Vec<&str> = read.tokens.iter().map(|token| token.raw.as_str()).collect();
    let indent = if is_told(line) { "  " } else { "" };
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
