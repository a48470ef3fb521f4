//! Numbers in binary files.

/// The type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

/// Which byte of a number comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    LittleEndian,
    BigEndian,
}

impl Scalar {
    /// Bytes that a number takes.
    pub fn byte_size(self) -> usize {
        match self {
            Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 8,
        }
    }

    /// True of whole numbers.
    pub fn is_integer(self) -> bool {
        !matches!(self, Scalar::F32 | Scalar::F64)
    }

    /// The number at the beginning of these bytes; integers beyond 2^53 are rounded.
    pub fn read(self, bytes: &[u8], order: Order) -> Option<f64> {
        let bytes = bytes.get(..self.byte_size())?;
        let join = |bits: u64, byte: &u8| bits << 8 | u64::from(*byte);
        let bits = match order {
            Order::LittleEndian => bytes.iter().rev().fold(0, join),
            Order::BigEndian => bytes.iter().fold(0, join),
        };
        // The casts keep the low bytes, which are the number.
        Some(match self {
            Scalar::I8 => f64::from(bits as u8 as i8),
            Scalar::U8 => f64::from(bits as u8),
            Scalar::I16 => f64::from(bits as u16 as i16),
            Scalar::U16 => f64::from(bits as u16),
            Scalar::I32 => f64::from(bits as u32 as i32),
            Scalar::U32 => f64::from(bits as u32),
            Scalar::I64 => bits as i64 as f64,
            Scalar::U64 => bits as f64,
            Scalar::F32 => f64::from(f32::from_bits(bits as u32)),
            Scalar::F64 => f64::from_bits(bits),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Order, Scalar};

    #[test]
    fn every_type_in_both_orders() {
        let all: [(Scalar, f64, Vec<u8>); 10] = [
            (Scalar::I8, -3.0, (-3_i8).to_le_bytes().to_vec()),
            (Scalar::U8, 253.0, 253_u8.to_le_bytes().to_vec()),
            (Scalar::I16, -300.0, (-300_i16).to_le_bytes().to_vec()),
            (Scalar::U16, 65000.0, 65000_u16.to_le_bytes().to_vec()),
            (Scalar::I32, -70000.0, (-70000_i32).to_le_bytes().to_vec()),
            (Scalar::U32, 4e9, 4_000_000_000_u32.to_le_bytes().to_vec()),
            (Scalar::I64, -5e12, (-5_000_000_000_000_i64).to_le_bytes().to_vec()),
            (Scalar::U64, (1_u64 << 63) as f64, (1_u64 << 63).to_le_bytes().to_vec()),
            (Scalar::F32, 0.1_f32.into(), 0.1_f32.to_le_bytes().to_vec()),
            (Scalar::F64, 0.1, 0.1_f64.to_le_bytes().to_vec()),
        ];
        for (scalar, value, bytes) in all {
            let turned: Vec<u8> = bytes.iter().rev().copied().collect();
            assert_eq!(scalar.read(&bytes, Order::LittleEndian), Some(value), "{scalar:?}");
            assert_eq!(scalar.read(&turned, Order::BigEndian), Some(value), "{scalar:?}");
            assert_eq!(scalar.read(&bytes[1..], Order::LittleEndian), None, "{scalar:?}");
        }
    }
}
