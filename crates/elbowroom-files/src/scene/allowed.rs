//! Which pairs a planning scene says need no check.

use super::reader::SceneReader;
use crate::tree::node::Node;
use std::collections::{BTreeMap, BTreeSet};

/// MoveIt's allowed collision matrix: names are links of the robot or obstacles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AllowedCollisions {
    /// Names of rows and columns.
    pub names: Vec<String>,
    /// True where a pair needs no check; square, as many rows as names.
    pub values: Vec<Vec<bool>>,
    /// For names in pairs that the matrix does not hold.
    pub defaults: Vec<(String, bool)>,
}

impl AllowedCollisions {
    /// All names of which the matrix says something.
    pub(crate) fn all_names(&self) -> BTreeSet<&str> {
        self.names.iter().chain(self.defaults.iter().map(|(name, _)| name)).map(String::as_str).collect()
    }

    /// The pairs among `bodies` that need no check. A pair in the matrix counts as it stands there; for any
    /// other the defaults of its two names decide, and both must allow it where both have one.
    pub fn allowed_pairs<'b>(&self, bodies: &[&'b str]) -> Vec<(&'b str, &'b str)> {
        let row: BTreeMap<&str, usize> =
            self.names.iter().enumerate().map(|(i, n)| (n.as_str(), i)).collect();
        let default: BTreeMap<&str, bool> = self.defaults.iter().map(|(n, v)| (n.as_str(), *v)).collect();
        let mut out = Vec::new();
        for (i, a) in bodies.iter().enumerate() {
            for b in &bodies[i + 1..] {
                let entry = match (row.get(a), row.get(b)) {
                    (Some(&i), Some(&j)) => self.values.get(i).and_then(|r| r.get(j)).copied(),
                    _ => None,
                };
                let allowed = entry.unwrap_or_else(|| match (default.get(a), default.get(b)) {
                    (Some(x), Some(y)) => *x && *y,
                    (Some(x), None) | (None, Some(x)) => *x,
                    (None, None) => false,
                });
                if allowed {
                    out.push((*a, *b));
                }
            }
        }
        out
    }
}

impl SceneReader<'_, '_> {
    /// The names under a key of the matrix. Of two that are the same it would not be known which counts.
    fn read_names(&mut self, node: &Node, key: &str) -> Vec<String> {
        let label = "allowed_collision_matrix";
        let names = self.tree_reader().read_texts(node, label, key);
        self.refuse_twins(node.get(key).unwrap_or(node), label, key, &names);
        names
    }

    pub(super) fn read_matrix(&mut self, node: &Node) -> AllowedCollisions {
        let label = "allowed_collision_matrix";
        let names = self.read_names(node, "entry_names");
        let mut values: Vec<Vec<bool>> = Vec::new();
        for row in self.tree_reader().read_list(node, label, "entry_values") {
            let items = row.get("enabled").unwrap_or(row);
            let bools: Option<Vec<bool>> =
                items.as_list().map(|l| l.iter().map(Node::as_bool).collect()).unwrap_or(None);
            match bools.filter(|b| b.len() == names.len()) {
                Some(b) => values.push(b),
                None => {
                    let what = format!("a row is not {} times true or false", names.len());
                    self.tree_reader().add_fault(row, label, what, "give a square matrix");
                    return AllowedCollisions::default();
                }
            }
        }
        if values.len() != names.len() {
            let what = format!("has {} names but {} rows", names.len(), values.len());
            self.tree_reader().add_fault(node, label, what, "give a square matrix");
            return AllowedCollisions::default();
        }
        let default_names = self.read_names(node, "default_entry_names");
        let default_values = self.tree_reader().read_list(node, label, "default_entry_values");
        let bools: Option<Vec<bool>> = default_values.iter().map(Node::as_bool).collect();
        match bools.filter(|b| b.len() == default_names.len()) {
            Some(b) => {
                AllowedCollisions { names, values, defaults: default_names.into_iter().zip(b).collect() }
            }
            None => {
                self.tree_reader().add_fault(
                    node,
                    label,
                    "its default entries do not fit their names",
                    "give one value a name",
                );
                AllowedCollisions::default()
            }
        }
    }
}
