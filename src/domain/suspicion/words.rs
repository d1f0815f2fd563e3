//! The words of instructions, German and English, by what they do in one; and phrases that need no rule.
//!
//! Spelled as the view spells: lower case, `ue` for `ü`, no apostrophes.

/// What a word can do in an instruction, one bit each; see [`WORDS`] for which words those are.
pub(super) mod class {
    pub(in super::super) const DROP: u64 = 1 << 0;
    pub(in super::super) const DROPPED: u64 = 1 << 1;
    pub(in super::super) const EARLIER: u64 = 1 << 2;
    pub(in super::super) const ALL: u64 = 1 << 3;
    pub(in super::super) const EVERYTHING: u64 = 1 << 4;
    pub(in super::super) const ORDERS: u64 = 1 << 5;
    pub(in super::super) const LIMITS: u64 = 1 << 6;
    pub(in super::super) const NOT: u64 = 1 << 7;
    pub(in super::super) const TELL: u64 = 1 << 8;
    pub(in super::super) const TELLING: u64 = 1 << 9;
    pub(in super::super) const PEOPLE: u64 = 1 << 10;
    pub(in super::super) const NOTHING: u64 = 1 << 11;
    pub(in super::super) const HIDE: u64 = 1 << 12;
    pub(in super::super) const WITHOUT: u64 = 1 << 13;
    pub(in super::super) const APPROVE: u64 = 1 << 14;
    pub(in super::super) const APPROVED: u64 = 1 << 15;
    pub(in super::super) const THIS: u64 = 1 << 16;
    pub(in super::super) const PROPOSAL: u64 = 1 << 17;
    pub(in super::super) const MARK: u64 = 1 << 18;
    pub(in super::super) const MARKED: u64 = 1 << 19;
    pub(in super::super) const VERIFIED: u64 = 1 << 20;
    pub(in super::super) const AS: u64 = 1 << 21;
    pub(in super::super) const WRITE: u64 = 1 << 22;
    pub(in super::super) const WRITTEN: u64 = 1 << 23;
    pub(in super::super) const INTO: u64 = 1 << 24;
    pub(in super::super) const VAULT: u64 = 1 << 25;
    pub(in super::super) const RUN: u64 = 1 << 26;
    pub(in super::super) const FOLLOWING: u64 = 1 << 27;
    pub(in super::super) const COMMAND: u64 = 1 << 28;
    pub(in super::super) const REVEAL: u64 = 1 << 29;
    pub(in super::super) const YOUR: u64 = 1 << 30;
    pub(in super::super) const NEW: u64 = 1 << 31;
    pub(in super::super) const LEAD: u64 = 1 << 32;
    pub(in super::super) const FOLLOW: u64 = 1 << 33;
    pub(in super::super) const SEND: u64 = 1 << 34;
    pub(in super::super) const SECRET: u64 = 1 << 35;
    pub(in super::super) const DENIED: u64 = 1 << 36;
}

use class::{
    ALL, APPROVE, APPROVED, AS, COMMAND, DENIED, DROP, DROPPED, EARLIER, EVERYTHING, FOLLOW, FOLLOWING, HIDE, INTO,
    LEAD, LIMITS, MARK, MARKED, NEW, NOT, NOTHING, ORDERS, PEOPLE, PROPOSAL, REVEAL, RUN, SECRET, SEND, TELL, TELLING,
    THIS, VAULT, VERIFIED, WITHOUT, WRITE, WRITTEN, YOUR,
};

