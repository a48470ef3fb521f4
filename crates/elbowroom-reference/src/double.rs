//! Double-double numbers: an unevaluated sum of two f64, about 31 digits (Dekker 1971, Knuth's two-sum). No
//! fused operations.

use crate::math::Vec3;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// `hi + lo` with `|lo|` at most half an ulp of `hi`.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Double {
    /// The leading part: the number rounded to f64.
    pub hi: f64,
    /// What `hi` leaves out.
    pub lo: f64,
}

fn quick_sum(a: f64, b: f64) -> Double {
    let s = a + b;
    Double { hi: s, lo: b - (s - a) }
}

fn two_sum(a: f64, b: f64) -> Double {
    let s = a + b;
    let t = s - a;
    Double { hi: s, lo: (a - (s - t)) + (b - t) }
}

fn split(a: f64) -> (f64, f64) {
    let c = 134_217_729.0 * a; // 2^27 + 1
    let hi = c - (c - a);
    (hi, a - hi)
}

fn two_product(a: f64, b: f64) -> Double {
    let p = a * b;
    let ((ah, al), (bh, bl)) = (split(a), split(b));
    Double { hi: p, lo: ((ah * bh - p) + ah * bl + al * bh) + al * bl }
}

impl Double {
    /// Zero.
    pub const ZERO: Double = Double { hi: 0.0, lo: 0.0 };
    /// One.
    pub const ONE: Double = Double { hi: 1.0, lo: 0.0 };

    /// Square root; zero for what is not positive.
    pub fn sqrt(self) -> Double {
        if self.hi <= 0.0 {
            return Double::ZERO;
        }
        // One Newton step from the f64 root doubles its digits.
        let r = Double::from(self.hi.sqrt());
        let rest = self - r * r;
        r + Double::from(rest.hi / (2.0 * r.hi))
    }
}

impl From<f64> for Double {
    fn from(hi: f64) -> Double {
        Double { hi, lo: 0.0 }
    }
}
impl Add for Double {
    type Output = Double;
    fn add(self, b: Double) -> Double {
        let (s, t) = (two_sum(self.hi, b.hi), two_sum(self.lo, b.lo));
        let s = quick_sum(s.hi, s.lo + t.hi);
        quick_sum(s.hi, s.lo + t.lo)
    }
}
impl Neg for Double {
    type Output = Double;
    fn neg(self) -> Double {
        Double { hi: -self.hi, lo: -self.lo }
    }
}
impl Sub for Double {
    type Output = Double;
    fn sub(self, b: Double) -> Double {
        self + -b
    }
}
impl Mul for Double {
    type Output = Double;
    fn mul(self, b: Double) -> Double {
        let p = two_product(self.hi, b.hi);
        quick_sum(p.hi, p.lo + (self.hi * b.lo + self.lo * b.hi))
    }
}
impl Div for Double {
    type Output = Double;
    fn div(self, b: Double) -> Double {
        let q0 = self.hi / b.hi;
        let r = self - b * Double::from(q0);
        let q1 = r.hi / b.hi;
        let r = r - b * Double::from(q1);
        quick_sum(q0, q1) + Double::from(r.hi / b.hi)
    }
}

/// A vector of [`Double`]s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vector(
    /// x, y, z.
    pub [Double; 3],
);

impl Vector {
    /// The origin.
    pub const ZERO: Vector = Vector([Double::ZERO; 3]);

    /// Scalar product.
    pub fn dot(self, b: Vector) -> Double {
        self.0[0] * b.0[0] + self.0[1] * b.0[1] + self.0[2] * b.0[2]
    }
    /// Multiple.
    pub fn scale_by(self, s: Double) -> Vector {
        Vector(self.0.map(|c| c * s))
    }
    /// Rounded to f64.
    pub fn to_vec3(self) -> Vec3 {
        Vec3 { x: self.0[0].hi, y: self.0[1].hi, z: self.0[2].hi }
    }
}

impl From<Vec3> for Vector {
    fn from(v: Vec3) -> Vector {
        Vector([v.x.into(), v.y.into(), v.z.into()])
    }
}
impl Add for Vector {
    type Output = Vector;
    fn add(self, b: Vector) -> Vector {
        Vector([self.0[0] + b.0[0], self.0[1] + b.0[1], self.0[2] + b.0[2]])
    }
}
impl Sub for Vector {
    type Output = Vector;
    fn sub(self, b: Vector) -> Vector {
        Vector([self.0[0] - b.0[0], self.0[1] - b.0[1], self.0[2] - b.0[2]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thirty_digits() {
        let third = Double::ONE / Double::from(3.0);
        let one = third * Double::from(3.0) - Double::ONE;
        assert!(one.hi.abs() < 1e-31, "{one:?}");
        let two = Double::from(2.0).sqrt();
        assert!((two * two - Double::from(2.0)).hi.abs() < 1e-30);
        let tiny = (Double::from(1.0) + Double::from(1e-25)) - Double::ONE;
        assert!((tiny.hi - 1e-25).abs() < 1e-31);
    }
}
