use std::{env, fs};
fn main() {
    let out = env::args().nth(1).unwrap();
    for f in env::args().skip(2) {
        let s = fs::read_to_string(&f).unwrap();
        let c = if f.ends_with(".js") {
            resources::condense_script(&s)
        } else if f.ends_with(".css") {
            resources::condense_style(&s)
        } else {
            String::from_utf8(resources::complete_page(s.as_bytes()).into_owned()).unwrap()
        };
        let p = format!("{out}/{f}");
        fs::create_dir_all(std::path::Path::new(&p).parent().unwrap()).unwrap();
        fs::write(p, c).unwrap();
    }
}
