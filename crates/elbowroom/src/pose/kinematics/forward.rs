//! Forward kinematics in lanes: from joint values to the frames of all moving bodies and the capsules around
//! them.
//!
//! A column of a rotation is one register, so a product of transforms is nine broadcasts and nine products.
//! Turns about coordinate axes combine two columns. Operations and their order are those of
//! [`KinematicStep::child_frame_by_sines`], so the bits are the same.

use super::sines::all_sines;
use crate::bounds::lanes::CapsuleRecord;
use crate::model::body_bounds::BodyCapsule;
use crate::model::step::{KinematicStep, Motion, Parent};
use crate::numeric::padded::PaddedTransform;
use elbowroom_describe::math::{Mat3, Vec3};
use elbowroom_pair::numeric::simd::{Kernel, Lanes, dispatch_kernel};

/// What forward kinematics reads and writes.
pub(crate) struct ForwardKinematics<'a> {
    pub steps: &'a [KinematicStep],
    /// By step, what it hangs on: an earlier step, or one of `roots`, which never move.
    pub parents: &'a [Parent],
    pub roots: &'a [PaddedTransform],
    pub values: &'a [f64],
    /// Scratch: as many as there are steps.
    pub sines: &'a mut [[f64; 2]],
    pub angles: &'a mut [f64],
    /// By step.
    pub frames: &'a mut [PaddedTransform],
    pub capsules: &'a [BodyCapsule],
    /// Radii of the capsules in the cell frame, and the capsules there.
    pub radii: &'a [f64],
    pub records: &'a mut [CapsuleRecord],
}

struct Columns<F> {
    x: F,
    y: F,
    z: F,
    translation: F,
}

impl<F: Copy> Columns<F> {
    #[inline(always)]
    fn load_columns<L: Lanes<F = F>>(l: L, p: &PaddedTransform) -> Columns<F> {
        Columns { x: l.load(&p.x), y: l.load(&p.y), z: l.load(&p.z), translation: l.load(&p.translation) }
    }
    #[inline(always)]
    fn store_columns<L: Lanes<F = F>>(&self, l: L, p: &mut PaddedTransform) {
        (p.x, p.y, p.z) = (l.to_array(self.x), l.to_array(self.y), l.to_array(self.z));
        p.translation = l.to_array(self.translation);
    }
    #[inline(always)]
    fn rotate_vector<L: Lanes<F = F>>(&self, l: L, v: Vec3) -> F {
        let xy = l.add(l.mul(self.x, l.splat(v.x)), l.mul(self.y, l.splat(v.y)));
        l.add(xy, l.mul(self.z, l.splat(v.z)))
    }
    #[inline(always)]
    fn turn_all<L: Lanes<F = F>>(&mut self, l: L, r: &Mat3) {
        let [x, y, z] = r.cols;
        (self.x, self.y, self.z) =
            (self.rotate_vector(l, x), self.rotate_vector(l, y), self.rotate_vector(l, z));
    }
}

impl Kernel for ForwardKinematics<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let ForwardKinematics {
            steps,
            parents,
            roots,
            values,
            sines,
            angles,
            frames,
            capsules,
            radii,
            records,
        } = self;
        let mut count = 0;
        for step in steps {
            if let Some(angle) = step.turn_angle(values) {
                angles[count] = angle;
                count += 1;
            }
        }
        all_sines(l, &angles[..count], sines);
        let mut next = 0;
        for (i, step) in steps.iter().enumerate() {
            let parent = match parents[i] {
                Parent::Step(step) => &frames[step.index()],
                Parent::Root(root) => &roots[root as usize],
            };
            let mut at = Columns::load_columns(l, parent);
            let joint = &step.joint_in_parent;
            at.translation = l.add(at.rotate_vector(l, joint.translation), at.translation);
            if step.turned {
                at.turn_all(l, &joint.rotation);
            }
            let plain = match step.motion {
                Motion::Fixed | Motion::Slide(_) => true,
                Motion::TurnX | Motion::TurnY | Motion::TurnZ | Motion::Turn(_) => {
                    next += 1;
                    true
                }
                Motion::Planar { .. } | Motion::Floating => false,
            };
            let [s, c] = if next > 0 { sines[next - 1] } else { [0.0, 1.0] };
            let (sine, cosine) = (l.splat(s), l.splat(c));
            match step.motion {
                Motion::TurnX => {
                    let (y, z) = (at.y, at.z);
                    at.y = l.add(l.mul(y, cosine), l.mul(z, sine));
                    at.z = l.sub(l.mul(z, cosine), l.mul(y, sine));
                }
                Motion::TurnY => {
                    let (x, z) = (at.x, at.z);
                    at.x = l.sub(l.mul(x, cosine), l.mul(z, sine));
                    at.z = l.add(l.mul(z, cosine), l.mul(x, sine));
                }
                Motion::TurnZ => {
                    let (x, y) = (at.x, at.y);
                    at.x = l.add(l.mul(x, cosine), l.mul(y, sine));
                    at.y = l.sub(l.mul(y, cosine), l.mul(x, sine));
                }
                Motion::Turn(axis) => at.turn_all(l, &Mat3::from_axis_sines(axis, (s, c))),
                Motion::Slide(axis) => {
                    let amount = step.scale * values[step.value] + step.offset;
                    at.translation = l.add(at.translation, at.rotate_vector(l, axis * amount));
                }
                Motion::Fixed | Motion::Planar { .. } | Motion::Floating => {}
            }
            if plain {
                at.store_columns(l, &mut frames[i]);
            } else {
                frames[i] = PaddedTransform::new(&step.child_frame_by_sines(
                    &parent.as_transform(),
                    values,
                    (0.0, 1.0),
                ));
            }
        }
        let last = l.gt(l.load(&[0.0, 0.0, 0.0, 1.0]), l.splat(0.0));
        for ((capsule, radius), out) in capsules.iter().zip(radii).zip(records) {
            // Capsules of bodies that never move stay where they are.
            let Some(step) = capsule.step else { continue };
            let at = Columns::load_columns(l, &frames[step.index()]);
            let ([x, y, z, _], [u, v, w, inverse]) = (capsule.record.center, capsule.record.half);
            let center = l.add(at.rotate_vector(l, Vec3 { x, y, z }), at.translation);
            let half = at.rotate_vector(l, Vec3 { x: u, y: v, z: w });
            out.center = l.to_array(l.select(last, l.splat(*radius), center));
            // From the length before moving: it only chooses points on the axis, it bounds nothing.
            out.half = l.to_array(l.select(last, l.splat(inverse), half));
        }
    }
}

