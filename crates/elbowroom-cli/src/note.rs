//! What a person must know about a world or an answer, apart from what can be done about it: who reads a page
//! gets the fact alone.

use std::fmt;

/// A note.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// How it is told.
    kind: NoteKind,
    fact: String,
    advice: String,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum NoteKind {
    /// Of the files alone: the same in every command.
    Standing,
    /// Of what this command was asked.
    Asked,
    /// Something is not checked of which one may think that it is.
    Grave,
}

impl Note {
    /// One that the files give rise to, whatever is asked.
    pub fn new_standing(fact: impl Into<String>, advice: impl Into<String>) -> Note {
        Note { kind: NoteKind::Standing, fact: fact.into(), advice: advice.into() }
    }

    /// One that is about what this command was asked.
    pub fn new_asked(fact: impl Into<String>, advice: impl Into<String>) -> Note {
        Note { kind: NoteKind::Asked, fact: fact.into(), advice: advice.into() }
    }

    /// One that nobody may overlook.
    pub fn new_grave(fact: impl Into<String>, advice: impl Into<String>) -> Note {
        Note { kind: NoteKind::Grave, fact: fact.into(), advice: advice.into() }
    }

    /// Whether it is the same in every command.
    pub fn is_standing(&self) -> bool {
        self.kind == NoteKind::Standing
    }

    /// Whether it is told even where nothing but faults is wanted.
    pub fn is_grave(&self) -> bool {
        self.kind == NoteKind::Grave
    }

    /// The fact for readers of a page: a sentence without the program's own words.
    pub fn plain_fact(&self) -> String {
        let fact = self.fact.replace('`', "");
        let mut letters = fact.chars();
        let first = letters.next().map_or(String::new(), |c| c.to_uppercase().collect());
        format!("{first}{}.", letters.as_str())
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.is_grave() { "WARNING" } else { "note" };
        let (fact, advice) = (&self.fact, &self.advice);
        if advice.is_empty() { write!(f, "{word}: {fact}") } else { write!(f, "{word}: {fact}. {advice}") }
    }
}
