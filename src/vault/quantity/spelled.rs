//! Units, months and numbers as words.

use super::{Kind, Quantity};

/// The unit a folded word stands for: its kind and its size in the kind's base.
pub(in crate::vault) fn unit(word: &str) -> Option<(Kind, f64)> {
    const HOUR: f64 = 3600.0;
    const DAY: f64 = 86_400.0;
    Some(match word.trim_end_matches('.') {
        "%" | "prozent" | "percent" | "pct" => (Kind::Percent, 1.0),
        "€" | "eur" | "euro" | "euros" => (Kind::Money(0), 1.0),
        "cent" | "cents" | "ct" => (Kind::Money(0), 0.01),
        "$" | "usd" | "dollar" | "dollars" => (Kind::Money(1), 1.0),
        "£" | "gbp" | "pfund" | "pounds" => (Kind::Money(2), 1.0),
        "chf" | "franken" | "francs" | "fr" => (Kind::Money(3), 1.0),
        "ms" | "millisekunden" | "milliseconds" => (Kind::Duration, 0.001),
        "s" | "sek" | "sekunde" | "sekunden" | "sec" | "secs" | "second" | "seconds" => (Kind::Duration, 1.0),
        "min" | "minute" | "minuten" | "minutes" | "mins" => (Kind::Duration, 60.0),
        "h" | "std" | "stunde" | "stunden" | "hour" | "hours" | "hrs" => (Kind::Duration, HOUR),
        "tag" | "tage" | "tagen" | "day" | "days" => (Kind::Duration, DAY),
        "woche" | "wochen" | "week" | "weeks" => (Kind::Duration, 7.0 * DAY),
        "monat" | "monate" | "monaten" | "month" | "months" => (Kind::Duration, 365.25 / 12.0 * DAY),
        "quartal" | "quartale" | "quarters" => (Kind::Duration, 365.25 / 4.0 * DAY),
        "jahr" | "jahre" | "jahren" | "year" | "years" => (Kind::Duration, 365.25 * DAY),
        "kb" | "kib" | "kilobyte" => (Kind::Bytes, 1e3),
        "mb" | "mib" | "megabyte" | "megabytes" => (Kind::Bytes, 1e6),
        "gb" | "gib" | "gigabyte" | "gigabytes" => (Kind::Bytes, 1e9),
        "tb" | "tib" | "terabyte" | "terabytes" => (Kind::Bytes, 1e12),
        "mm" | "millimeter" | "millimetres" => (Kind::Length, 0.001),
        "cm" | "zentimeter" | "centimetres" | "centimeters" => (Kind::Length, 0.01),
        "m" | "meter" | "metern" | "metres" | "meters" | "metre" => (Kind::Length, 1.0),
        "km" | "kilometer" | "kilometern" | "kilometres" | "kilometers" => (Kind::Length, 1000.0),
        "m²" | "m2" | "qm" | "quadratmeter" | "quadratmetern" | "sqm" => (Kind::Area, 1.0),
        "ha" | "hektar" | "hectares" | "hectare" => (Kind::Area, 10_000.0),
        "ml" | "milliliter" | "millilitres" => (Kind::Volume, 0.001),
        "cl" => (Kind::Volume, 0.01),
        "l" | "liter" | "litern" | "litre" | "litres" | "liters" => (Kind::Volume, 1.0),
        "m³" | "m3" | "kubikmeter" => (Kind::Volume, 1000.0),
        "mg" | "milligramm" | "milligrams" => (Kind::Mass, 0.001),
        "g" | "gramm" | "gram" | "grams" => (Kind::Mass, 1.0),
        "kg" | "kilo" | "kilogramm" | "kilos" | "kilograms" => (Kind::Mass, 1000.0),
        "t" | "tonne" | "tonnen" | "tonnes" | "tons" => (Kind::Mass, 1e6),
        "°c" | "°" | "grad" | "degrees" | "celsius" => (Kind::Temperature, 1.0),
        "w" | "watt" | "watts" => (Kind::Power, 1.0),
        "kw" | "kilowatt" | "kwp" => (Kind::Power, 1000.0),
        "wh" => (Kind::Energy, 1.0),
        "kwh" | "kilowattstunden" => (Kind::Energy, 1000.0),
        "hz" => (Kind::Frequency, 1.0),
        "mhz" => (Kind::Frequency, 1e6),
        "ghz" => (Kind::Frequency, 1e9),
        "uhr" | "o'clock" => (Kind::Clock, 60.0),
        _ => return None,
    })
}