/// Computes frames and capsules.
#[inline]
pub(crate) fn compute_frames(p: ForwardKinematics) {
    dispatch_kernel(p);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::Capsule;
    use crate::bounds::fit::BallSet;
    use crate::model::id::{BodyId, StepId};
    use crate::rng::Rng;
    use alloc::vec;
    use alloc::vec::Vec;
    use elbowroom_describe::math::Transform;

    #[test]
    fn lanes_compute_the_frames_of_steps() {
        let rng = &mut Rng::new(3);
        let bits = |t: &Transform| {
            let [x, y, z] = t.rotation.cols;
            [x, y, z, t.translation].map(|v| v.to_array().map(|c| (c + 0.0).to_bits()))
        };
        for _ in 0..300 {
            // Every kind of motion, on roots and on each other; parents come first.
            let count = 12;
            let roots = [0, 1].map(|_| rng.pose(3.0));
            let (mut steps, mut parents, mut values): (Vec<KinematicStep>, Vec<Parent>, Vec<f64>) =
                Default::default();
            for i in 0..count {
                let turned = rng.chance(0.6);
                let axis = rng.direction();
                let motion = [
                    Motion::Fixed,
                    Motion::TurnX,
                    Motion::TurnY,
                    Motion::TurnZ,
                    Motion::Turn(axis),
                    Motion::Slide(axis),
                    Motion::Planar { u: Vec3::X, v: Vec3::Y, axis: Vec3::Z },
                    Motion::Floating,
                ][(rng.unit() * 8.0) as usize];
                let parent = if rng.chance(0.8) && i > 0 {
                    Parent::Step(StepId((rng.unit() * f64::from(i)) as u32))
                } else {
                    Parent::Root(u32::from(rng.chance(0.5)))
                };
                let joint_in_parent =
                    if turned { rng.pose(1.0) } else { Transform::from_translation(rng.point(1.0)) };
                steps.push(KinematicStep {
                    parent: BodyId(0),
                    child: BodyId(i),
                    joint_in_parent,
                    turned,
                    motion,
                    value: values.len(),
                    scale: if rng.chance(0.5) { 1.0 } else { rng.range(-2.0, 2.0) },
                    offset: if rng.chance(0.5) { 0.0 } else { rng.range(-1.0, 1.0) },
                    rounding: 0.0,
                    rounding_offset: 0.0,
                    defect: 0.0,
                });
                parents.push(parent);
                let reach = if rng.chance(0.1) { 1e7 } else { 4.0 };
                values.extend((0..7).map(|_| rng.range(-reach, reach)));
            }
            let capsule = Capsule { a: rng.point(1.0), b: rng.point(1.0), radius: 0.2 };
            let record = CapsuleRecord::new(&capsule);
            let body_box = crate::bounds::BodyBox::new(crate::bounds::fit::fit_aligned_box(&BallSet::new()));
            let carried = BodyCapsule {
                body: BodyId(count - 1),
                step: Some(StepId(count - 1)),
                capsule,
                arm: capsule.reach_from_origin(),
                record,
                body_box,
            };
            let n = count as usize;
            let padded = roots.each_ref().map(PaddedTransform::new);
            let mut frames = vec![PaddedTransform::new(&Transform::IDENTITY); n];
            let (mut sines, mut angles) = (vec![[0.0; 2]; n], vec![0.0; n]);
            let mut records = vec![record; 1];
            compute_frames(ForwardKinematics {
                steps: &steps,
                parents: &parents,
                roots: &padded,
                values: &values,
                sines: &mut sines,
                angles: &mut angles,
                frames: &mut frames,
                capsules: &[carried],
                radii: &[0.25],
                records: &mut records,
            });
            let (mut one, mut next) = (Vec::new(), 0);
            for (step, parent) in steps.iter().zip(&parents) {
                let above: Transform = match parent {
                    Parent::Step(step) => one[step.index()],
                    Parent::Root(root) => roots[*root as usize],
                };
                // The lanes' sines differ from libm's in the last digits. Both sides take those of the lanes,
                // so that only the frames are compared.
                let turn = step.turn_angle(&values).map_or((0.0, 1.0), |_| {
                    next += 1;
                    sines[next - 1].into()
                });
                one.push(step.child_frame_by_sines(&above, &values, turn));
            }
            for (a, b) in frames.iter().zip(&one) {
                assert_eq!(bits(&a.as_transform()), bits(b));
            }
            assert_eq!(records[0], record.transform_by(&one[n - 1], 0.25));
        }
    }
}
