//! Configuration files of a host, through the command line that checks their values.

use holdfast::App;

/// Bytes of an input: the text of the file.
pub fn run(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    // Some values name files that are read at once, and a device may have no end.
    if text.contains("/dev") || text.contains("/proc") {
        return;
    }
    let app = App::with_all_games();
    let Ok(printed) = app.host_configuration(text) else { return };
    // Secrets and passwords are left out the first time, so what is printed then is the first text that stays the same.
    let read = |text: &str| app.host_configuration(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let second = read(&printed);
    assert_eq!(read(&second), second, "what is printed is read again as the same");
}
