// FCL 0.7 as the system packages it (`libfcl-dev`), with its defaults: the libccd solver, tolerance 1e-6. Its
// convex shapes take faces, so they get the triangles of the hull. An exception is an answer of NaN:
// "failed".
#include <fcl/fcl.h>

#include <memory>

#include "common.hpp"

using namespace fcl;

struct Fcl {
  std::vector<std::shared_ptr<CollisionGeometryd>> shapes;
  aligned_vector<Transform3d> poses;
  DistanceRequestd plain{true, false}, with_depth{true, true};
  CollisionRequestd yes_or_no{1, false};

  bool load(const Work& work, std::string& why) {
    if (work.whole()) {
      why = "be asked of a whole robot here: coal, which descends from it, stands for both";
      return false;
    }
    shapes.clear(), poses.clear();
    for (const ShapeData& data : work.shapes) {
      auto points = std::make_shared<std::vector<Vector3d>>();
      for (size_t i = 0; i < data.size(); ++i)
        points->emplace_back(data.vertices[3 * i], data.vertices[3 * i + 1], data.vertices[3 * i + 2]);
      if (work.ask == Ask::SmallestTriangleDistance) {
        auto mesh = std::make_shared<BVHModel<OBBRSSd>>();
        std::vector<Triangle> triangles;
        for (size_t i = 0; i < data.triangles.size(); i += 3)
          triangles.emplace_back(data.triangles[i], data.triangles[i + 1], data.triangles[i + 2]);
        mesh->beginModel(static_cast<int>(triangles.size()), static_cast<int>(points->size()));
        mesh->addSubModel(*points, triangles);
        mesh->endModel();
        shapes.push_back(mesh);
      } else {
        auto faces = std::make_shared<std::vector<int>>();
        for (size_t i = 0; i < data.triangles.size(); i += 3) {
          faces->push_back(3);
          for (size_t k = 0; k < 3; ++k) faces->push_back(static_cast<int>(data.triangles[i + k]));
        }
        shapes.push_back(
            std::make_shared<Convexd>(points, static_cast<int>(data.triangles.size() / 3), faces));
      }
      shapes.back()->computeLocalAABB();
    }
    for (size_t i = 0; i < work.poses.size(); i += 12) {
      const double* x = &work.poses[i];
      Transform3d pose = Transform3d::Identity();
      pose.linear() << x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8];
      pose.translation() << x[9], x[10], x[11];
      poses.push_back(pose);
    }
    return true;
  }
  void begin_step(size_t) {}
  void restart() {}
  double whole(const Work&, size_t) { return 0.0; }
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
