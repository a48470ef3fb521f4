// A whole robot with coal. Against itself: its pairs one by one with the functors, each after a test of the
// boxes around both, first of those along the axes, then of those that turn with them (a distance: of the
// first, against the best so far), for that is faster on so few bodies than a tree, which the engine
// `pinocchio` shows. For a distance of triangles the pairs whose boxes are nearest come first, after the pair
// that was nearest in the pose before where poses are small steps, and the best distance so far goes into
// `DistanceResult::min_distance`, where coal prunes with it. Against obstacles: a
// `DynamicAABBTreeCollisionManager` that holds them, asked for each body of the robot, the best distance so
// far carried from body to body. Each obstacle is an object with a shape of its own, as a file would give it.
// Poses are given, except along an edge: there each of `EDGE_SAMPLES` poses has its kinematics computed
// (timed).
#pragma once
#include <memory>

#include "coal/broadphase/broadphase_dynamic_AABB_tree.h"
#include "coal/collision.h"
#include "coal/distance.h"
#include "coal_shapes.hpp"
#include "common.hpp"

// Poses looked at along an edge, both ends among them.
constexpr size_t EDGE_SAMPLES = 100;

// Asked by the tree about two objects; the first is the one the tree was asked for.
struct CoalLeaf : coal::CollisionCallBackBase, coal::DistanceCallBackBase {
  coal::DistanceRequest near{false, false};
  coal::DistanceResult result;
  coal::CollisionRequest yes_or_no{coal::NO_REQUEST, 1};
  coal::CollisionResult contact;
  double best = 0.0;
  bool touches = false;

  void init() override {}
  bool collide(coal::CollisionObject* a, coal::CollisionObject* b) override {
    contact.clear();
    touches = coal::collide(a, b, yes_or_no, contact) != 0;
    return touches;
  }
  bool distance(coal::CollisionObject* a, coal::CollisionObject* b, coal::CoalScalar& least) override {
    result.clear();
    best = std::min(best, static_cast<double>(coal::distance(a, b, near, result)));
    least = best;
    return best <= 0.0;
  }
};

struct CoalWhole {
  std::vector<std::unique_ptr<coal::CollisionObject>> bodies, fixed;
  std::unique_ptr<coal::DynamicAABBTreeCollisionManager> tree, robot;
  std::vector<coal::Transform3s> poses;
  std::vector<std::unique_ptr<coal::ComputeDistance>> distances;    // of each pair
  std::vector<std::unique_ptr<coal::ComputeCollision>> collisions;  // likewise
  std::vector<coal::DistanceRequest> requests;                      // likewise; a warm one keeps its guess
  coal::DistanceResult result;
  coal::CollisionRequest yes_or_no{coal::NO_REQUEST, 1};
  coal::CollisionResult contact;
  CoalLeaf leaf;
  std::vector<coal::Transform3s> joints;
  std::vector<std::pair<double, size_t>> order;  // distances of boxes, and pairs
  size_t last = 0;                               // the pair that was nearest
  std::vector<coal::OBB> boxes;  // around the bodies, own frames

  explicit CoalWhole(const Work& work) {
    for (const ShapeData& shape : work.shapes)
      bodies.push_back(std::make_unique<coal::CollisionObject>(solid(work, shape)));
    for (auto& body : bodies) {
      const coal::AABB& around = body->collisionGeometryPtr()->aabb_local;
      coal::OBB box;
      box.axes.setIdentity();
      box.To = around.center();
      box.extent = 0.5 * (around.max_ - around.min_);
      boxes.push_back(box);
    }
    for (size_t i = 0; i < work.poses.size(); i += 12) poses.push_back(transform(&work.poses[i]));
    yes_or_no.distance_upper_bound = leaf.yes_or_no.distance_upper_bound = 0.0;
    coal::DistanceRequest request{false, false};
    if (work.ask == Ask::SelfDistanceCoherent) request.gjk_initial_guess = coal::GJKInitialGuess::CachedGuess;
    for (size_t p = 0; p < work.pairs.size(); p += 2) {
      const auto *a = bodies[work.pairs[p]]->collisionGeometryPtr(),
                 *b = bodies[work.pairs[p + 1]]->collisionGeometryPtr();
      distances.push_back(std::make_unique<coal::ComputeDistance>(a, b));
      collisions.push_back(std::make_unique<coal::ComputeCollision>(a, b));
      requests.push_back(request);
    }
    joints.resize(work.joints.size() + 1);
    if (work.obstacles.empty()) return;
    std::vector<coal::CollisionObject*> all;
    fixed.reserve(work.obstacles.size());
    for (const Mount& obstacle : work.obstacles) {
      fixed.push_back(std::make_unique<coal::CollisionObject>(convex(work.obstacle_shapes[obstacle.number]),
                                                              transform(obstacle.pose)));
      all.push_back(fixed.back().get());
    }
    stand_among(work, all);
  }

  // Puts what stands into one tree, and what moves into another.
  void stand_among(const Work& work, const std::vector<coal::CollisionObject*>& all) {
    tree = std::make_unique<coal::DynamicAABBTreeCollisionManager>();
    tree->registerObjects(all);
    tree->setup();
    robot = std::make_unique<coal::DynamicAABBTreeCollisionManager>();
    for (size_t s = 0; s < bodies.size(); ++s)
      if (work.mounts[s].number > 0) robot->registerObject(bodies[s].get());
    robot->setup();
  }

