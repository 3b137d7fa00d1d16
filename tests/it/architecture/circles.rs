//! No two files import from each other, neither directly nor by way of others.
//!
//! A module that is free of circles is added to [`WITHOUT_CIRCLES`].
//!
//! The imports are read from the text: `use` declarations and paths in the code. A name that a file only passes on is
//! looked up in the file that defines it, so a `mod.rs` that declares and re-exports its children imports nothing.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use super::{CRATES, code, sources};

/// The folders and files in which no circle may be. One more is one more line.
const WITHOUT_CIRCLES: [&str; 10] = [
    "crates/dice/src",
    "crates/engine/src/check",
    "crates/engine/src/console",
    "crates/engine/src/language",
    "crates/engine/src/referee",
    "crates/engine/src/render",
    "crates/engine/src/ruleset",
    "crates/engine/src/tabletop",
    "src/console",
    "src/session_folder",
];

/// A file as a module: what it declares, imports and mentions.
struct Module {
    file: String,
    /// The modules that it declares with `mod name;`.
    children: BTreeSet<String>,
    imports: Vec<Import>,
    /// All paths of at least two names in its code.
    paths: Vec<Vec<String>>,
    /// Every name in its code outside `use` declarations.
    mentioned: BTreeSet<String>,
}

/// One name that a `use` declaration brings in.
struct Import {
    name: String,
    path: Vec<String>,
    /// Whether the declaration has a `pub`.
    passed_on: bool,
}

/// The modules of a crate by their paths: `["crate", "language", "lexer"]`.
type Crate = HashMap<Vec<String>, Module>;

/// From a file to those that it imports from, with the names it imports.
type Graph = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// Divides code into names, `::` and single characters, without the contents of texts.
fn tokens(code: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let length = if first.is_alphanumeric() || first == '_' {
            rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else if first == '"' {
            let raw = tokens.last().is_some_and(|token| token == "r" || token == "#");
            if raw { length_of_raw_text(rest) } else { length_of_text(rest) }
        } else if rest.starts_with("'\"'") {
            3
        } else {
            first.len_utf8()
        };
        let (token, after) = rest.split_at(length);
        if !first.is_whitespace() && first != '"' {
            tokens.push(token.to_owned());
        }
        rest = after;
    }
    tokens
}

