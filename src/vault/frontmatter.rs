//! Front matter as people write it: `key: value`, lists in brackets or with dashes, quoted and folded text, one level of
//! nesting. What doesn't fit is skipped; the rest of the page is read either way.

/// One key of the front matter.
#[derive(Debug, PartialEq)]
pub(super) struct Property {
    /// The key; nested keys joined by a blank.
    pub(super) key: String,
    /// Its values, unquoted; more than one for a list.
    pub(super) values: Vec<String>,
    /// Its line, from 0.
    pub(super) line: usize,
}

/// Reads the front matter at the head of a text. Returns its keys and its length in bytes; `None` when there is none, or
/// its end is missing.
pub(super) fn front_matter(text: &str) -> Option<(Vec<Property>, usize)> {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().filter(|line| line.trim_end() == "---")?;
    let mut length = first.len();
    let mut inner = Vec::new();
    for line in lines {
        length += line.len();
        if matches!(line.trim_end(), "---" | "...") {
            return Some((properties(&inner), length));
        }
        inner.push(line.trim_end());
        if inner.len() > 2000 {
            return None;
        }
    }
    None
}

fn properties(lines: &[&str]) -> Vec<Property> {
    let mut out: Vec<Property> = Vec::new();
    let mut parent: Option<String> = None;
    let mut block = false;
    for (at, line) in lines.iter().enumerate() {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        if let Some(item) = text.strip_prefix("- ").or_else(|| (text == "-").then_some("")) {
            if let Some(last) = out.last_mut()
                && !item.trim().is_empty()
            {
                last.values.push(scalar(item));
            }
            continue;
        }
        if block && indent > 0 {
            if let Some(last) = out.last_mut() {
                match last.values.last_mut() {
                    Some(value) => {
                        value.push(' ');
                        value.push_str(text);
                    }
                    None => last.values.push(text.to_owned()),
                }
            }
            continue;
        }
        block = false;
        let Some((key, value)) = text.split_once(':') else { continue };
        if !value.is_empty() && !value.starts_with(' ') && !value.starts_with('\t') {
            continue;
        }
        let key = key.trim().trim_matches(['"', '\'']).to_owned();
        let value = value.trim();
        let key = if let (Some(parent), 1..) = (&parent, indent) {
            format!("{parent} {key}")
        } else {
            parent = Some(key.clone());
            key
        };
        block = matches!(value, "|" | ">" | "|-" | ">-" | "|+" | ">+");
        let values = if value.is_empty() || block {
            Vec::new()
        } else if let Some(list) = value.strip_prefix('[').filter(|rest| !rest.starts_with('[')) {
            list.trim_end_matches(']').split(',').map(scalar).filter(|item| !item.is_empty()).collect()
        } else {
            vec![scalar(value)]
        };
        out.push(Property { key, values, line: at + 1 });
    }
    out.retain(|property| !property.values.is_empty());
    out
}

/// A value without quotes, comment and link brackets.
fn scalar(value: &str) -> String {
    let value = value.trim();
    let quoted = ['"', '\'']
        .iter()
        .find_map(|quote| value.strip_prefix(*quote).and_then(|rest| rest.split_once(*quote)).map(|(inner, _)| inner));
    let value = quoted.unwrap_or_else(|| value.split(" #").next().unwrap_or(value));
    value
        .trim()
        .trim_start_matches("[[")
        .trim_end_matches("]]")
        .rsplit('|')
        .next()
        .unwrap_or_default()
        .trim()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simple_yaml_is_read() {
        let text = "---\ntitle: \"A: b\"\naliases: [x, 'y z']\ntags:\n  - one\n  - two\nhost:\n  name: alpha # note\nlong: >\n  a\n  b\nbroken\n---\nText";
        let (properties, length) = front_matter(text).unwrap();
        let flat: Vec<(String, String)> = properties.into_iter().map(|p| (p.key, p.values.join("+"))).collect();
        let want =
            [("title", "A: b"), ("aliases", "x+y z"), ("tags", "one+two"), ("host name", "alpha"), ("long", "a b")];
        assert_eq!(flat, want.map(|(a, b)| (a.to_owned(), b.to_owned())));
        assert_eq!(&text[length..], "Text");
    }

    #[test]
    fn unclosed_front_matter_is_text() {
        assert!(front_matter("---\nstatus: x\n").is_none());
        assert!(front_matter("--- x\n---\n").is_none());
    }
}
