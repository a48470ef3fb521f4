//! The name of a body.

use alloc::boxed::Box;
use core::fmt;
use core::ops::Deref;

/// The most bytes of a name that needs no memory elsewhere.
const SHORT: usize = 22;

/// The full name of a body: text that is read like a `str`. Worlds have many bodies, so a short name is kept
/// in place.
#[derive(Clone)]
pub struct Name(Text);

#[derive(Clone)]
enum Text {
    Short(u8, [u8; SHORT]),
    Long(Box<str>),
}

impl Name {
    /// The name that two parts make together.
    pub(crate) fn from_parts(first: &str, second: &str) -> Name {
        let (middle, end) = (first.len(), first.len() + second.len());
        if end > SHORT {
            return Name(Text::Long([first, second].concat().into()));
        }
        let mut bytes = [0; SHORT];
        bytes[..middle].copy_from_slice(first.as_bytes());
        bytes[middle..end].copy_from_slice(second.as_bytes());
        Name(Text::Short(end as u8, bytes))
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Name {
        Name::from_parts(text, "")
    }
}

impl Deref for Name {
    type Target = str;
    fn deref(&self) -> &str {
        match &self.0 {
            Text::Short(len, bytes) => core::str::from_utf8(&bytes[..*len as usize]).unwrap_or_default(),
            Text::Long(text) => text,
        }
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        self
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn a_name_of_any_length_is_its_text() {
        let letters = "ä0123456789abcdefghijklmnopqrstuvwxyz";
        for end in (0..letters.len()).filter(|end| letters.is_char_boundary(*end)) {
            let (text, name) = (&letters[..end], Name::from_parts("r/", &letters[..end]));
            assert_eq!(&name[2..], text);
            assert_eq!((name.to_string(), &*name.clone()), (["r/", text].concat(), &*name));
            assert_eq!(&*Name::from(text), text);
            assert_eq!(matches!(name.0, Text::Long(_)), end + 2 > SHORT);
        }
        assert_eq!(size_of::<Name>(), 24);
    }
}
