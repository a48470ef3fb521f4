//! Contacts as a machine with offsets and encoders would report them.

use elbowroom::math::Random;
use elbowroom::{Geometry, PairId, World};
use elbowroom_calibrate::{Calibration, Closer, Contact, ENCODER_STEP};

/// A machine whose readings are off.
pub struct Machine<'w> {
    pub world: &'w World,
    /// By joint value: what would have to be added to a reading (radians, metres).
    pub offsets: Vec<f64>,
    /// What its encoders resolve.
    pub steps: Vec<f64>,
    pub random: Random,
}

impl<'w> Machine<'w> {
    /// With offsets of 0 to 3 degrees of either sign on every value, and encoders of 360/1024 degrees.
    pub fn with_offsets(world: &'w World, seed: u64) -> Machine<'w> {
        let mut random = Random(seed);
        let n = world.dof_names().len();
        let offsets = (0..n).map(|_| random.range(-3.0, 3.0).to_radians()).collect();
        Machine { world, offsets, steps: vec![ENCODER_STEP; n], random }
    }

    /// What the encoders read at joint values.
    pub fn readings(&self, values: &[f64]) -> Vec<f64> {
        let read = |((q, offset), step): ((&f64, &f64), &f64)| ((q - offset) / step).round() * step;
        values.iter().zip(&self.offsets).zip(&self.steps).map(read).collect()
    }

    /// Contacts of wanted pairs at random poses.
    pub fn draw_contacts(&mut self, count: usize, wanted: impl Fn(PairId) -> bool) -> Vec<Contact> {
        let mut closer = Closer::new(self.world, Geometry::Mesh);
        let mut contacts: Vec<Contact> = Vec::new();
        for _ in 0..count * 1000 {
            if contacts.len() == count {
                return contacts;
            }
            let Some(pose) = closer.draw_touching(&mut self.random, &wanted) else { continue };
            let (name, readings) = (format!("contact {}", contacts.len() + 1), self.readings(&pose.values));
            contacts.push(Contact { name, pair: pose.pair, readings, within: 1e-4 });
        }
        panic!("only {} contacts were found", contacts.len());
    }

    /// Measures a contact that was proposed: from a little apart, until the bodies touch. `None` if they do
    /// not touch there after all.
    pub fn measure_contact(&mut self, pair: PairId, readings: &[f64]) -> Option<Contact> {
        let mut closer = Closer::new(self.world, Geometry::Mesh);
        let ranges = self.world.value_ranges();
        for k in 1..=60 {
            // Farther away where it overlaps: somebody would back off.
            let far = 0.004 * f64::from(k);
            let mut near: Vec<f64> =
                readings.iter().zip(&self.offsets).map(|(q, offset)| q + offset).collect();
            for (q, range) in near.iter_mut().zip(&ranges) {
                *q = (*q + self.random.range(-far, far)).clamp(range.lower, range.upper);
            }
            if let Some(pose) = closer.close_pair(pair, &near) {
                let readings = self.readings(&pose.values);
                return Some(Contact { name: "proposed".into(), pair, readings, within: 1e-4 });
            }
        }
        None
    }

    /// The largest error of an offset in units of `unit`, and of any in its own deviations.
    pub fn errors(&self, found: &Calibration, unit: f64) -> [f64; 2] {
        let mut worst = [0.0_f64; 2];
        for joint in &found.joints {
            let error = (joint.offset - self.offsets[joint.value]).abs();
            worst = [worst[0].max(error / unit), worst[1].max(error / joint.deviation)];
        }
        worst
    }
}
