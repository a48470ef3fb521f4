// What sensors saw, with coal, by octomap's tree; a cloud of points is put into cells of an edge of two
// radii, which contain them: what it is asked about is larger than balls in the corners, and smaller where
// points lie near a side. Of what stays the tree's cells are boxes (`OcTree::toBoxes`, equal ones joined) in
// a `DynamicAABBTreeCollisionManager`, as obstacles are: asking the `OcTree` itself took three to sixty times
// as long. What is replaced is an `OcTree`, asked for each body of the robot: it is there sooner.
#pragma once
#include <octomap/octomap.h>

#include "coal/octree.h"
#include "coal/shape/geometric_shapes.h"
#include "coal_whole.hpp"
#include "octomap_cells.hpp"

struct CoalSeen : CoalWhole {
  std::unique_ptr<coal::CollisionObject> seen;

  explicit CoalSeen(const Work& work) : CoalWhole(work) {
    if (work.ask == Ask::CloudReplace)
      take(work, 0);
    else
      take_boxes(work);
  }

  static std::shared_ptr<coal::OcTree> octree(const Work& work, size_t number) {
    const Seen& of = work.seen;
    return std::make_shared<coal::OcTree>(
        work.cloud() ? cells_of_points(of.frames[number % of.frames.size()], 2.0 * of.radius)
                     : cells_of_cells(of.cells));
  }
  void take(const Work& work, size_t number) {
    seen = std::make_unique<coal::CollisionObject>(octree(work, number));
  }
  void take_boxes(const Work& work) {
    std::vector<coal::CollisionObject*> all;
    for (const auto& box : octree(work, 0)->toBoxes()) {
      auto cube = std::make_shared<coal::Box>(box[3], box[3], box[3]);
      cube->computeLocalAABB();
      const coal::Transform3s at(coal::Vec3s(box[0], box[1], box[2]));
      fixed.push_back(std::make_unique<coal::CollisionObject>(cube, at));
      all.push_back(fixed.back().get());
    }
    stand_among(work, all);
  }

  double ask(const Work& work, size_t number) {
    if (work.ask != Ask::CloudReplace) return CoalWhole::ask(work, number);
    take(work, number);
    for (size_t s = 0; s < bodies.size(); ++s) {
      if (work.mounts[s].number == 0) continue;
      put(s, poses[number * bodies.size() + s]);
      contact.clear();
      if (coal::collide(seen.get(), bodies[s].get(), yes_or_no, contact) != 0) return 0.0;
    }
    return -1.0;
  }
};