/// Gives a bare number its unit.
pub(in crate::vault) fn with_unit(quantity: &mut Quantity, kind: Kind, factor: f64) {
    if quantity.kind == Kind::Plain {
        quantity.kind = kind;
        quantity.low *= factor;
        quantity.high *= factor;
        quantity.other = quantity.other.map(|value| value * factor);
        quantity.parts.clear();
    }
}

/// The month a folded word names, 1 to 12.
pub(in crate::vault) fn month(word: &str) -> Option<u8> {
    const MONTHS: [&[&str]; 12] = [
        &["januar", "january", "jan", "janner"],
        &["februar", "february", "feb"],
        &["marz", "march", "mrz"],
        &["april", "apr"],
        &["mai", "may"],
        &["juni", "june", "jun"],
        &["juli", "july", "jul"],
        &["august", "aug"],
        &["september", "sept", "sep"],
        &["oktober", "october", "okt", "oct"],
        &["november", "nov"],
        &["dezember", "december", "dez", "dec"],
    ];
    let word = word.trim_end_matches('.');
    (1..=12).zip(MONTHS).find_map(|(number, names)| names.contains(&word).then_some(number))
}

/// A number in words, German or English, up to the thousands. `eins`-like articles (`ein`, `one`) are left to the caller.
pub(in crate::vault) fn word_number(folded: &str) -> Option<f64> {
    const SMALL: &[(&str, f64)] = &[
        ("null", 0.0),
        ("zero", 0.0),
        ("eins", 1.0),
        ("zwei", 2.0),
        ("zwo", 2.0),
        ("two", 2.0),
        ("drei", 3.0),
        ("three", 3.0),
        ("vier", 4.0),
        ("four", 4.0),
        ("funf", 5.0),
        ("five", 5.0),
        ("sechs", 6.0),
        ("six", 6.0),
        ("sieben", 7.0),
        ("seven", 7.0),
        ("acht", 8.0),
        ("eight", 8.0),
        ("neun", 9.0),
        ("nine", 9.0),
        ("zehn", 10.0),
        ("ten", 10.0),
        ("elf", 11.0),
        ("eleven", 11.0),
        ("zwolf", 12.0),
        ("twelve", 12.0),
        ("dreizehn", 13.0),
        ("thirteen", 13.0),
        ("vierzehn", 14.0),
        ("fourteen", 14.0),
        ("funfzehn", 15.0),
        ("fifteen", 15.0),
        ("sechzehn", 16.0),
        ("sixteen", 16.0),
        ("siebzehn", 17.0),
        ("seventeen", 17.0),
        ("achtzehn", 18.0),
        ("eighteen", 18.0),
        ("neunzehn", 19.0),
        ("nineteen", 19.0),
        ("dutzend", 12.0),
        ("dozen", 12.0),
    ];
    const TENS: &[(&str, f64)] = &[
        ("zwanzig", 20.0),
        ("twenty", 20.0),
        ("dreissig", 30.0),
        ("thirty", 30.0),
        ("vierzig", 40.0),
        ("forty", 40.0),
        ("funfzig", 50.0),
        ("fifty", 50.0),
        ("sechzig", 60.0),
        ("sixty", 60.0),
        ("siebzig", 70.0),
        ("seventy", 70.0),
        ("achtzig", 80.0),
        ("eighty", 80.0),
        ("neunzig", 90.0),
        ("ninety", 90.0),
    ];
    if !may_begin_number(folded) {
        return None;
    }
    let find = |list: &[(&str, f64)], word: &str| list.iter().find(|(name, _)| *name == word).map(|(_, value)| *value);
    let below_hundred = |word: &str| {
        find(SMALL, word).or_else(|| find(TENS, word)).or_else(|| {
            TENS.iter().find_map(|(name, tens)| {
                let unit = word.strip_suffix(name).and_then(|rest| rest.strip_suffix("und"));
                let unit = unit.map(|unit| if unit == "ein" { Some(1.0) } else { find(SMALL, unit) });
                let after = word
                    .strip_prefix(name)
                    .map(|rest| rest.trim_start_matches('-'))
                    .filter(|rest| !rest.is_empty())
                    .map(|rest| match rest {
                        "one" => Some(1.0),
                        other => find(SMALL, other),
                    });
                unit.or(after).flatten().map(|unit| tens + unit)
            })
        })
    };
    let below_thousand = |word: &str| {
        below_hundred(word).or_else(|| {
            let (before, after) = word.split_once("hundert").or_else(|| word.split_once("hundred"))?;
            let hundreds = if before.is_empty() || before == "ein" { 1.0 } else { find(SMALL, before)? };
            let rest = after.trim_start_matches("und");
            Some(hundreds * 100.0 + if rest.is_empty() { 0.0 } else { below_hundred(rest)? })
        })
    };
    below_thousand(folded).or_else(|| {
        let (before, after) = folded.split_once("tausend").or_else(|| folded.split_once("thousand"))?;
        let thousands = if before.is_empty() || before == "ein" { 1.0 } else { below_thousand(before)? };
        Some(thousands * 1000.0 + if after.is_empty() { 0.0 } else { below_thousand(after)? })
    })
}

