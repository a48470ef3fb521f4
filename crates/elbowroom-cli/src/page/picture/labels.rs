//! Labels of a view: each has the first of its places where it covers no other label.

use super::camera::Camera;
use std::fmt::Write;

/// A letter of the nearest points, and all other words: class, width of a letter and height (units).
const LETTER: (&str, f64, f64) = ("letter", 21.0, 28.0);
const SAY: (&str, f64, f64) = ("say", 13.0, 22.0);

/// The labels so far: left, top, right and bottom of each (units).
pub struct ViewLabels {
    size: [f64; 2],
    taken: Vec<[f64; 4]>,
}

impl ViewLabels {
    /// None yet.
    pub fn new(camera: &Camera) -> ViewLabels {
        ViewLabels { size: [camera.size.width as f64, camera.size.height as f64], taken: Vec::new() }
    }

    /// Adds the letter of a nearest point.
    pub fn put_letter(&mut self, svg: &mut String, text: &str, places: &[[f64; 2]]) {
        self.place_label(svg, LETTER, text, places);
    }

    /// Adds other words.
    pub fn put_words(&mut self, svg: &mut String, text: &str, places: &[[f64; 2]]) {
        self.place_label(svg, SAY, text, places);
    }

    /// Adds a label at the first of its places that is in the picture and free; a place is the middle of its
    /// base line. If none is free, it takes the one where it covers least.
    fn place_label(
        &mut self,
        svg: &mut String,
        (class, wide, high): (&str, f64, f64),
        text: &str,
        places: &[[f64; 2]],
    ) {
        let half = 0.5 * wide * text.chars().count() as f64;
        let area = |[x, y]: [f64; 2]| [x - half, y - 0.8 * high, x + half, y + 0.2 * high];
        let [width, height] = self.size;
        let covered = |place: [f64; 2]| {
            let own = area(place);
            let lost = 4.0 * half * high - 2.0 * shared_area(own, [0.0, 0.0, width, height]);
            self.taken.iter().map(|other| shared_area(own, *other)).sum::<f64>() + lost
        };
        let best = places.iter().copied().min_by(|a, b| covered(*a).total_cmp(&covered(*b)));
        let Some([x, y]) = best else { return };
        self.taken.push(area([x, y]));
        // Writing to a string cannot fail.
        let _ = write!(
            svg,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{text}</text>"
        );
    }
}

/// The area that two rectangles share.
fn shared_area(a: [f64; 4], b: [f64; 4]) -> f64 {
    let side = |k: usize| (a[k + 2].min(b[k + 2]) - a[k].max(b[k])).max(0.0);
    side(0) * side(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_goes_where_no_other_is() {
        let mut labels = ViewLabels { size: [300.0, 200.0], taken: Vec::new() };
        let mut svg = String::new();
        let places = [[100.0, 100.0], [108.0, 100.0], [160.0, 100.0]];
        labels.put_words(&mut svg, "x", &places);
        labels.put_words(&mut svg, "y", &places);
        // Half of it would be outside the picture.
        labels.put_letter(&mut svg, "A", &[[299.0, 50.0], [250.0, 50.0]]);
        let at: Vec<&str> = svg.split(" x=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert_eq!(at, ["100.0", "160.0", "250.0"], "{svg}");
    }
}
