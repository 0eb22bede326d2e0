//! Short names for what only one script can see: its private members, and the variables, parameters and functions whose whole scope is
//! known from brackets alone. A name about which that says too little stays as it is; so does what a function says about itself (`name`).

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

/// Words of the language, and those that have a meaning in some places. None of them is given or taken as a name.
const WORDS: &str = " arguments as async await break case catch class const constructor continue debugger default delete do else \
    enum eval export extends false finally for from function get if implements import in instanceof interface let new null of \
    package private protected public return set static super switch this throw true try typeof undefined var void while with yield ";

/// Words before brackets that are followed by a block, but are no parameters.
const CONDITIONS: [&str; 6] = ["if", "while", "switch", "for", "with", "await"];

/// The tokens that become other texts, by their index.
pub(crate) fn short_names(script: &str, tokens: &[Range<usize>]) -> BTreeMap<usize, String> {
    let mut renamed = BTreeMap::new();
    let Some(scopes) = Scopes::read(script, tokens) else { return renamed };
    let used: BTreeSet<&str> = scopes.texts.iter().copied().collect();

    let mut private: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, text) in scopes.texts.iter().enumerate().filter(|(_, text)| text.len() > 1 && text.starts_with('#')) {
        private.entry(text).or_default().push(at);
    }
    let mut fresh = letters().map(|name| format!("#{name}")).filter(|name| !used.contains(name.as_str()));
    for (name, places) in by_uses(private) {
        let Some(short) = fresh.next().filter(|short| short.len() < name.len()) else { break };
        renamed.extend(places.into_iter().map(|at| (at, short.clone())));
    }

    let mut fresh = letters().filter(|name| !used.contains(name.as_str()) && !is_reserved(name)).peekable();
    for (name, places) in by_uses(scopes.local_names()) {
        let Some(short) = fresh.peek() else { break };
        let is_alone = |at: &usize| scopes.shorthands.contains(at);
        let alone = places.iter().filter(|at| is_alone(at)).count();
        // `{ name }` becomes `{name:a}`.
        if (places.len() - alone) * name.len().saturating_sub(short.len()) <= alone * (1 + short.len()) {
            continue;
        }
        let text = |at: &usize| if is_alone(at) { format!("{name}:{short}") } else { short.clone() };
        renamed.extend(places.iter().map(|at| (*at, text(at))));
        fresh.next();
    }
    renamed
}

/// The most used first.
fn by_uses(names: BTreeMap<&str, Vec<usize>>) -> Vec<(&str, Vec<usize>)> {
    let mut names: Vec<_> = names.into_iter().collect();
    names.sort_by_key(|(_, places)| std::cmp::Reverse(places.len()));
    names
}

/// a, b, .. Z, aa, ab, ..
fn letters() -> impl Iterator<Item = String> {
    let one = || ('a'..='z').chain('A'..='Z');
    one().map(String::from).chain(one().flat_map(move |first| one().map(move |second| format!("{first}{second}"))))
}

fn is_reserved(name: &str) -> bool {
    WORDS.contains(&format!(" {name} "))
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && !is_reserved(text)
}

/// What brackets tell about the names of a script. Places are indices of tokens.
struct Scopes<'a> {
    texts: Vec<&'a str>,
    /// Whether a line begins with the token.
    begins_line: Vec<bool>,
    /// The other bracket of each bracket. The parts of a template are brackets around its expressions.
    partner: Vec<usize>,
    /// The bracket around each token.
    parent: Vec<Option<usize>>,
    /// Where each name is declared: the tokens for which it holds.
    declared: BTreeMap<&'a str, Vec<Range<usize>>>,
    /// Names that other scripts may see, or whose places are not all understood.
    kept: BTreeSet<&'a str>,
    /// Where names stand for a key and its value.
    shorthands: BTreeSet<usize>,
}