/// Whether a word may be a number: nearly every word is none, and two letters tell.
fn may_begin_number(folded: &str) -> bool {
    matches!(
        folded.as_bytes(),
        [b'n', b'u' | b'e' | b'i', ..]
            | [b'z', b'e' | b'w', ..]
            | [b'e', b'i' | b'l', ..]
            | [b't', b'w' | b'h' | b'e' | b'a', ..]
            | [b'd', b'r' | b'u' | b'o', ..]
            | [b'v', b'i', ..]
            | [b'f', b'o' | b'u' | b'i', ..]
            | [b's', b'e' | b'i', ..]
            | [b'a', b'c', ..]
            | [b'o', b'n', ..]
            | [b'h', b'u', ..]
    )
}

/// An ordinal in words (`zehnten`, `third`), as its number.
pub(in crate::vault) fn ordinal(folded: &str) -> Option<f64> {
    const ENGLISH: &[(&str, f64)] = &[
        ("third", 3.0),
        ("fourth", 4.0),
        ("fifth", 5.0),
        ("sixth", 6.0),
        ("seventh", 7.0),
        ("eighth", 8.0),
        ("ninth", 9.0),
        ("tenth", 10.0),
        ("twelfth", 12.0),
        ("dritte", 3.0),
        ("dritten", 3.0),
        ("dritter", 3.0),
        ("siebte", 7.0),
        ("siebten", 7.0),
        ("achte", 8.0),
        ("achten", 8.0),
    ];
    if let Some((_, value)) = ENGLISH.iter().find(|(name, _)| *name == folded) {
        return Some(*value);
    }
    let stem = folded
        .strip_suffix("en")
        .or_else(|| folded.strip_suffix("er"))
        .or_else(|| folded.strip_suffix("es"))
        .or_else(|| folded.strip_suffix('e'))?;
    let stem = stem.strip_suffix("st").filter(|stem| stem.ends_with("ig")).or_else(|| stem.strip_suffix('t'))?;
    word_number(stem)
}
