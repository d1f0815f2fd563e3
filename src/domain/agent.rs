//! The agents' names.

use std::fmt;

/// The prefix that an agent's full name carries and that session ids leave out.
const PREFIX: &str = "hermes-";

/// An agent's name as it was given, such as `hermes-carlo` or `carlo`: both are the same agent.
#[derive(Clone, Debug)]
pub struct AgentId(String);

/// A text is no agent name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an agent's name is 1 to 32 of a-z, 0-9 and -, and starts with a letter or digit")]
pub struct BadAgent;

impl AgentId {
    /// Reads a name matching `[a-z0-9][a-z0-9-]{0,31}`; the limit counts the name without `hermes-`.
    ///
    /// # Errors
    /// When the text has another shape.
    pub fn parse(text: &str) -> Result<Self, BadAgent> {
        let agent = Self(text.to_owned());
        if valid(agent.short()) { Ok(agent) } else { Err(BadAgent) }
    }

    /// The name without its `hermes-` prefix, as session ids carry it.
    pub fn short(&self) -> &str {
        match self.0.strip_prefix(PREFIX) {
            Some(rest) if !rest.is_empty() => rest,
            _ => &self.0,
        }
    }

    /// The name with its prefix, as files and the audit log carry it, however it was given.
    pub fn full(&self) -> String {
        format!("{PREFIX}{}", self.short())
    }

    /// The name as it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether `short` has the shape of an agent's name without prefix.
pub(super) fn valid(short: &str) -> bool {
    (1..=32).contains(&short.len())
        && !short.starts_with('-')
        && short.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

impl PartialEq for AgentId {
    fn eq(&self, other: &Self) -> bool {
        self.short() == other.short()
    }
}

impl Eq for AgentId {}

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::str::FromStr for AgentId {
    type Err = BadAgent;

    fn from_str(text: &str) -> Result<Self, BadAgent> {
        Self::parse(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prefix_makes_no_other_agent() {
        assert_eq!(AgentId::parse("hermes-carlo").unwrap(), AgentId::parse("carlo").unwrap());
        assert_eq!(AgentId::parse("hermes-carlo").unwrap().short(), "carlo");
        assert_eq!(AgentId::parse("hermes").unwrap().short(), "hermes");
    }

    #[test]
    fn other_shapes_are_refused() {
        for bad in ["", "-a", "Carlo", "a b", "../x", "a/b", "ä", "hermes-", &"a".repeat(33)] {
            assert!(AgentId::parse(bad).is_err() || bad == "hermes-", "{bad}");
        }
        assert!(AgentId::parse(&format!("hermes-{}", "a".repeat(32))).is_ok());
    }
}