impl<'a> Scopes<'a> {
    /// Returns nothing for a script with other brackets than expected, or one that may use any name at run time.
    fn read(script: &'a str, tokens: &[Range<usize>]) -> Option<Self> {
        let texts: Vec<&str> = tokens.iter().map(|token| &script[token.clone()]).collect();
        let begins_line = tokens.iter().enumerate().map(|(at, token)| {
            let before = at.checked_sub(1).map_or(0, |before| tokens[before].end);
            script[before..token.start].contains('\n')
        });
        let begins_line: Vec<bool> = begins_line.collect();
        let mut partner = vec![usize::MAX; texts.len()];
        let mut parent = vec![None; texts.len()];
        let mut open = Vec::new();
        for (at, text) in texts.iter().enumerate() {
            if matches!(*text, ")" | "]") || text.starts_with('}') {
                let opening: usize = open.pop()?;
                partner[opening] = at;
                partner[at] = opening;
            }
            parent[at] = open.last().copied();
            let is_template = text.starts_with(['`', '}']) && text.ends_with("${");
            if matches!(*text, "(" | "[" | "{") || is_template {
                // The middle of a template closes one bracket and opens another; only the opening is found from here.
                open.push(at);
            }
        }
        if !open.is_empty() || texts.iter().any(|text| ["eval", "with"].contains(text)) {
            return None;
        }
        let mut scopes = Self {
            texts,
            begins_line,
            partner,
            parent,
            declared: BTreeMap::new(),
            kept: BTreeSet::new(),
            shorthands: BTreeSet::new(),
        };
        scopes.declare_all();
        scopes.keep_shared();
        Some(scopes)
    }

