//! The C header of a baked world.

use crate::baked::Baked;
use std::fmt::Write;

/// `elbowroom_world.h`.
pub(crate) fn world_header(baked: &Baked) -> String {
    let world = baked.world();
    let mut text = format!(
        "/* One baked world: what C may ask. Written by `elbowroom bake`: do not edit it.\n * Lengths in \
         metres, angles in radians. No function allocates, waits or keeps anything: each may be\n * called \
         from any thread. A call needs at least {} bytes of stack,\n * for frames and centres, and some \
         hundred more. */\n#ifndef ELBOWROOM_WORLD_H\n#define ELBOWROOM_WORLD_H\n\n#include <stdint.h>\n\n\
         #ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n\
         /* Of the world that was baked, as `elbowroom bake` prints it. */\n\
         #define ELBOWROOM_FINGERPRINT UINT64_C(0x{:016x})\n\
         /* Nearer than this is not clear (metres). */\n#define ELBOWROOM_MARGIN {}\n\
         /* Joint values, checked pairs. */\n#define ELBOWROOM_VALUES {}\n#define ELBOWROOM_PAIRS {}\n\
         /* Most directions that one test tries. */\n#define ELBOWROOM_WORST_ITERATIONS {}\n\n",
        48 * world.joints.len() + 12 * world.shapes.len(),
        world.fingerprint,
        c_number(world.margin),
        world.limits.len(),
        world.pairs.len(),
        world.worst_iterations()
    );
    text.push_str("/* The joint values, in order, and what is accepted:\n");
    for (i, (name, [lower, upper])) in baked.value_names.iter().zip(world.limits).enumerate() {
        let _ = writeln!(text, " * {i}: {}, {lower:?} to {upper:?}", plain_name(name));
    }
    text.push_str(" */\n\n/* The pairs:\n");
    for (i, [a, b]) in baked.pair_names.iter().enumerate() {
        let _ = writeln!(text, " * {i}: {} - {}", plain_name(a), plain_name(b));
    }
    text.push_str(
        " */\n\n\
         /* Proved: no checked pair is within the margin. */\n#define ELBOWROOM_CLEAR 1\n\
         /* Not proved. */\n#define ELBOWROOM_NOT_CLEAR 0\n\
         /* A null pointer, a value outside its limits, or one that is not a number: nothing is proved. */\n\
         #define ELBOWROOM_FAULT (-1)\n\n\
         /* Whether these ELBOWROOM_VALUES values are proved clear. Where they are not, `pair` (or null) \
         gets the\n * first pair of which it is not proved. */\n\
         int32_t elbowroom_test(const float *values, uint16_t *pair);\n\n\
         /* A bound below the clearance of all checked pairs (metres), and the pair that has it; either \
         place may\n * be null. ELBOWROOM_CLEAR, whatever the bound, or ELBOWROOM_FAULT with minus infinity. \
         */\nint32_t elbowroom_lower_bound(const float *values, float *metres, uint16_t *pair);\n\n\
         /* ELBOWROOM_FINGERPRINT of the library that is linked. */\nuint64_t \
         elbowroom_fingerprint(void);\n\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n",
    );
    text
}

/// A number as a constant of C.
fn c_number(x: f32) -> String {
    format!("{x:?}F")
}

/// A name without what would end a comment of C.
fn plain_name(name: &str) -> String {
    name.chars().map(|c| if c.is_control() || c == '*' || c == '\\' || c == '?' { '_' } else { c }).collect()
}