/// The length of the text in quotation marks at the start of `rest`, both marks included.
fn length_of_text(rest: &str) -> usize {
    let mut escaped = false;
    for (index, c) in rest.char_indices().skip(1) {
        if c == '"' && !escaped {
            return index + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    rest.len()
}

/// The length of the raw text at the start of `rest`: up to a quotation mark that `#` follows.
fn length_of_raw_text(rest: &str) -> usize {
    rest.find("\"#").map_or(rest.len(), |index| index + 1)
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Adds the names that a tree such as `super::{a::B, c::{self, D as E}}` imports. Returns the tokens after the tree.
fn read_use_tree<'t>(
    mut tokens: &'t [String],
    prefix: &[String],
    passed_on: bool,
    imports: &mut Vec<Import>,
) -> &'t [String] {
    let mut path = prefix.to_vec();
    loop {
        match tokens[0].as_str() {
            "::" => {}
            "{" => {
                tokens = &tokens[1..];
                while tokens[0] != "}" {
                    tokens = read_use_tree(tokens, &path, passed_on, imports);
                    if tokens[0] == "," {
                        tokens = &tokens[1..];
                    }
                }
                return &tokens[1..];
            }
            "as" => {
                let name = tokens[1].clone();
                imports.push(Import { name, path, passed_on });
                return &tokens[2..];
            }
            "," | "}" | ";" => {
                let name = path.last().cloned().unwrap_or_default();
                imports.push(Import { name, path, passed_on });
                return tokens;
            }
            // `a::{self}` imports `a`.
            "self" if !path.is_empty() => {}
            name => path.push(name.to_owned()),
        }
        tokens = &tokens[1..];
    }
}

fn read_module(file: &str, text: &str) -> Module {
    let tokens = tokens(&code(text));
    let mut module = Module {
        file: file.to_owned(),
        children: BTreeSet::new(),
        imports: Vec::new(),
        paths: Vec::new(),
        mentioned: BTreeSet::new(),
    };
    let mut at = 0;
    while at < tokens.len() {
        let token = tokens[at].as_str();
        let next = tokens.get(at + 1).map_or("", String::as_str);
        if token == "use" {
            // The `use<'a>` of a return type is no declaration.
            if next != "<" {
                let passed_on = at > 0 && matches!(tokens[at - 1].as_str(), "pub" | ")");
                let after = read_use_tree(&tokens[at + 1..], &[], passed_on, &mut module.imports);
                at = tokens.len() - after.len();
                continue;
            }
        } else if token == "mod" && tokens.get(at + 2).is_some_and(|t| t == ";") {
            module.children.insert(next.to_owned());
            at += 3;
            continue;
        } else if is_name(token) {
            module.mentioned.insert(token.to_owned());
            let mut path = vec![token.to_owned()];
            while tokens.get(at + 1).is_some_and(|t| t == "::")
                && tokens.get(at + 2).is_some_and(|t| is_name(t))
            {
                path.push(tokens[at + 2].clone());
                at += 2;
            }
            if path.len() > 1 {
                module.paths.push(path);
            }
        }
        at += 1;
    }
    module
}

/// The path of the module in a file below `folder`.
fn module_path(folder: &str, file: &str) -> Vec<String> {
    let below = file[folder.len() + 1..].trim_end_matches(".rs").trim_end_matches("/mod");
    let mut path = vec!["crate".to_owned()];
    if !matches!(below, "lib" | "main") {
        path.extend(below.split('/').map(str::to_owned));
    }
    path
}

/// A path of the module at `from` as one that begins with `crate`, or `None` if it leads out of the crate.
fn absolute(modules: &Crate, from: &[String], path: &[String]) -> Option<Vec<String>> {
    let mut start = from.to_vec();
    let mut rest = path;
    match rest[0].as_str() {
        "crate" => return Some(path.to_vec()),
        "self" => rest = &rest[1..],
        "super" => {
            while rest.first().is_some_and(|name| name == "super") {
                start.pop();
                rest = &rest[1..];
            }
        }
        name => {
            let module = &modules[from];
            if !module.children.contains(name) {
                // A module that was imported. An import that repeats its own first name leads out of the crate.
                let import = module.imports.iter().find(|i| i.name == name && i.path[0] != name)?;
                start = absolute(modules, from, &import.path)?;
                rest = &rest[1..];
            }
        }
    }
    start.extend(rest.iter().cloned());
    Some(start)
}

/// The module that defines what a path names, and the name. `None` for a module itself, and for what is not of the
/// crate.
fn definition(modules: &Crate, from: &[String], path: &[String]) -> Option<(Vec<String>, String)> {
    let absolute = absolute(modules, from, path)?;
    let length = (1..=absolute.len()).rev().find(|&n| modules.contains_key(&absolute[..n]))?;
    let (module, rest) = absolute.split_at(length);
    let name = rest.first()?;
    let Some(import) = modules[module].imports.iter().find(|import| import.name == *name) else {
        return Some((module.to_vec(), name.clone()));
    };
    let mut passed = import.path.clone();
    passed.extend(rest[1..].iter().cloned());
    definition(modules, module, &passed)
}

/// Every import of one file from another of the same crate.
fn graph(folder: &str) -> Graph {
    let mut modules = Crate::new();
    for (file, text) in sources() {
        if file.starts_with(&format!("{folder}/")) {
            modules.insert(module_path(folder, &file), read_module(&file, &text));
        }
    }
    let mut graph = Graph::new();
    for (path, module) in &modules {
        // What is only passed on is imported by whoever mentions it.
        let used = module
            .imports
            .iter()
            .filter(|import| !import.passed_on || module.mentioned.contains(&import.name));
        let paths = module.paths.iter().chain(used.map(|import| &import.path));
        for (defining, name) in paths.filter_map(|used| definition(&modules, path, used)) {
            if defining != *path {
                let to = modules[&defining].file.clone();
                let names = graph.entry(module.file.clone()).or_default().entry(to).or_default();
                names.insert(name);
            }
        }
    }
    graph
}

/// The files that can be reached from one by imports.
fn reachable<'g>(graph: &'g Graph, from: &str) -> BTreeSet<&'g str> {
    let mut reached = BTreeSet::new();
    let mut waiting = vec![from];
    while let Some(file) = waiting.pop() {
        for to in graph.get(file).into_iter().flat_map(BTreeMap::keys) {
            if let Some((to, _)) = graph.get_key_value(to)
                && reached.insert(to.as_str())
            {
                waiting.push(to);
            }
        }
    }
    reached
}

/// The imports of one file from another.
struct FileImport {
    from: String,
    to: String,
    names: Vec<String>,
}

impl fmt::Display for FileImport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {}: {}", self.from, self.to, self.names.join(", "))
    }
}

/// The imports that are part of a circle.
fn circles(graph: &Graph) -> Vec<FileImport> {
    let reachable: BTreeMap<&str, BTreeSet<&str>> =
        graph.keys().map(|file| (file.as_str(), reachable(graph, file))).collect();
    let mut circles = Vec::new();
    for (from, imports) in graph {
        for (to, names) in imports {
            if reachable.get(to.as_str()).is_some_and(|files| files.contains(from.as_str())) {
                let names = names.iter().cloned().collect();
                circles.push(FileImport { from: from.clone(), to: to.clone(), names });
            }
        }
    }
    circles
}

/// Returns true if a file is in one of the folders, or is one of the files, in which no circle may be.
fn is_checked(file: &str) -> bool {
    WITHOUT_CIRCLES.iter().any(|checked| {
        file.strip_prefix(checked).is_some_and(|below| below.is_empty() || below.starts_with('/'))
    })
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let mut wrong = Vec::new();
    for folder in CRATES {
        let imports = circles(&graph(folder)).into_iter().filter(|import| is_checked(&import.from));
        wrong.extend(imports.map(|import| import.to_string()));
    }
    assert!(wrong.is_empty(), "these imports are part of a circle:\n{}", wrong.join("\n"));
}
