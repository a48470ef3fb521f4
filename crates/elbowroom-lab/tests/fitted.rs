//! Every kind of primitive fitted around shapes of every kind, and every bound between two such fits, against
//! the true distance of the shapes: none is above it. Scales from a millimetre to a kilometre, features
//! facing each other at given gaps.
//!
//! `ELBOWROOM_RACE` sets how many pairs (five hundred by default), `ELBOWROOM_RACE_FROM` the first seed.
use elbowroom_testkit as support;

use elbowroom::bounds::fit::BallSet;
use elbowroom_lab::primitives::{Fitted, Kind, primitive_gap};
use support::fitted::{Placed, no_bound_is_above_the_distance};
use support::number_from_environment;

/// The gap of every two kinds of primitives, fitted around both shapes and moved to where they are.
fn gaps(placed: &mut Placed) {
    let fits = [&placed.pair.a, &placed.pair.b];
    let fits = fits.map(|shape| Fitted::fit_around(&BallSet::of_shape(shape), placed.effort).unwrap());
    for k in Kind::ALL {
        for l in Kind::ALL {
            let [p, q] =
                [(0, k), (1, l)].map(|(i, kind)| fits[i].primitive(kind).transformed_by(&placed.at[i], 0.0));
            placed.add_bound(format!("{k:?} {l:?}"), primitive_gap(&p, &q));
        }
    }
}

#[test]
fn no_bound_between_fits_is_above_the_distance_of_what_they_contain() {
    let (from, n) =
        (number_from_environment("ELBOWROOM_RACE_FROM", 0), number_from_environment("ELBOWROOM_RACE", 500));
    no_bound_is_above_the_distance(from, n, 16, gaps);
}
