//! Changes that options make before the first sample: `--place`, `--attach`, `--open`, `--hide`.

use crate::out::say_line;
use anyhow::{Result, bail};
use clap::Args;
use elbowroom::math::{Mat3, Transform};
use elbowroom_files::fault::counted_things;
use elbowroom_files::motion::event::Change;

/// The options.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Changes before the first sample")]
pub struct ChangeOptions {
    /// Put a movable obstacle somewhere before the first sample: metres, and a quaternion (repeatable). What
    /// options change is changed in the order --place, --attach, --open, --hide
    #[arg(long, value_name = "NAME=x,y,z,qw,qx,qy,qz")]
    pub place: Vec<String>,
    /// Let a link carry a movable obstacle from the first sample on, from where both are then (repeatable).
    /// The two may touch, and what `touch` of the obstacle names in the world file
    #[arg(long, value_name = "NAME=ROBOT/LINK")]
    pub attach: Vec<String>,
    /// Move a door to a value of its joint: radians or metres (repeatable)
    #[arg(long, value_name = "NAME=VALUE")]
    pub open: Vec<String>,
    /// Take a movable obstacle out of the cell (repeatable)
    #[arg(long, value_name = "NAME")]
    pub hide: Vec<String>,
}

/// A change that an option asks for.
pub struct Given {
    /// The change.
    pub change: Change,
    /// The option, for messages.
    pub place: String,
}

impl ChangeOptions {
    /// The changes in their order. Tells what is wrong with them.
    ///
    /// # Errors
    /// One of them cannot be read.
    pub fn read(&self) -> Result<Vec<Given>> {
        let place = self.place.iter().map(|text| ("--place", text, read_place(text)));
        let attach = self.attach.iter().map(|text| ("--attach", text, read_attach(text)));
        let open = self.open.iter().map(|text| ("--open", text, read_open(text)));
        let hide = self.hide.iter().map(|name| ("--hide", name, Ok(Change::Hide { name: name.clone() })));
        let (mut given, mut faults) = (Vec::new(), 0);
        for (option, text, change) in place.chain(attach).chain(open).chain(hide) {
            let place = format!("{option} {text}");
            match change {
                Ok(change) => given.push(Given { change, place }),
                Err(what) => {
                    say_line(&format!("{place}: {what}"));
                    faults += 1;
                }
            }
        }
        match faults {
            0 => Ok(given),
            1 => bail!("1 option is refused"),
            _ => bail!("{faults} options are refused"),
        }
    }
}

/// Reads a body and where it is put.
fn read_place(text: &str) -> Result<Change, String> {
    named_pose(text).map(|(name, pose)| Change::Place { name, pose })
}

/// Reads a name and a pose.
pub(crate) fn named_pose(text: &str) -> Result<(String, Transform), String> {
    let form = "write NAME=x,y,z,qw,qx,qy,qz";
    let Some((name, numbers)) = text.rsplit_once('=') else { return Err(format!("has no =; {form}")) };
    let fields: Vec<&str> = numbers.split(',').map(str::trim).collect();
    let bad = fields.iter().find(|field| !field.parse().is_ok_and(f64::is_finite));
    if let Some(bad) = bad {
        return Err(format!("`{bad}` is not a finite number; {form}"));
    }
    let values: Vec<f64> = fields.iter().filter_map(|field| field.parse().ok()).collect();
    let [x, y, z, quat @ ..] = &values[..] else {
        return Err(format!("gives {}, not 7; {form}", counted_things(values.len(), "number")));
    };
    let Ok(quat) = <[f64; 4]>::try_from(quat) else {
        return Err(format!("gives {}, not 7; {form}", counted_things(values.len(), "number")));
    };
    let Some(rotation) = Mat3::from_quat_wxyz(quat) else {
        return Err("the quaternion is zero; no rotation is 1,0,0,0".into());
    };
    Ok((name.into(), Transform::new(rotation, [*x, *y, *z].into())))
}

/// Reads a body and its carrier.
fn read_attach(text: &str) -> Result<Change, String> {
    let parts = text.split_once('=').filter(|(name, carrier)| !name.is_empty() && !carrier.is_empty());
    let Some((name, carrier)) = parts else { return Err("write NAME=ROBOT/LINK".into()) };
    Ok(Change::Attach { name: name.into(), attached_to: carrier.into(), touch: Vec::new() })
}

/// A door and its joint's value.
fn read_open(text: &str) -> Result<Change, String> {
    let form = "write NAME=VALUE";
    let Some((name, number)) = text.rsplit_once('=') else { return Err(format!("has no =; {form}")) };
    match number.trim().parse().ok().filter(|value: &f64| value.is_finite()) {
        Some(value) => Ok(Change::Open { name: name.into(), value }),
        None => Err(format!("`{number}` is not a finite number; {form}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poses_have_seven_numbers() {
        let pose = |text: &str| match read_place(text) {
            Ok(Change::Place { name, pose }) => (name, pose.translation.to_array(), pose.rotation.cols[0].x),
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(pose("a=1,-2, 3e0,1,0,0,0"), ("a".into(), [1.0, -2.0, 3.0], 1.0));
        assert_eq!(pose("a=b=0,0,0,0,0,0,2"), ("a=b".into(), [0.0; 3], -1.0));
        for (text, words) in [
            ("a", "has no ="),
            ("a=1,2,3", "gives 3 numbers, not 7"),
            ("a=1", "gives 1 number, not 7"),
            ("a=1,2,3,1,0,0,0,0", "gives 8 numbers, not 7"),
            ("a=1,2,NaN,1,0,0,0", "`NaN` is not a finite number"),
            ("a=1,2,,1,0,0,0", "`` is not a finite number"),
            ("a=1,2,3,0,0,0,0", "the quaternion is zero"),
        ] {
            assert!(read_place(text).is_err_and(|what| what.contains(words)), "{text}");
        }
        for text in ["a", "=b/c", "a="] {
            assert!(read_attach(text).is_err(), "{text}");
        }
        for text in ["a", "a=", "a=x", "a=inf", "a=1=b"] {
            assert!(read_open(text).is_err(), "{text}");
        }
        assert_eq!(read_open("a=b= -1.5"), Ok(Change::Open { name: "a=b".into(), value: -1.5 }));
    }
}
