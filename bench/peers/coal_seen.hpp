// What sensors saw, with coal: an `OcTree` over octomap's tree, asked for each body of the robot, a distance
// told the best so far. A cloud of points is put into cells of an edge of two radii, which contain them: what
// it is asked about is larger than balls in the corners, and smaller where points lie near a side.
#pragma once
#include <octomap/octomap.h>

#include "coal/octree.h"
#include "coal_whole.hpp"
#include "octomap_cells.hpp"

struct CoalSeen : CoalWhole {
  std::unique_ptr<coal::CollisionObject> seen;

  explicit CoalSeen(const Work& work) : CoalWhole(work) { take(work, 0); }

  void take(const Work& work, size_t number) {
    const auto cells = work.cloud() ? cells_of_points(work.seen.frames[number % work.seen.frames.size()],
                                                      2.0 * work.seen.radius)
                                    : cells_of_cells(work.seen.cells);
    seen = std::make_unique<coal::CollisionObject>(std::make_shared<coal::OcTree>(cells));
  }

  double ask(const Work& work, size_t number) {
    if (work.ask == Ask::CloudReplace) take(work, number);
    for (size_t s = 0; s < bodies.size(); ++s) put(s, poses[number * bodies.size() + s]);
    double best = std::numeric_limits<double>::max();
    for (size_t s = 0; s < bodies.size(); ++s) {
      if (work.mounts[s].number == 0) continue;
      if (!work.wants_distance()) {
        contact.clear();
        if (coal::collide(seen.get(), bodies[s].get(), yes_or_no, contact) != 0) return 0.0;
      } else {
        result.clear();
        result.min_distance = best;
        best = std::min<double>(best, coal::distance(seen.get(), bodies[s].get(), leaf.near, result));
      }
    }
    return work.wants_distance() ? best : -1.0;
  }
};
