//! Names of bodies in tables: short where one robot is alone, with places to break.

use super::html::escaped;
use elbowroom::World;

/// How the bodies of a world are named.
pub struct Names {
    /// What the names of the only robot's links begin with.
    prefix: Option<String>,
}

impl Names {
    /// Those of a world.
    pub fn from_world(world: &World) -> Names {
        let prefix = match world.robots() {
            [robot] => Some(format!("{}/", robot.name)),
            _ => None,
        };
        Names { prefix }
    }

    /// A name as HTML: without the only robot's, which is said once, and breaking between its parts.
    pub fn cell(&self, name: &str) -> String {
        let short = self.prefix.as_deref().and_then(|prefix| name.strip_prefix(prefix));
        // A name that would look like a body of the cell keeps its robot.
        let short = short.filter(|short| !short.starts_with(CELL)).unwrap_or(name);
        breaking(short)
    }

    /// Says it.
    pub fn words(&self) -> String {
        let robot = self.prefix.as_deref().map(|prefix| escaped(prefix.trim_end_matches('/')));
        robot.map_or(String::new(), |robot| {
            format!(
                "<p class=\"soft\">Bodies whose names do not begin with {CELL} are links of \
                 <b>{robot}</b>.</p>"
            )
        })
    }
}

/// What the names of bodies of the cell begin with.
const CELL: &str = "world/";

/// A name as HTML that may break behind `/`, `_`, `-` and `.`, and in what is long without them.
fn breaking(name: &str) -> String {
    let parts = name.split_inclusive(['/', '_', '-', '.']).flat_map(|part| {
        let letters: Vec<char> = part.chars().collect();
        letters.chunks(PART).map(|some| escaped(&some.iter().collect::<String>())).collect::<Vec<_>>()
    });
    parts.collect::<Vec<_>>().join("<wbr>")
}

/// Most letters of a name that stay together: what a narrow column has room for.
const PART: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_only_robot_is_named_once() {
        let of = |prefix: Option<&str>| Names { prefix: prefix.map(String::from) };
        let alone = of(Some("talos/"));
        assert_eq!(alone.cell("talos/torso_fixed_link"), "torso_<wbr>fixed_<wbr>link");
        assert_eq!(alone.cell("world/a.b"), "world/<wbr>a.<wbr>b");
        assert_eq!(alone.cell("talos/world/<b>"), "talos/<wbr>world/<wbr>&lt;b&gt;");
        assert_eq!(of(None).cell("talos/arm"), "talos/<wbr>arm");
        assert_eq!(of(None).cell("UpperArmAssemblyOfTheGantry"), "UpperArmAssembly<wbr>OfTheGantry");
        assert!(alone.words().contains("<b>talos</b>") && of(None).words().is_empty());
    }
}