/// Words and what they can do, sorted.
#[rustfmt::skip]
pub(super) const WORDS: &[(&str, u64)] = &[
    ("ablegen", WRITTEN), ("above", EARLIER), ("accept", APPROVE), ("add", WRITE), ("admin", PEOPLE),
    ("aenderung", PROPOSAL), ("akzeptiere", APPROVE), ("akzeptieren", APPROVED), ("alert", TELL),
    ("alerting", TELLING), ("all", ALL), ("alle", ALL), ("allen", ALL), ("alles", EVERYTHING), ("als", AS),
    ("also", LEAD), ("alte", EARLIER), ("alten", EARLIER), ("always", LEAD), ("and", LEAD), ("antrag", PROPOSAL),
    ("anweisung", ORDERS), ("anweisungen", ORDERS), ("anwender", PEOPLE), ("any", ALL), ("anybody", PEOPLE),
    ("anyone", PEOPLE), ("anything", EVERYTHING), ("apikey", SECRET), ("apikeys", SECRET), ("append", WRITE),
    ("approve", APPROVE), ("approved", APPROVED | VERIFIED), ("approven", APPROVED), ("as", AS), ("ask", TELL),
    ("asking", TELLING), ("auch", LEAD), ("auf", AS), ("autoapprove", APPROVE), ("beachte", FOLLOW),
    ("beachten", FOLLOW), ("befehl", ORDERS | COMMAND), ("befehle", ORDERS | COMMAND), ("befolge", FOLLOW),
    ("befolgen", FOLLOW), ("before", EARLIER), ("behandeln", MARKED), ("behandle", MARK), ("below", FOLLOWING),
    ("benachrichtigen", TELLING), ("benutzer", PEOPLE), ("benutzern", PEOPLE), ("bestaetige", APPROVE),
    ("bestaetigen", APPROVED), ("bestaetigt", VERIFIED), ("billige", APPROVE), ("bisher", EARLIER),
    ("bisherige", EARLIER), ("bisherigen", EARLIER), ("bisheriges", EARLIER), ("bislang", EARLIER), ("bitte", LEAD),
    ("but", LEAD), ("bypass", DROP), ("cannot", DENIED), ("canonical", VERIFIED), ("cant", DENIED),
    ("change", PROPOSAL | MARK), ("code", COMMAND), ("command", COMMAND), ("commands", ORDERS | COMMAND),
    ("commit", WRITE), ("conceal", HIDE), ("confirm", APPROVE), ("confirmed", VERIFIED), ("constraints", LIMITS),
    ("context", LIMITS), ("copy", WRITE), ("credentials", SECRET), ("dann", LEAD), ("darf", DENIED), ("dein", YOUR),
    ("deine", EARLIER | YOUR), ("deinen", EARLIER | YOUR), ("deiner", EARLIER | YOUR), ("den", INTO), ("der", INTO),
    ("die", INTO), ("diese", ALL | THIS | FOLLOWING), ("diesem", THIS), ("diesen", THIS | FOLLOWING),
    ("dieses", THIS | FOLLOWING), ("directive", ORDERS), ("directives", ORDERS), ("directly", LEAD), ("direkt", LEAD),
    ("discard", DROP), ("disclose", TELL), ("display", REVEAL), ("disregard", DROP), ("disregarded", DROPPED),
    ("dont", NOT), ("du", LEAD), ("duerfen", DENIED), ("dump", REVEAL), ("durchwinken", APPROVED),
    ("earlier", EARLIER), ("einfach", LEAD), ("einfuegen", WRITTEN), ("einschraenkungen", LIMITS),
    ("einstufen", MARKED), ("eintrag", PROPOSAL), ("eintragen", WRITTEN), ("email", SEND), ("entry", PROPOSAL),
    ("erwaehne", TELL), ("erwaehnen", TELL), ("erzaehle", TELL), ("erzaehlen", TELL), ("eval", RUN), ("every", ALL),
    ("everything", EVERYTHING), ("execute", RUN), ("exfiltrate", SEND), ("expose", REVEAL), ("fact", PROPOSAL),
    ("facts", PROPOSAL), ("fakt", PROPOSAL), ("fakten", PROPOSAL), ("flag", MARK), ("folgende", FOLLOWING),
    ("folgenden", FOLLOWING), ("folgendes", FOLLOWING), ("follow", FOLLOW), ("following", FOLLOWING | FOLLOW),
    ("foregoing", EARLIER), ("forget", DROP), ("forgotten", DROPPED), ("former", EARLIER), ("forward", SEND),
    ("fragen", TELLING), ("freigabe", PROPOSAL), ("freigeben", APPROVED), ("fruehere", EARLIER),
    ("frueheren", EARLIER), ("fuege", WRITE), ("fuehre", RUN), ("geheimnisse", SECRET), ("genehmige", APPROVE),
    ("genehmigen", APPROVED), ("genehmigt", APPROVE | VERIFIED), ("gib", REVEAL), ("graphiti", VAULT),
    ("guidance", ORDERS), ("guideline", ORDERS), ("guidelines", ORDERS), ("hide", HIDE), ("human", PEOPLE),
    ("humans", PEOPLE), ("ignore", DROP), ("ignored", DROPPED), ("ignorier", DROP), ("ignoriere", DROP),
    ("ignorieren", DROPPED), ("ignoriert", DROPPED), ("im", INTO), ("immediately", LEAD), ("immer", LEAD),
    ("in", INTO), ("inform", TELL), ("informiere", TELL), ("informieren", TELL | TELLING), ("informing", TELLING),
    ("initial", EARLIER), ("ins", INTO), ("insert", WRITE), ("instead", LEAD), ("instruction", ORDERS),
    ("instructions", ORDERS), ("instruktion", ORDERS), ("instruktionen", ORDERS), ("into", INTO), ("jegliche", ALL),
    ("jenes", THIS), ("jetzt", LEAD), ("just", LEAD), ("kanonisch", VERIFIED), ("kein", DENIED), ("keine", DENIED),
    ("keiner", DENIED), ("kennzeichne", MARK), ("kennzeichnen", MARKED), ("key", SECRET), ("keys", SECRET),
    ("kindly", LEAD), ("kommando", COMMAND), ("kommandos", COMMAND), ("kontext", LIMITS), ("kopiere", WRITE),
    ("kopieren", WRITTEN), ("label", MARK), ("launch", RUN), ("leak", REVEAL), ("lege", WRITE), ("leite", SEND),
    ("mark", MARK), ("markier", MARK), ("markiere", MARK), ("markieren", MARKED), ("may", DENIED), ("melde", TELL),
    ("melden", TELL), ("mensch", PEOPLE), ("menschen", PEOPLE), ("mention", TELL), ("message", LIMITS),
    ("messages", LIMITS), ("missachte", DROP), ("missachten", DROPPED), ("missachtet", DROP), ("musst", LEAD),
    ("must", LEAD), ("nach", INTO), ("nachricht", LIMITS), ("nachrichten", LIMITS), ("neglect", DROP),
    ("nenne", REVEAL), ("neue", NEW), ("neuen", NEW), ("never", NOT | DENIED), ("new", NEW),
    ("nicht", NOT | NOTHING | DENIED), ("nichts", NOTHING), ("nie", NOT | DENIED), ("niemals", NOT | DENIED),
    ("niemandem", PEOPLE | NOTHING), ("niemanden", PEOPLE | NOTHING), ("not", NOT | DENIED), ("notify", TELL),
    ("notifying", TELLING), ("now", LEAD), ("nun", LEAD), ("nur", DENIED), ("nutzer", PEOPLE), ("nutzern", PEOPLE),
    ("oben", EARLIER), ("obey", FOLLOW), ("obige", EARLIER), ("obigen", EARLIER), ("obsidian", VAULT),
    ("obsidianvault", VAULT), ("ohne", WITHOUT), ("old", EARLIER), ("only", DENIED), ("operator", PEOPLE),
    ("operators", PEOPLE), ("orders", ORDERS), ("original", EARLIER), ("output", REVEAL), ("overridden", DROPPED),
    ("override", DROP), ("passwoerter", SECRET), ("password", SECRET), ("passwords", SECRET), ("passwort", SECRET),
    ("paste", RUN), ("please", LEAD), ("post", SEND), ("preceding", EARLIER), ("previous", EARLIER),
    ("print", REVEAL), ("prior", EARLIER), ("prompt", ORDERS), ("prompts", ORDERS), ("proposal", PROPOSAL),
    ("proposals", PROPOSAL), ("pruefung", PROPOSAL), ("push", WRITE), ("put", WRITE), ("regel", LIMITS),
    ("regeln", LIMITS), ("repeat", REVEAL), ("report", TELL), ("request", PROPOSAL), ("restrictions", LIMITS),
    ("reveal", TELL | REVEAL), ("review", PROPOSAL), ("reviewer", PEOPLE), ("reviewers", PEOPLE),
    ("reviews", PROPOSAL), ("richtlinien", ORDERS), ("rule", LIMITS), ("rules", LIMITS), ("run", RUN),
    ("saemtliche", ALL), ("saemtlichen", ALL), ("safeguards", LIMITS), ("safety", EARLIER), ("sag", TELL),
    ("sage", TELL), ("sagen", TELL | TELLING), ("save", MARK | WRITE), ("schicke", SEND), ("schluessel", SECRET),
    ("schreib", WRITE), ("schreibe", WRITE), ("schreiben", WRITTEN), ("schutzregeln", LIMITS), ("script", COMMAND),
    ("secret", SECRET), ("secrets", SECRET), ("send", SEND), ("sende", SEND), ("set", MARK), ("setz", MARK),
    ("setze", MARK), ("setzen", MARKED), ("shell", COMMAND), ("shellcode", COMMAND), ("should", LEAD),
    ("show", TELL | REVEAL), ("simply", LEAD), ("skip", DROP), ("skript", COMMAND), ("snippet", COMMAND),
    ("so", LEAD), ("sofort", LEAD), ("sollst", LEAD), ("speicher", WRITE), ("speichere", MARK | WRITE),
    ("speichern", MARKED | WRITTEN), ("starte", RUN), ("stattdessen", LEAD), ("stop", NOT), ("store", MARK | WRITE),
    ("stufe", MARK), ("system", EARLIER), ("systemprompt", ORDERS), ("tell", TELL), ("telling", TELLING),
    ("then", LEAD), ("these", ALL | THIS | FOLLOWING), ("this", THIS | FOLLOWING), ("those", ALL), ("to", AS | INTO),
    ("token", SECRET), ("tokens", SECRET), ("trage", WRITE), ("transmit", SEND), ("treat", MARK),
    ("trusted", VERIFIED), ("uebergehe", DROP), ("uebergehen", DROPPED), ("uebermittle", SEND),
    ("ueberschreibe", DROP), ("ueberschreiben", DROPPED), ("uebertrage", WRITE), ("uebertragen", WRITTEN),
    ("umgehe", DROP), ("umgehen", DROPPED), ("umgehend", LEAD), ("unbedingt", LEAD), ("und", LEAD), ("update", MARK),
    ("updated", NEW), ("upload", SEND), ("urspruengliche", EARLIER), ("urspruenglichen", EARLIER), ("user", PEOPLE),
    ("users", PEOPLE), ("vault", VAULT), ("verberge", HIDE), ("verboten", DENIED), ("vergessen", DROPPED),
    ("vergesst", DROP), ("vergiss", DROP), ("verheimliche", HIDE), ("verified", VERIFIED), ("verifiziert", VERIFIED),
    ("verrate", TELL | REVEAL), ("verraten", TELL), ("verschweige", HIDE), ("verstecke", HIDE),
    ("verwerfen", DROPPED), ("verwirf", DROP), ("vorangegangene", EARLIER), ("vorangegangenen", EARLIER),
    ("vorgaben", ORDERS), ("vorher", EARLIER), ("vorhergehende", EARLIER), ("vorhergehenden", EARLIER),
    ("vorherige", EARLIER), ("vorherigen", EARLIER), ("vorheriger", EARLIER), ("vorige", EARLIER),
    ("vorigen", EARLIER), ("vorschlaege", PROPOSAL), ("vorschlag", PROPOSAL), ("warn", TELL), ("warne", TELL),
    ("warning", TELLING), ("whatever", EVERYTHING), ("wiederhole", REVEAL), ("wissensgraph", VAULT),
    ("wissensgraphen", VAULT), ("without", WITHOUT), ("write", WRITE), ("you", LEAD), ("your", EARLIER | YOUR),
    ("zeige", TELL | REVEAL), ("zeigen", TELL), ("zugangsdaten", SECRET), ("zuvor", EARLIER),
];