  void forget() {
    last = 0;
    for (coal::DistanceRequest& request : requests) {
      request.cached_gjk_guess = coal::Vec3s(1, 0, 0);
      request.cached_support_func_guess = coal::support_func_guess_t::Zero();
    }
  }

  double ask(const Work& work, size_t number) {
    if (work.ask == Ask::Edge) return edge(work, number);
    for (size_t s = 0; s < bodies.size(); ++s) put(s, poses[number * bodies.size() + s]);
    if (work.wants_distance()) return smallest(work);
    return touches(work) ? 0.0 : -1.0;
  }

  void put(size_t body, const coal::Transform3s& pose) {
    bodies[body]->setTransform(pose);
    bodies[body]->computeAABB();
  }

  bool touches(const Work& work) {
    for (size_t p = 0; p < collisions.size(); ++p) {
      const auto &a = *bodies[work.pairs[2 * p]], &b = *bodies[work.pairs[2 * p + 1]];
      if (!a.getAABB().overlap(b.getAABB())) continue;
      const coal::Transform3s in_a = a.getTransform().inverseTimes(b.getTransform());
      const coal::OBB &around_a = boxes[work.pairs[2 * p]], &around_b = boxes[work.pairs[2 * p + 1]];
      if (!coal::overlap(in_a.getRotation(), in_a.getTranslation(), around_b, around_a)) continue;
      contact.clear();
      if ((*collisions[p])(a.getTransform(), b.getTransform(), yes_or_no, contact) != 0) return true;
    }
    if (tree)
      for (size_t s = 0; s < bodies.size(); ++s) {
        if (work.mounts[s].number == 0) continue;
        leaf.touches = false;
        tree->collide(bodies[s].get(), &leaf);
        if (leaf.touches) return true;
      }
    return false;
  }

  // Of one pair, told the best so far: that, or what is less.
  double nearer(const Work& work, size_t p, double best) {
    const auto &a = *bodies[work.pairs[2 * p]], &b = *bodies[work.pairs[2 * p + 1]];
    result.clear();
    if (work.triangles) result.min_distance = best;
    const double found = (*distances[p])(a.getTransform(), b.getTransform(), requests[p], result);
    return std::min(best, work.triangles ? std::max(0.0, found) : found);
  }

  double boxes_apart(const Work& work, size_t p) const {
    return bodies[work.pairs[2 * p]]->getAABB().distance(bodies[work.pairs[2 * p + 1]]->getAABB());
  }

  double smallest_of_triangles(const Work& work) {
    order.clear();
    for (size_t p = 0; p < distances.size(); ++p) order.emplace_back(boxes_apart(work, p), p);
    std::sort(order.begin(), order.end());
    double best = std::numeric_limits<double>::max();
    const bool told = work.ask == Ask::SelfDistanceCoherent;
    const size_t before = last;
    if (told) best = nearer(work, before, best);
    for (const auto& [bound, p] : order) {
      if (bound >= best) break;
      if (told && p == before) continue;
      const double found = nearer(work, p, best);
      if (found < best) best = found, last = p;
    }
    return best;
  }

  void all_distances(const Work& work, size_t number, double* answers) {
    for (size_t s = 0; s < bodies.size(); ++s) put(s, poses[number * bodies.size() + s]);
    for (size_t pair = 0; pair + 1 < work.body_pairs.size(); ++pair) {
      double best = std::numeric_limits<double>::max();
      for (size_t p = work.body_pairs[pair]; p < work.body_pairs[pair + 1]; ++p)
        if (boxes_apart(work, p) < best) best = nearer(work, p, best);
      answers[pair] = best;
    }
  }

  double smallest(const Work& work) {
    if (work.triangles) return smallest_of_triangles(work);
    leaf.best = std::numeric_limits<double>::max();
    for (size_t p = 0; p < distances.size(); ++p) {
      const auto &a = *bodies[work.pairs[2 * p]], &b = *bodies[work.pairs[2 * p + 1]];
      if (a.getAABB().distance(b.getAABB()) >= leaf.best) continue;
      result.clear();
      leaf.best = std::min<double>(leaf.best,
                                   (*distances[p])(a.getTransform(), b.getTransform(), requests[p], result));
      if (work.ask == Ask::SelfDistanceCoherent) requests[p].updateGuess(result);
    }
    if (tree) {
      robot->update();
      tree->distance(robot.get(), &leaf);
    }
    return leaf.best;
  }

  double edge(const Work& work, size_t number) {
    const size_t values = work.joints.size();
    const double *from = &work.values[2 * number * values], *to = from + values;
    for (size_t sample = 0; sample < EDGE_SAMPLES; ++sample) {
      const double t = static_cast<double>(sample) / (EDGE_SAMPLES - 1);
      for (size_t k = 0; k < values; ++k) {
        const JointData& joint = work.joints[k];
        const double value = from[k] + t * (to[k] - from[k]);
        const coal::Vec3s axis(joint.axis[0], joint.axis[1], joint.axis[2]);
        const coal::Transform3s moved =
            joint.slides
                ? coal::Transform3s(coal::Vec3s(value * axis))
                : coal::Transform3s(coal::Matrix3s(Eigen::AngleAxisd(value, axis).toRotationMatrix()));
        joints[k + 1] = joints[joint.parent] * transform(joint.in_parent) * moved;
      }
      for (size_t s = 0; s < bodies.size(); ++s)
        put(s, joints[work.mounts[s].number] * transform(work.mounts[s].pose));
      if (touches(work)) return 0.0;
    }
    return -1.0;
  }
};
