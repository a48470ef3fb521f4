// FCL 0.7 as the system packages it (`libfcl-dev`), with its defaults: the libccd solver, tolerance 1e-6. Its
// convex shapes take faces, so they get the triangles of the hull. An exception is an answer of NaN:
// "failed". Worlds that change and what sensors saw: `fcl_whole.hpp`.
#include <fcl/fcl.h>

#include <memory>

#include "common.hpp"
#include "fcl_whole.hpp"

using namespace fcl;

struct Fcl {
  std::vector<std::shared_ptr<CollisionGeometryd>> shapes;
  aligned_vector<Transform3d> poses;
  DistanceRequestd plain{true, false}, with_depth{true, true};
  CollisionRequestd yes_or_no{1, false};

  std::unique_ptr<FclWhole> robot;

  bool load(const Work& work, std::string& why) {
    robot.reset();
    if (work.ask == Ask::ChangeDistance || work.ask == Ask::CellsDistance || work.cloud()) {
      robot = std::make_unique<FclWhole>(work);
      return true;
    }
    if (work.whole()) {
      why = "be asked of a whole robot here: coal, which descends from it, stands for both";
      return false;
    }
    shapes.clear(), poses.clear();
    for (const ShapeData& data : work.shapes) {
      if (work.ask == Ask::SmallestTriangleDistance) {
        std::vector<Vector3d> points;
        for (size_t i = 0; i < data.size(); ++i)
          points.emplace_back(data.vertices[3 * i], data.vertices[3 * i + 1], data.vertices[3 * i + 2]);
        auto mesh = std::make_shared<BVHModel<OBBRSSd>>();
        std::vector<Triangle> triangles;
        for (size_t i = 0; i < data.triangles.size(); i += 3)
          triangles.emplace_back(data.triangles[i], data.triangles[i + 1], data.triangles[i + 2]);
        mesh->beginModel(static_cast<int>(triangles.size()), static_cast<int>(points.size()));
        mesh->addSubModel(points, triangles);
        mesh->endModel();
        shapes.push_back(mesh);
      } else {
        shapes.push_back(fcl_convex(data));
      }
      shapes.back()->computeLocalAABB();
    }
    for (size_t i = 0; i < work.poses.size(); i += 12) poses.push_back(fcl_transform(&work.poses[i]));
    return true;
  }
  void begin_step(size_t) {}
  void restart() {
    if (robot) robot->forget();
  }
  double whole(const Work& work, size_t number) { return robot->ask(work, number); }
  void all_distances(const Work&, size_t, double*) {}
  double ask(const DistanceRequestd& request, uint32_t a, uint32_t b, size_t pose_a, size_t pose_b,
             double best) {
    try {
      DistanceResultd result;
      result.min_distance = best;
      fcl::distance(shapes[a].get(), poses[pose_a], shapes[b].get(), poses[pose_b], request, result);
      return result.min_distance;
    } catch (const std::exception&) {
      return std::numeric_limits<double>::quiet_NaN();
    }
  }
  static constexpr double FAR = std::numeric_limits<double>::max();
  double distance(uint32_t a, uint32_t b, size_t pose_a, size_t pose_b) {
    return ask(plain, a, b, pose_a, pose_b, FAR);
  }
  double warm_distance(uint32_t a, uint32_t b, size_t pose_a, size_t pose_b) {
    return distance(a, b, pose_a, pose_b);
  }
  double depth(uint32_t a, uint32_t b, size_t pose_a, size_t pose_b) {
    return ask(with_depth, a, b, pose_a, pose_b, FAR);
  }
  bool collides(uint32_t a, uint32_t b, size_t pose_a, size_t pose_b) {
    CollisionResultd result;
    return fcl::collide(shapes[a].get(), poses[pose_a], shapes[b].get(), poses[pose_b], yes_or_no,
                        result) != 0;
  }
  double mesh_distance(uint32_t a, uint32_t b, size_t pose_a, size_t pose_b, double best) {
    return std::max(0.0, ask(plain, a, b, pose_a, pose_b, best));
  }
};

int main(int count, char** arguments) { return serve<Fcl>(count, arguments); }
