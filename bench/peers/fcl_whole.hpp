// A world that changes, and what sensors saw, with FCL: obstacles in a `DynamicAABBTreeCollisionManager`, the
// robot in another, the best distance so far carried from pair to pair; what changes is told to the manager
// as `coal_changes.hpp` does it. What sensors saw is an `OcTree` over octomap's tree, asked for each body;
// of points it has the cells that contain them. An exception is an answer of NaN: "failed".
#pragma once
#include <fcl/fcl.h>

#include <memory>

#include "common.hpp"
#include "octomap_cells.hpp"

inline fcl::Transform3d fcl_transform(const double* x) {
  fcl::Transform3d pose = fcl::Transform3d::Identity();
  pose.linear() << x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8];
  pose.translation() << x[9], x[10], x[11];
  return pose;
}

inline std::shared_ptr<fcl::CollisionGeometryd> fcl_convex(const ShapeData& data) {
  auto points = std::make_shared<std::vector<fcl::Vector3d>>();
  for (size_t i = 0; i < data.size(); ++i)
    points->emplace_back(data.vertices[3 * i], data.vertices[3 * i + 1], data.vertices[3 * i + 2]);
  auto faces = std::make_shared<std::vector<int>>();
  for (size_t i = 0; i < data.triangles.size(); i += 3) {
    faces->push_back(3);
    for (size_t k = 0; k < 3; ++k) faces->push_back(static_cast<int>(data.triangles[i + k]));
  }
  auto made = std::make_shared<fcl::Convexd>(points, static_cast<int>(data.triangles.size() / 3), faces);
  made->computeLocalAABB();
  return made;
}

struct FclLeaf {
  fcl::DistanceRequestd near{false, false};
  double best = 0.0;

  static bool distance(fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* data, double& least) {
    FclLeaf& leaf = *static_cast<FclLeaf*>(data);
    fcl::DistanceResultd result;
    result.min_distance = leaf.best;
    fcl::distance(a, b, leaf.near, result);
    least = leaf.best = std::min(leaf.best, result.min_distance);
    return leaf.best <= 0.0;
  }
};

struct FclWhole {
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> bodies, fixed;
  fcl::DynamicAABBTreeCollisionManagerd tree, robot;
  fcl::aligned_vector<fcl::Transform3d> poses;  // of bodies
  ManagedObstacles<fcl::CollisionObjectd, fcl::aligned_vector<fcl::Transform3d>> obstacles;
  std::unique_ptr<fcl::CollisionObjectd> seen;
  FclLeaf leaf;

  explicit FclWhole(const Work& work) {
    for (const ShapeData& shape : work.shapes)
      bodies.push_back(std::make_unique<fcl::CollisionObjectd>(fcl_convex(shape)));
    for (size_t i = 0; i < work.poses.size(); i += 12) poses.push_back(fcl_transform(&work.poses[i]));
    for (const Change& row : work.changes.rows) obstacles.at.push_back(fcl_transform(row.pose));
    for (const Mount& obstacle : work.obstacles) {
      obstacles.homes.push_back(fcl_transform(obstacle.pose));
      fixed.push_back(std::make_unique<fcl::CollisionObjectd>(
          fcl_convex(work.obstacle_shapes[obstacle.number]), obstacles.homes.back()));
      obstacles.all.push_back(fixed.back().get());
    }
    for (size_t s = 0; s < bodies.size(); ++s)
      if (work.mounts[s].number > 0) robot.registerObject(bodies[s].get());
    robot.setup();
    obstacles.fill(tree);
    if (!work.seen.frames.empty() || !work.seen.cells.empty()) take(work, 0);
  }

  void forget() { obstacles.forget(tree); }
  void take(const Work& work, size_t number) {
    const auto cells = work.cloud() ? cells_of_points(work.seen.frames[number % work.seen.frames.size()],
                                                      2.0 * work.seen.radius)
                                    : cells_of_cells(work.seen.cells);
    seen = std::make_unique<fcl::CollisionObjectd>(std::make_shared<fcl::OcTreed>(cells));
  }

  double ask(const Work& work, size_t number) {
    try {
      for (size_t s = 0; s < bodies.size(); ++s)
        obstacles.place(*bodies[s], poses[number * bodies.size() + s]);
      return work.ask == Ask::ChangeDistance ? ask_changed(work, number) : ask_seen(work, number);
    } catch (const std::exception&) {
      return std::numeric_limits<double>::quiet_NaN();
    }
  }

  double ask_changed(const Work& work, size_t number) {
    fcl::CollisionObjectd* held = obstacles.step(work.changes, number, tree);
    robot.update();
    leaf.best = std::numeric_limits<double>::max();
    tree.distance(&robot, &leaf, FclLeaf::distance);
    if (held) {
      double least = leaf.best;
      for (uint32_t shape : work.changes.meets)
        if (bodies[shape]->getAABB().distance(held->getAABB()) < leaf.best)
          FclLeaf::distance(bodies[shape].get(), held, &leaf, least);
      tree.distance(held, &leaf, FclLeaf::distance);
      tree.registerObject(held);
      tree.setup();
    }
    return leaf.best;
  }

  double ask_seen(const Work& work, size_t number) {
    if (work.ask == Ask::CloudReplace) take(work, number);
    double least = leaf.best = std::numeric_limits<double>::max();
    for (size_t s = 0; s < bodies.size(); ++s) {
      if (work.mounts[s].number == 0) continue;
      if (!work.wants_distance()) {
        fcl::CollisionResultd contact;
        if (fcl::collide(seen.get(), bodies[s].get(), fcl::CollisionRequestd(1, false), contact) != 0)
          return 0.0;
      } else {
        FclLeaf::distance(seen.get(), bodies[s].get(), &leaf, least);
      }
    }
    return work.wants_distance() ? leaf.best : -1.0;
  }
};
