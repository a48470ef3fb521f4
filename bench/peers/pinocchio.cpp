// Pinocchio with its own entry points, kinematics and all, from the joint values: does it collide is
// `computeCollisions` with a `BroadPhaseManagerTpl` over coal's dynamic tree, stopping at the first
// collision; the smallest distance is `computeDistances`, which asks all pairs. The rest is coal's, and is
// shown there.
#include "pinocchio/algorithm/geometry.hpp"
#include "pinocchio/collision/broadphase-manager.hpp"
#include "pinocchio/collision/broadphase.hpp"
#include "pinocchio/collision/distance.hpp"
#include "pinocchio/multibody.hpp"

#include <coal/broadphase/broadphase_dynamic_AABB_tree.h>
#include <memory>

#include "coal_shapes.hpp"
#include "common.hpp"

struct Pinocchio {
  using Manager = pinocchio::BroadPhaseManagerTpl<coal::DynamicAABBTreeCollisionManager>;
  pinocchio::Model model;
  pinocchio::GeometryModel shapes;
  std::unique_ptr<pinocchio::Data> data;
  std::unique_ptr<pinocchio::GeometryData> places;
  std::unique_ptr<Manager> manager;
  std::vector<Eigen::VectorXd> values;

  static pinocchio::SE3 placement(const double* x) {
    pinocchio::SE3 made;
    made.rotation() << x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8];
    made.translation() << x[9], x[10], x[11];
    return made;
  }
  static pinocchio::JointModel joint(const JointData& from) {
    const Eigen::Vector3d axis(from.axis[0], from.axis[1], from.axis[2]);
    if (from.slides) return pinocchio::JointModelPrismaticUnaligned(axis);
    if (axis == Eigen::Vector3d::UnitX()) return pinocchio::JointModelRX();
    if (axis == Eigen::Vector3d::UnitY()) return pinocchio::JointModelRY();
    if (axis == Eigen::Vector3d::UnitZ()) return pinocchio::JointModelRZ();
    return pinocchio::JointModelRevoluteUnaligned(axis);
  }

  bool load(const Work& work, std::string& why) {
    if (!work.self()) {
      why = "do it in a way of its own: coal's tree is what it uses";
      return false;
    }
    manager.reset(), places.reset(), data.reset(), values.clear();
    model = pinocchio::Model(), shapes = pinocchio::GeometryModel();
    for (size_t k = 0; k < work.joints.size(); ++k)
      model.addJoint(work.joints[k].parent, joint(work.joints[k]), placement(work.joints[k].in_parent),
                     "joint" + std::to_string(k));
    for (size_t s = 0; s < work.shapes.size(); ++s)
      shapes.addGeometryObject(
          pinocchio::GeometryObject("shape" + std::to_string(s), work.mounts[s].number,
                                    placement(work.mounts[s].pose), solid(work, work.shapes[s])));
    for (size_t p = 0; p < work.pairs.size(); p += 2)
      shapes.addCollisionPair(pinocchio::CollisionPair(work.pairs[p], work.pairs[p + 1]));
    data = std::make_unique<pinocchio::Data>(model);
    places = std::make_unique<pinocchio::GeometryData>(shapes);
    const size_t count = work.joints.size();
    for (size_t step = 0; step < work.steps; ++step)
      values.push_back(Eigen::Map<const Eigen::VectorXd>(&work.values[step * count],
                                                         static_cast<Eigen::Index>(count)));
    for (auto& request : places->distanceRequests) {
      request.enable_signed_distance = false;
      request.enable_nearest_points = false;
      if (work.ask == Ask::SelfDistanceCoherent)
        request.gjk_initial_guess = coal::GJKInitialGuess::CachedGuess;
    }
    pinocchio::updateGeometryPlacements(model, *data, shapes, *places, values[0]);
    manager = std::make_unique<Manager>(&model, &shapes, places.get());
    return true;
  }
  void begin_step(size_t) {}
  void restart() {}
  double whole(const Work& work, size_t number) {
    if (!work.wants_distance())
      return pinocchio::computeCollisions(model, *data, *manager, values[number], true) ? 0.0 : -1.0;
    const size_t pair = pinocchio::computeDistances(model, *data, shapes, *places, values[number]);
    if (work.ask == Ask::SelfDistanceCoherent)
      for (size_t p = 0; p < places->distanceRequests.size(); ++p)
        places->distanceRequests[p].updateGuess(places->distanceResults[p]);
    return places->distanceResults[pair].min_distance;
  }
  void all_distances(const Work& work, size_t number, double* answers) {
    pinocchio::computeDistances(model, *data, shapes, *places, values[number]);
    for (size_t pair = 0; pair + 1 < work.body_pairs.size(); ++pair) {
      double best = std::numeric_limits<double>::max();
      for (size_t p = work.body_pairs[pair]; p < work.body_pairs[pair + 1]; ++p)
        best = std::min<double>(best, places->distanceResults[p].min_distance);
      answers[pair] = best;
    }
  }
  double distance(uint32_t, uint32_t, size_t, size_t) { return 0.0; }
  double warm_distance(uint32_t, uint32_t, size_t, size_t) { return 0.0; }
  double depth(uint32_t, uint32_t, size_t, size_t) { return 0.0; }
  bool collides(uint32_t, uint32_t, size_t, size_t) { return false; }
  double mesh_distance(uint32_t, uint32_t, size_t, size_t, double) { return 0.0; }
};

int main(int count, char** arguments) { return serve<Pinocchio>(count, arguments); }
