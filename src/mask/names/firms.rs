//! Institutions and makes that are called like persons: they stay. A firm that says its legal form does not: behind
//! its name there may be one living person.

use super::cues::{THINGS, is_in};
use super::{Found, Words};

/// What follows the name of an institution and no person's, in lower case.
const KINDS: &[&str] = &[
    "stiftung",
    "universität",
    "university",
    "institut",
    "institute",
    "foundation",
    "denkmal",
    "stipendium",
    "bibliothek",
    "gymnasium",
    "klinikum",
    "airport",
    "college",
];
/// Makes whose names hardly a living person has, in lower case.
const MAKES: &[&str] = &[
    "calvin klein",
    "carl zeiss",
    "eli lilly",
    "estée lauder",
    "goldman sachs",
    "harley davidson",
    "hugo boss",
    "jack daniels",
    "jack wolfskin",
    "johnnie walker",
    "louis vuitton",
    "max planck",
    "mercedes benz",
    "merrill lynch",
    "michael kors",
    "morgan stanley",
    "philip morris",
    "ralph lauren",
    "rolls royce",
    "tom tailor",
    "tommy hilfiger",
    "wells fargo",
    "yves rocher",
];

impl Words<'_> {
    /// Whether what was found is no person but a firm.
    pub(super) fn is_firm(&self, found: &Found) -> bool {
        let (range, rule) = found;
        if *rule == "name-after-title" {
            return false;
        }
        let kind = self.follows(range.end) && is_in(KINDS, self.text(range.end))
            // "Fayette County", "Zac Brown Band": the model may take the thing into the name, or leave it out.
            || self.is_thing(range.end - 1)
            || is_in(THINGS, self.text(range.end - 1))
                && *rule != "name-reversed"
                && range.clone().all(|at| self.initial(at).is_none());
        // The model may take the word for the firm's kind into the name.
        let within = range.clone().skip(1).any(|at| is_in(KINDS, self.text(at)));
        let (Some(first), Some(last)) = (self.token(range.start), self.token(range.end - 1)) else { return false };
        let name = self.line.slice(first.range.start..last.range.end);
        let make = || name.len() < 20 && MAKES.contains(&name.to_lowercase().as_str());
        kind || within || make()
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::{assert_kept, assert_masked};

    #[test]
    fn firms_that_are_called_like_persons_stay() {
        assert_kept(&[
            "Carl Zeiss liefert die Linsen",
            "Hugo Boss und Louis Vuitton",
            "Marie Curie Stipendium beantragen",
            "Die Anna Amalia Bibliothek",
        ]);
    }

    #[test]
    fn persons_beside_firms_do_not() {
        assert_masked(&[
            ("Anna Meier, Verlag Nord", "[NAME], Verlag Nord"),
            ("Anna Meier GmbH hat geantwortet", "[NAME] GmbH hat geantwortet"),
            ("Herr Bosch ruft an", "Herr [NAME] ruft an"),
        ]);
    }
}
