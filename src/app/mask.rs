//! What masking a text answers, for front ends.

use serde_json::{Value, json};

use crate::mask::{Finding, Kind, Masking, char_ranges};

/// The outcome of masking a text, with offsets in characters of the input.
pub fn to_json(raw: &str, masking: &Masking) -> Value {
    let ranges = char_ranges(raw, &masking.findings);
    let findings: Vec<Value> = masking
        .findings
        .iter()
        .zip(ranges)
        .map(|(finding, range)| {
            json!({"kind": finding.kind.name(), "rule": finding.rule, "start": range.start, "end": range.end})
        })
        .collect();
    json!({"text": masking.text.as_str(), "findings": findings})
}

/// What to say of the credentials that were taken out of a text: a line for each rule, in the order of their first finding,
/// however often it applied. `field` says which of several texts it was.
pub fn credential_warnings(findings: &[Finding], field: Option<&str>) -> Vec<String> {
    let mut rules: Vec<(&str, usize)> = Vec::new();
    for finding in findings.iter().filter(|finding| finding.kind == Kind::Credential) {
        match rules.iter_mut().find(|(rule, _)| *rule == finding.rule) {
            Some((_, times)) => *times += 1,
            None => rules.push((finding.rule, 1)),
        }
    }
    let place = field.map_or_else(String::new, |field| format!(", field {field}"));
    let times = |times: usize| if times > 1 { format!(", {times} times") } else { String::new() };
    rules.into_iter().map(|(rule, n)| format!("credential removed (rule {rule}{place}{})", times(n))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_credentials_make_one_warning_for_each_rule_and_field() {
        let finding = |kind, rule| Finding { kind, rule, bytes: 0..1 };
        let findings = [
            finding(Kind::Credential, "secret-assignment"),
            finding(Kind::Name, "name-in-lists"),
            finding(Kind::Credential, "url-password"),
            finding(Kind::Credential, "secret-assignment"),
        ];
        let said = credential_warnings(&findings, Some("fact"));
        let wanted = [
            "credential removed (rule secret-assignment, field fact, 2 times)",
            "credential removed (rule url-password, field fact)",
        ];
        assert_eq!(said, wanted);
        assert_eq!(credential_warnings(&findings[2..3], None), ["credential removed (rule url-password)"]);
    }
}
