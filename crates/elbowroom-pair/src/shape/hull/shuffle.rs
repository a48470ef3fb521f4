//! A shuffle that is the same every time.

use elbowroom_describe::math::Random;

/// Fisher-Yates shuffle with a fixed seed: enough, because inputs cannot adapt to it.
pub(super) fn shuffle_items(items: &mut [u32]) {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for i in (1..items.len()).rev() {
        items.swap(i, (random.bits() % (i as u64 + 1)) as usize);
    }
}
