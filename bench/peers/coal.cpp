// coal through its functors (`ComputeDistance`, `ComputeCollision`), built beforehand for each pair of shapes
// so that no dispatch table is walked in a query. Defaults everywhere: GJK and EPA tolerance 1e-6, cold guess
// (1,0,0); warm: `GJKInitialGuess::CachedGuess` carried from the last result. A whole robot:
// `coal_whole.hpp`; what changes: `coal_changes.hpp`; what sensors saw: `coal_seen.hpp`.
#include <memory>

#include "coal/collision.h"
#include "coal/distance.h"
#include "coal/shape/convex.h"
#include "coal_changes.hpp"
#include "coal_seen.hpp"
#include "coal_whole.hpp"
#include "common.hpp"

using namespace coal;

struct Coal {
  std::vector<std::shared_ptr<CollisionGeometry>> shapes;
  std::vector<Transform3s> poses;
  std::vector<std::unique_ptr<ComputeDistance>> distances;
  std::vector<std::unique_ptr<ComputeCollision>> collisions;
  DistanceRequest plain{true, false}, with_depth{true, true}, warm{true, false};
  CollisionRequest yes_or_no{NO_REQUEST, 1};  // and stop as soon as any separation is certain, see `load`
  DistanceResult result;
  CollisionResult contact;

  std::unique_ptr<CoalWhole> robot;
  std::unique_ptr<CoalChanges> changes;
  std::unique_ptr<CoalSeen> seen;

  bool load(const Work& work, std::string& why) {
    robot.reset(), changes.reset(), seen.reset();
    shapes.clear(), poses.clear(), distances.clear(), collisions.clear();
    if (work.ask == Ask::Gradient) {
      why = "tell a gradient";
      return false;
    }
    if (work.cloud() || work.ask == Ask::CellsDistance) {
      seen = std::make_unique<CoalSeen>(work);
      return true;
    }
    if (work.ask == Ask::ChangeDistance) {
      changes = std::make_unique<CoalChanges>(work);
      return true;
    }
    if (work.whole()) {
      robot = std::make_unique<CoalWhole>(work);
      return true;
    }
    for (const ShapeData& data : work.shapes) {
      if (work.ask == Ask::SmallestTriangleDistance) {
        shapes.push_back(mesh(data));
      } else {
        auto points = std::make_shared<std::vector<Vec3s>>();
        for (size_t i = 0; i < data.size(); ++i)
          points->emplace_back(data.vertices[3 * i], data.vertices[3 * i + 1], data.vertices[3 * i + 2]);
        shapes.emplace_back(
            ConvexBase::convexHull(points, static_cast<unsigned>(points->size()), true, "Qt"));
      }
      shapes.back()->computeLocalAABB();
    }
    for (size_t i = 0; i < work.poses.size(); i += 12) {
      const double* x = &work.poses[i];
      Matrix3s rotation;
      rotation << x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8];
      poses.emplace_back(rotation, Vec3s(x[9], x[10], x[11]));
    }
    for (const auto& a : shapes)
      for (const auto& b : shapes) {
        distances.push_back(std::make_unique<ComputeDistance>(a.get(), b.get()));
        collisions.push_back(std::make_unique<ComputeCollision>(a.get(), b.get()));
      }
    warm.gjk_initial_guess = GJKInitialGuess::CachedGuess;
    yes_or_no.distance_upper_bound = 0.0;
    return true;
  }
  void begin_step(size_t) {}
  double whole(const Work& work, size_t number) {
    if (changes) return changes->ask(work, number);
    return seen ? seen->ask(work, number) : robot->ask(work, number);
  }
  void all_distances(const Work& work, size_t number, double* answers) {
    robot->all_distances(work, number, answers);
  }
  void restart() {
    if (robot) robot->forget();
    if (changes) changes->forget();
    warm.cached_gjk_guess = Vec3s(1, 0, 0);
    warm.cached_support_func_guess = support_func_guess_t::Zero();
  }
  double ask(const DistanceRequest& request, uint32_t a, uint32_t b, size_t pose_a, size_t pose_b) {
    result.clear();
    return (*distances[a * shapes.size() + b])(poses[pose_a], poses[pose_b], request, result);
  }
  double distance(uint32_t a, uint32_t b, size_t pose_a, size_t pose_b) {
    return ask(plain, a, b, pose_a, pose_b);
  }
  double depth(uint32_t a, uint32_t b, size_t pose_a, size_t pose_b) {
    return ask(with_depth, a, b, pose_a, pose_b);
  }
  double warm_distance(uint32_t a, uint32_t b, size_t pose_a, size_t pose_b) {
    const double answer = ask(warm, a, b, pose_a, pose_b);
    warm.updateGuess(result);
    return answer;
  }
  bool collides(uint32_t a, uint32_t b, size_t pose_a, size_t pose_b) {
    contact.clear();
    return (*collisions[a * shapes.size() + b])(poses[pose_a], poses[pose_b], yes_or_no, contact) != 0;
  }
  double mesh_distance(uint32_t a, uint32_t b, size_t pose_a, size_t pose_b, double best) {
    result.clear();
    result.min_distance = best;  // coal prunes what cannot be nearer
    return std::max(0.0, (*distances[a * shapes.size() + b])(poses[pose_a], poses[pose_b], plain, result));
  }
};

int main(int count, char** arguments) { return serve<Coal>(count, arguments); }