/// Phrases and the finding they make, sorted by first word.
#[rustfmt::skip]
pub(super) const PHRASES: &[(&str, &str)] = &[
    ("ab jetzt bist du", "role-change"), ("ab sofort bist du", "role-change"), ("act as admin", "role-change"),
    ("act as administrator", "role-change"), ("act as an unrestricted", "role-change"), ("act as dan", "role-change"),
    ("act as if", "role-change"), ("act as root", "role-change"), ("act as system", "role-change"),
    ("act as the system", "role-change"), ("admin override", "new-instructions"),
    ("an alle llms", "new-instructions"), ("an das modell", "new-instructions"),
    ("anweisung an das modell", "new-instructions"), ("anweisung an den agenten", "new-instructions"),
    ("anweisung an die ki", "new-instructions"), ("anweisungen fuer das modell", "new-instructions"),
    ("anweisungen fuer den agenten", "new-instructions"), ("approve without", "force-approval"),
    ("as an ai language model", "new-instructions"), ("attention ai", "new-instructions"),
    ("auto approve", "force-approval"), ("bash c", "shell-command"), ("begin instructions", "new-instructions"),
    ("begin prompt", "new-instructions"), ("begin system prompt", "new-instructions"),
    ("beginn systemprompt", "new-instructions"), ("behalte das fuer dich", "hide-from-people"),
    ("bitte freigeben", "force-approval"), ("bitte genehmigen", "force-approval"),
    ("bypass review", "force-approval"), ("bypass the review", "force-approval"), ("chmod 777", "shell-command"),
    ("dear ai", "new-instructions"), ("dear assistant", "new-instructions"), ("dein neuer auftrag", "role-change"),
    ("deine neue aufgabe", "role-change"), ("deine neue rolle", "role-change"),
    ("deines kontextfensters", "reveal-prompt"), ("developer mode enabled", "role-change"),
    ("do anything now", "role-change"), ("du bist ab jetzt", "role-change"), ("du bist ab sofort", "role-change"),
    ("du bist jetzt", "role-change"), ("du bist nun", "role-change"), ("end of instructions", "new-instructions"),
    ("end of prompt", "new-instructions"), ("end of system prompt", "new-instructions"),
    ("end system prompt", "new-instructions"), ("from now on act", "role-change"), ("from now on you", "role-change"),
    ("gib dich als", "role-change"), ("halte das geheim", "hide-from-people"), ("hey ai", "new-instructions"),
    ("hey assistant", "new-instructions"), ("hinweis an das modell", "new-instructions"),
    ("hinweis an die ki", "new-instructions"), ("if an llm", "new-instructions"),
    ("if you are a language model", "new-instructions"), ("if you are an ai", "new-instructions"),
    ("if you are reading this", "new-instructions"), ("important instruction", "new-instructions"),
    ("instructions for the agent", "new-instructions"), ("instructions for the ai", "new-instructions"),
    ("instructions for the assistant", "new-instructions"), ("instructions for the model", "new-instructions"),
    ("invoke expression", "shell-command"), ("jailbreak mode", "role-change"), ("keep it secret", "hide-from-people"),
    ("keep this secret", "hide-from-people"), ("kein review noetig", "force-approval"),
    ("keine pruefung noetig", "force-approval"), ("liebe ki", "new-instructions"),
    ("neue anweisung fuer dich", "new-instructions"), ("neue anweisungen fuer dich", "new-instructions"),
    ("new instructions from", "new-instructions"), ("new system prompt", "new-instructions"),
    ("no review is needed", "force-approval"), ("no review is required", "force-approval"),
    ("no review needed", "force-approval"), ("no review required", "force-approval"),
    ("note to ai", "new-instructions"), ("note to the ai", "new-instructions"),
    ("ohne pruefung uebernehmen", "force-approval"), ("ohne review uebernehmen", "force-approval"),
    ("please approve", "force-approval"), ("powershell enc", "shell-command"),
    ("powershell encodedcommand", "shell-command"), ("pretend that you", "role-change"),
    ("pretend to be", "role-change"), ("pretend you", "role-change"), ("rm rf", "shell-command"),
    ("role play as", "role-change"), ("roleplay as", "role-change"), ("sag niemandem", "hide-from-people"),
    ("sh c", "shell-command"), ("skip the review", "force-approval"), ("start of system prompt", "new-instructions"),
    ("stell dir vor du bist", "role-change"), ("system override", "new-instructions"),
    ("the following instructions take precedence", "new-instructions"), ("tu so als", "role-change"),
    ("ueberspringe das review", "force-approval"), ("ueberspringe die pruefung", "force-approval"),
    ("verhalte dich als", "role-change"), ("verhalte dich wie", "role-change"),
    ("von jetzt an bist du", "role-change"), ("von nun an bist du", "role-change"),
    ("wenn du das liest", "new-instructions"), ("wenn du dies liest", "new-instructions"),
    ("wenn du eine ki bist", "new-instructions"), ("wenn ein llm", "new-instructions"),
    ("you are now", "role-change"), ("you must now", "role-change"), ("you will now", "role-change"),
    ("your context window", "reveal-prompt"), ("your hidden instructions", "reveal-prompt"),
    ("your new name", "role-change"), ("your new purpose", "role-change"), ("your new role", "role-change"),
    ("your new task", "role-change"), ("your real task", "role-change"), ("your true purpose", "role-change"),
    ("youre now", "role-change"),
];

/// What the reader of a manual is told after "you are now": no change of role.
#[rustfmt::skip]
pub(super) const STATES: &[&str] = &[
    "logged", "connected", "signed", "able", "ready", "done", "redirected", "subscribed", "registered", "in", "on",
    "angemeldet", "eingeloggt", "verbunden", "fertig", "dran", "registriert", "abgemeldet", "bereit", "here", "enrolled",
];