    fn text(&self, at: usize) -> &'a str {
        self.texts.get(at).copied().unwrap_or_default()
    }

    fn before(&self, at: usize, by: usize) -> &'a str {
        at.checked_sub(by).map_or("", |at| self.text(at))
    }

    /// The places of each name whose places all lie where the script declares it.
    fn local_names(&self) -> BTreeMap<&'a str, Vec<usize>> {
        let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut kept = self.kept.clone();
        let classes = self.classes();
        let switches: BTreeSet<_> =
            (0..self.texts.len()).filter(|at| self.text(*at) == "case").map(|at| self.parent[at]).collect();
        for (at, name) in self.texts.iter().enumerate().filter(|(_, text)| is_name(text)) {
            let (before, after) = (self.before(at, 1), self.text(at + 1));
            let parent = self.parent[at];
            if before == "." && self.before(at, 2) != "." {
                continue;
            }
            let is_key = after == ":" && !["?", "case"].contains(&before);
            if is_key && (before == "{" || before == "," && !switches.contains(&parent)) {
                continue;
            }
            let is_flag = before.len() > 1 && before.starts_with('/');
            let is_method = after == "(" && self.text(self.partner[at + 1] + 1) == "{" && before != "function";
            let is_member = parent.is_some_and(|parent| classes.contains(&parent));
            if is_key || is_flag || is_method || is_member || ["class", "break", "continue"].contains(&before) {
                kept.insert(name);
            }
            places.entry(name).or_default().push(at);
        }
        let is_declared = |name: &str, at: &usize| {
            self.declared.get(name).is_some_and(|ranges| ranges.iter().any(|range| range.contains(at)))
        };
        places.retain(|name, places| {
            name.len() > 1 && !kept.contains(name) && places.iter().all(|at| is_declared(name, at))
        });
        places
    }

    /// The brackets around the members of classes.
    fn classes(&self) -> BTreeSet<usize> {
        let mut classes = BTreeSet::new();
        for (mut at, _) in self.texts.iter().enumerate().filter(|(_, text)| **text == "class") {
            while at < self.texts.len() && self.text(at) != "{" {
                at = if matches!(self.text(at), "(" | "[") { self.partner[at] + 1 } else { at + 1 };
            }
            classes.insert(at);
        }
        classes
    }

    /// Keeps what other scripts see, and notes names that stand for a key and a value.
    fn keep_shared(&mut self) {
        for at in 0..self.texts.len() {
            let until = match (self.text(at), self.text(at + 1)) {
                ("import", next) if next != "(" && next != "." => {
                    (at..self.texts.len()).find(|at| self.text(*at).starts_with(['"', '\''])).unwrap_or(at)
                }
                ("export", "{") => self.partner[at + 1],
                _ => at,
            };
            self.kept.extend(self.texts[at..until].iter().copied());
            let brace = self.parent[at].filter(|parent| self.text(*parent) == "{");
            let is_item = is_name(self.text(at)) && matches!(self.before(at, 1), "{" | ",");
            let is_assigned = self.text(at + 1) == "=" && !matches!(self.text(at + 2), "=" | ">");
            let Some(brace) = brace.filter(|_| is_item && (is_assigned || matches!(self.text(at + 1), "," | "}")))
            else {
                continue;
            };
            match self.before(brace, 1) {
                "(" | "," | "[" | "=" | "?" | "const" | "let" | "return" => _ = self.shorthands.insert(at),
                // A value, or a block behind `case`.
                ":" if !is_assigned => _ = self.shorthands.insert(at),
                // A block that begins with an assignment, unless it could be a list of variables.
                _ if is_assigned && self.before(at, 1) == "{" => (),
                _ => _ = self.kept.insert(self.text(at)),
            }
        }
    }

    fn declare_all(&mut self) {
        let all = 0..self.texts.len();
        // What a script that is no module declares at its top, other scripts see, too.
        let is_module =
            all.clone().any(|at| ["import", "export"].contains(&self.text(at)) && self.parent[at].is_none());
        for at in all.clone() {
            let around = match self.parent[at] {
                None if is_module => Some(all.clone()),
                Some(parent) if self.text(parent) == "{" => Some(parent..self.partner[parent]),
                _ => None,
            };
            match self.text(at) {
                "(" => self.declare_parameters(at),
                "const" | "let" if self.before(at, 1) != "." => {
                    let header = self.parent[at].filter(|parent| self.text(*parent) == "(");
                    let scope = header.map(|header| header..self.body_end(self.partner[header] + 1)).or(around);
                    self.declare_variables(at, scope);
                }
                "function" if self.before(at, 1) != "." => {
                    let name = self.text(at + 1);
                    let first = if self.before(at, 1) == "async" { 2 } else { 1 };
                    let is_statement = matches!(self.before(at, first), "" | ";" | "{" | "}");
                    match around.filter(|_| is_statement && is_name(name)) {
                        Some(scope) => self.declared.entry(name).or_default().push(scope),
                        None => _ = self.kept.insert(name),
                    }
                }
                _ => (),
            }
        }
    }

    /// `(a, b) => ..`, `name(a, b) { .. }`, `function (a, b) { .. }`, `catch (a) { .. }`.
    fn declare_parameters(&mut self, open: usize) {
        let close = self.partner[open];
        let end = if self.text(close + 1) == "=" && self.text(close + 2) == ">" {
            self.body_end(close + 3)
        } else if self.text(close + 1) == "{"
            && !self.begins_line[close + 1]
            && !CONDITIONS.contains(&self.before(open, 1))
        {
            self.partner[close + 1]
        } else {
            return;
        };
        self.declare_items(open, &(open..end));
    }

    /// The end of a block, or of an expression: at the latest that of its line, because a semicolon may be left out there.
    fn body_end(&self, from: usize) -> usize {
        if self.text(from) == "{" {
            return self.partner[from];
        }
        let mut at = from;
        while at < self.texts.len() {
            let is_end = matches!(self.text(at), "," | ";" | ")" | "]") || self.text(at).starts_with('}');
            if is_end || at > from && self.begins_line[at] {
                break;
            }
            // Over what is in brackets, and over all parts of a template.
            while self.partner[at] != usize::MAX && self.partner[at] > at {
                at = self.partner[at];
            }
            at += 1;
        }
        at
    }

    /// `const a = .., [b, c] = ..`.
    fn declare_variables(&mut self, word: usize, scope: Option<Range<usize>>) {
        let is_shared = self.before(word, 1) == "export";
        let mut at = word + 1;
        loop {
            if is_shared || scope.is_none() {
                let end = if matches!(self.text(at), "{" | "[") { self.partner[at] } else { at + 1 };
                self.kept.extend(self.texts[at..end.min(self.texts.len())].iter().copied());
            }
            if let Some(scope) = &scope {
                self.declare_pattern(at, scope);
            }
            at = self.skip_pattern(at);
            if self.text(at) == "=" {
                at = self.body_end(at + 1);
            }
            if self.text(at) != "," {
                break;
            }
            at += 1;
        }
    }

    fn skip_pattern(&self, at: usize) -> usize {
        if matches!(self.text(at), "{" | "[") { self.partner[at] + 1 } else { at + 1 }
    }

    /// A name, `[a, b]` or `{ a, b: c }`, each with its scope.
    fn declare_pattern(&mut self, mut at: usize, scope: &Range<usize>) {
        while self.text(at) == "." {
            at += 1;
        }
        match self.text(at) {
            "{" | "[" => self.declare_items(at, scope),
            name if is_name(name) => self.declared.entry(name).or_default().push(scope.clone()),
            _ => (),
        }
    }

    /// The names between brackets. What stands behind `=` is not declared.
    fn declare_items(&mut self, open: usize, scope: &Range<usize>) {
        let mut at = open + 1;
        while at < self.partner[open] {
            let is_named = self.text(open) == "{" && self.text(at + 1) == ":";
            self.declare_pattern(if is_named { at + 2 } else { at }, scope);
            while at < self.partner[open] && !(self.parent[at] == Some(open) && self.text(at) == ",") {
                at += 1;
            }
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::condense_script;

    fn check(source: &str, left: &str) {
        assert_eq!(condense_script(source), left, "{source}");
    }

    #[test]
    fn local_names_become_short() {
        check("export {};\nconst number = 1;\nf(number, number);", "export{};let a=1;f(a,a);");
        check("f((first, ...rest) => first + rest[0])", "f((a,...b)=>a+b[0])");
        check("for (const one of all) { f(one); }", "for(let a of all){f(a)}");
        check("try { f(); } catch (error) { g(error); }", "try{f()}catch(a){g(a)}");
        check(
            "f(() => { const [one, two] = g(); return `${one} ${two}`; })",
            "f(()=>{let[a,b]=g();return`${a} ${b}`})",
        );
        check("class A { #one = 1; two() { return this.#one; } }", "class A{#a=1;two(){return this.#a}}");
        check("f(() => { function inner() {} inner(); })", "f(()=>{function a(){}a()})");
    }

    #[test]
    fn keys_keep_their_names() {
        check("f((value) => ({ value: value.value, other: value }))", "f(a=>({value:a.value,other:a}))");
        check("f((value) => g({ value }, value, value))", "f(a=>g({value:a},a,a))");
        check("f(({ name, other: word }) => name + name + name + word)", "f(({name:a,other:b})=>a+a+a+b)");
        check("f(({ no }) => no)", "f(({no})=>no)");
        check("f((draw) => ({ draw() {} }), (draw) => draw)", "f(draw=>({draw(){}}),draw=>draw)");
        check("f((one) => class { one = 1; }, (one) => one)", "f(one=>class{one=1},one=>one)");
        check("f((yes, no) => (yes ? no : yes))", "f((a,b)=>(a?b:a))");
    }

    #[test]
    fn names_from_outside_stay() {
        check("const shared = 1;\nf(shared);", "let shared=1;f(shared);");
        check("export const shared = 1, other = 2;\nf(shared, other);", "export let shared=1,other=2;f(shared,other);");
        check("import { make } from \"./a.js\";\nmake(make);", "import{make}from\"./a.js\";make(make);");
        check("export { long };\nconst long = 1;", "export{long};let long=1;");
        check("f((inner = outer) => inner)", "f((a=outer)=>a)");
        check("f((gi) => /a/gi.test(gi))", "f(gi=>/a/gi.test(gi))");
        check("f((word) => eval(word))", "f(word=>eval(word))");
        check("f((status) => status);\ng(status);", "f(status=>status);g(status);");
        check("f((one) => one)\nf(one)", "f(one=>one)\nf(one)");
        check("f((one) => { one = 1; g(one); })", "f(a=>{a=1;g(a)})");
        check("f((one) => { let two, one = 1; })", "f(one=>{let a,one=1})");
        check("f((one) => {)", "f(one=>{)");
    }

    #[test]
    fn new_names_are_new() {
        check("f((one) => a + b + one)", "f(c=>a+b+c)");
    }
}
