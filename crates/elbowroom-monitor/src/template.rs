//! The template form of tran91 section 2.2: bodies, their parts and the roles of both, as the paper writes
//! them.
//!
//! ```text
//! (object-name (primitive-role dimension position))
//! (object-name ((component-name (primitive-role dimension position)) ...) dimension position)
//! ```
//!
//! A role is `supporting`, `manipulating` or `neither`. A dimension is three lengths along x, y and z, a
//! position three coordinates. The paper's table is 30 inches wide, 42 long and 38 high: `(30 42 38)`. It
//! stands "60"x50" away from the arm", on the floor: `(60 50 0)`. Its top, 4 inches thick, is at
//! `(60 50 34)`, four below the table's height. So a part's position is not counted from its body, but in the
//! frame of all, and its third number is the height of the underside. What the first two numbers are, a
//! corner or the middle, the paper does not say: the caller does, with [`Anchor`].
//!
//! The paper prints its table with two closing brackets too few, behind the part's role. A list of three
//! numbers can stand there only as the dimension of the whole, so the text is read as it stands, with a
//! warning.

mod form;

use crate::fault::{Fault, Faults, Log, Place};
use crate::limits;
use crate::roles::Role;
use form::{Node, is_number, quote_word, read_forms};
use std::collections::BTreeMap;

/// An inch, in metres: the unit of the paper's example.
pub const INCH: f64 = 0.0254;

/// Which point of a box its position is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Anchor {
    /// The corner with the least coordinates.
    LeastCorner,
    /// The middle of the underside: z is the least one, x and y are those of the centre.
    FootCentre,
}

/// How the numbers of a text are meant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Units {
    /// The length of one unit, in metres; [`INCH`] for the paper's.
    pub metres: f64,
    /// Which point of a box its position is.
    pub anchor: Anchor,
}

/// A box parallel to the axes of the frame of all positions (metres).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Its corner with the least coordinates: x, y, z.
    pub least: [f64; 3],
    /// Its corner with the greatest coordinates: x, y, z.
    pub most: [f64; 3],
}

/// A body of a template.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    /// Its name; no other body of the text has it.
    pub name: String,
    /// The role of the whole; [`Role::Neither`] where parts have roles: what is no such part may be touched
    /// by nothing (tran91 section 2.2).
    pub role: Role,
    /// Where it is: all of it.
    pub extent: Extent,
    /// Its parts, as they are listed. They move as one with the body.
    pub parts: Vec<TemplatePart>,
}

/// A part of a body of a template.
#[derive(Clone, Debug, PartialEq)]
pub struct TemplatePart {
    /// Its name; no other part of the body has it.
    pub name: String,
    /// Its role.
    pub role: Role,
    /// Where it is, inside of the whole; in the same frame.
    pub extent: Extent,
}

/// What a text says.
#[derive(Clone, Debug, PartialEq)]
pub struct Templates {
    /// The bodies, as they are listed.
    pub bodies: Vec<Template>,
    /// Where brackets were missing, and how the text was read.
    pub warnings: Vec<Fault>,
}

/// Reads the templates of a text: any number of bodies.
///
/// ```
/// use elbowroom_monitor::template::{Anchor, INCH, Units, read};
/// use elbowroom_monitor::Role;
///
/// let text = b"(table ((table-top (supporting (30 42 4) (60 50 34)))) (30 42 38) (60 50 0))";
/// let read = read(text, &Units { metres: INCH, anchor: Anchor::LeastCorner })?;
/// let table = &read.bodies[0];
/// assert_eq!((table.role, table.parts[0].role), (Role::Neither, Role::Supporting));
/// assert!((table.parts[0].extent.least[2] - 34.0 * INCH).abs() < 1e-12);
/// # Ok::<(), elbowroom_monitor::Faults>(())
/// ```
///
/// # Errors
/// All faults of the text, each with line and column, what is wrong, and what to do. In a list that is never
/// closed no others are looked for.
pub fn read(text: &[u8], units: &Units) -> Result<Templates, Faults> {
    let mut log = Log::default();
    if !(units.metres > 0.0 && units.metres <= limits::METRES) {
        let what = format!("the unit is {} metres", units.metres);
        log.fault(Place::Whole, what, "name a length above zero: 0.0254 for inches");
    }
    let mut read = Templates { bodies: Vec::new(), warnings: Vec::new() };
    if text.len() > limits::TEMPLATE_BYTES {
        let what = format!("the text has {} bytes, more than {}", text.len(), limits::TEMPLATE_BYTES);
        log.fault(Place::Whole, what, "read its bodies in several texts");
        return log.finish(read);
    }
    let text = match std::str::from_utf8(text) {
        Ok(text) => text,
        Err(error) => {
            let before = text.split_at_checked(error.valid_up_to()).map_or(text, |(before, _)| before);
            log.fault(end_of(before), "this byte is no UTF-8", "save the text as UTF-8");
            return log.finish(read);
        }
    };
    let mut reader = Reader { units, log };
    let mut names = BTreeMap::new();
    let forms = read_forms(text, &mut reader.log, &mut read.warnings);
    for form in &forms {
        let body = reader.read_body(form);
        if let Some(name) = form.list().and_then(|items| items.first()) {
            reader.check_name_new(&mut names, name, "body");
        }
        read.bodies.extend(body);
    }
    reader.log.finish(read)
}

/// Where a text ends.
fn end_of(text: &[u8]) -> Place {
    let text = String::from_utf8_lossy(text);
    let last = text.rsplit('\n').next().unwrap_or("");
    Place::At { line: text.matches('\n').count() + 1, column: last.chars().count() + 1 }
}

struct Reader<'u> {
    units: &'u Units,
    log: Log,
}

const BODY: &str = "write (name (role dimension position)) or (name (parts) dimension position)";
const PART: &str = "write (name (role dimension position))";
const ROLE: &str = "write (role dimension position), as (supporting (30 42 4) (60 50 34))";

impl Reader<'_> {
    /// A body in either form; nothing if it has a fault.
    fn read_body(&mut self, form: &Node<'_>) -> Option<Template> {
        let (name, rest) = self.read_named(form, "body", BODY)?;
        let first = rest.first().and_then(|first| first.list());
        let starts_with_word = first.is_some_and(|list| list.first().is_some_and(|n| n.word().is_some()));
        match rest {
            [role] if starts_with_word => {
                let (role, extent) = self.read_role(role)?;
                Some(Template { name, role, extent, parts: Vec::new() })
            }
            [list, dimension, position] if !starts_with_word && list.list().is_some() => {
                let mut names = BTreeMap::new();
                let mut parts = Vec::new();
                let mut all = true;
                for part in list.list().unwrap_or_default() {
                    let one = self.read_part(part);
                    if let Some(name) = part.list().and_then(|items| items.first()) {
                        self.check_name_new(&mut names, name, "part");
                    }
                    all &= one.is_some();
                    parts.extend(one.map(|one| (part.place, one)));
                }
                let extent = self.read_extent(dimension, position)?;
                for (place, part) in &parts {
                    self.check_inside(*place, part, &extent);
                }
                let parts = parts.into_iter().map(|(_, part)| part).collect();
                all.then_some(Template { name, role: Role::Neither, extent, parts })
            }
            _ => {
                let what = format!("the body {} has neither of the two forms", quote_word(&name));
                self.log.fault(form.place, what, BODY);
                None
            }
        }
    }

    fn read_part(&mut self, part: &Node<'_>) -> Option<TemplatePart> {
        let (name, rest) = self.read_named(part, "part", PART)?;
        let [role] = rest else {
            let what =
                format!("the part {} has {} items behind its name, not one", quote_word(&name), rest.len());
            self.log.fault(part.place, what, PART);
            return None;
        };
        let (role, extent) = self.read_role(role)?;
        Some(TemplatePart { name, role, extent })
    }

    /// A list that begins with a name, and what follows the name.
    fn read_named<'n, 'a>(
        &mut self,
        node: &'n Node<'a>,
        what: &str,
        help: &str,
    ) -> Option<(String, &'n [Node<'a>])> {
        let Some(list) = node.list() else {
            self.log.fault(node.place, format!("a {what} is a list, and this is a word"), help);
            return None;
        };
        let Some((name, rest)) = list.split_first() else {
            self.log.fault(node.place, format!("this list is empty, and a {what} has a name"), help);
            return None;
        };
        let Some(word) = name.word().filter(|word| !is_number(word)) else {
            let help = format!("begin it with a name; {help}");
            self.log.fault(name.place, format!("a {what} begins with its name"), help);
            return None;
        };
        if word.len() > limits::NAME_BYTES || word.chars().any(char::is_control) {
            let help = format!("use at most {} bytes and no control characters", limits::NAME_BYTES);
            self.log.fault(name.place, format!("the name {} cannot be used", quote_word(word)), help);
            return None;
        }
        Some((word.to_string(), rest))
    }

    /// `(role dimension position)`.
    fn read_role(&mut self, node: &Node<'_>) -> Option<(Role, Extent)> {
        let Some([word, dimension, position]) = node.list() else {
            let what = "a role comes with a dimension and a position, in one list of three";
            self.log.fault(node.place, what, ROLE);
            return None;
        };
        let role = match word.word() {
            Some("supporting") => Some(Role::Supporting),
            Some("manipulating") => Some(Role::Manipulating),
            Some("neither") => Some(Role::Neither),
            other => {
                let what = other.map_or("a list stands where a role is read".to_string(), |other| {
                    format!("{} is no role", quote_word(other))
                });
                self.log.fault(word.place, what, "write supporting, manipulating or neither");
                None
            }
        };
        let extent = self.read_extent(dimension, position);
        role.zip(extent)
    }

    /// The box of a dimension and a position, in metres.
    fn read_extent(&mut self, dimension: &Node<'_>, position: &Node<'_>) -> Option<Extent> {
        let size = self.read_numbers(dimension, "a dimension", |value| value > 0.0, "above zero");
        let at = self.read_numbers(position, "a position", |_| true, "finite");
        let (size, at) = (size?, at?);
        let mut extent = Extent { least: [0.0; 3], most: [0.0; 3] };
        let ends = extent.least.iter_mut().zip(&mut extent.most);
        for (axis, ((least, most), (size, at))) in ends.zip(size.into_iter().zip(at)).enumerate() {
            let before = match self.units.anchor {
                Anchor::FootCentre if axis < 2 => size / 2.0,
                Anchor::LeastCorner | Anchor::FootCentre => 0.0,
            };
            *least = (at - before) * self.units.metres;
            *most = (at - before + size) * self.units.metres;
        }
        let ends = || extent.least.iter().zip(&extent.most);
        if !ends().all(|(least, most)| least.abs() <= limits::METRES && most.abs() <= limits::METRES) {
            let what = format!("this box reaches beyond {} metres", limits::METRES);
            self.log.fault(dimension.place, what, "write smaller numbers, or name a smaller unit");
            return None;
        }
        if !ends().all(|(least, most)| least < most) {
            let what = "this box is so thin where it is that rounding leaves nothing of it";
            self.log.fault(dimension.place, what, "write a greater dimension");
            return None;
        }
        Some(extent)
    }

    /// Three numbers, each of which is allowed.
    fn read_numbers(
        &mut self,
        node: &Node<'_>,
        what: &str,
        allowed: fn(f64) -> bool,
        how: &str,
    ) -> Option<[f64; 3]> {
        let Some([x, y, z]) = node.list() else {
            let help = "write three numbers in one list, as (30 42 38)";
            self.log.fault(node.place, format!("{what} is a list of three numbers"), help);
            return None;
        };
        let [x, y, z] = [x, y, z].map(|node| {
            let word = node.word().unwrap_or("(");
            let value = Some(word).filter(|word| is_number(word)).and_then(|word| word.parse::<f64>().ok());
            let value = value.filter(|value| value.is_finite() && allowed(*value));
            if value.is_none() {
                let what = format!("{} is no number of {what}", quote_word(word));
                self.log.fault(node.place, what, format!("write a number that is {how}, as 30 or 1.5"));
            }
            value
        });
        Some([x?, y?, z?])
    }

    /// A part lies in its body.
    fn check_inside(&mut self, place: Place, part: &TemplatePart, whole: &Extent) {
        // Decimal numbers round when they are read and when they are added: a few units in the last place of
        // the greatest coordinate.
        let corners = [&whole.least, &whole.most, &part.extent.least, &part.extent.most];
        let greatest = corners.into_iter().flatten().fold(0.0, |most: f64, value| most.max(value.abs()));
        let slack = 8.0 * f64::EPSILON * greatest;
        let least = part.extent.least.iter().zip(&whole.least).all(|(part, whole)| *part >= whole - slack);
        let most = part.extent.most.iter().zip(&whole.most).all(|(part, whole)| *part <= whole + slack);
        if !(least && most) {
            let what = format!("the part {} reaches out of its body", quote_word(&part.name));
            let help =
                "make the body's dimension hold all parts; a part's position is not counted from its body";
            self.log.fault(place, what, help);
        }
    }

    /// A name is given once.
    fn check_name_new<'a>(&mut self, names: &mut BTreeMap<&'a str, Place>, name: &Node<'a>, what: &str) {
        let Some(word) = name.word() else { return };
        match names.get(word) {
            Some(Place::At { line, column }) => {
                let what = format!("the {what} {} was named before", quote_word(word));
                let help =
                    format!("give one of the two another name; the first is at line {line}, column {column}");
                self.log.fault(name.place, what, help);
            }
            Some(Place::Whole | Place::Field(_) | Place::Row { .. }) | None => {
                names.insert(word, name.place);
            }
        }
    }
}

#[cfg(test)]
mod tests;
