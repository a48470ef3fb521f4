// FCL as coulombe20 may have run it: triangles in trees of oriented boxes, asked pair by pair by its
// Algorithm 2, which ends at the first collision. The triangles are those of the hulls, as in the paper. The
// first argument says which of three things the paper may mean:
//
//   kept      trees that are built once, asked yes or no
//   distance  the same, asked for the distance: FCL has it of boxes with swept spheres in them (OBBRSS)
//   anew      as kept, and both trees of a pair are built again before it is asked
#include <fcl/fcl.h>

#include <memory>

#include "common.hpp"
#include "fcl_whole.hpp"

using namespace fcl;

static bool anew = false;

template <typename Box>
struct FclTrees {
  using Tree = BVHModel<Box>;
  struct Mesh {
    std::vector<Vector3d> points;
    std::vector<Triangle> triangles;
  };
  std::vector<Mesh> meshes;
  std::vector<std::shared_ptr<Tree>> trees;
  aligned_vector<Transform3d> poses;
  CollisionRequestd yes_or_no{1, false};
  DistanceRequestd plain{false, false};

  static std::shared_ptr<Tree> tree(const Mesh& mesh) {
    auto tree = std::make_shared<Tree>();
    tree->beginModel(static_cast<int>(mesh.triangles.size()), static_cast<int>(mesh.points.size()));
    tree->addSubModel(mesh.points, mesh.triangles);
    tree->endModel();
    return tree;
  }

  bool load(const Work& work, std::string& why) {
    if (work.ask != Ask::FirstCollision) {
      why = "be asked here: trees of oriented boxes are for coulombe20's Algorithm 2";
      return false;
    }
    meshes.clear(), trees.clear(), poses.clear();
    for (const ShapeData& data : work.shapes) {
      Mesh mesh;
      for (size_t i = 0; i < data.size(); ++i)
        mesh.points.emplace_back(data.vertices[3 * i], data.vertices[3 * i + 1], data.vertices[3 * i + 2]);
      for (size_t i = 0; i < data.triangles.size(); i += 3)
        mesh.triangles.emplace_back(data.triangles[i], data.triangles[i + 1], data.triangles[i + 2]);
      trees.push_back(tree(mesh));
      meshes.push_back(std::move(mesh));
    }
    for (size_t i = 0; i < work.poses.size(); i += 12) poses.push_back(fcl_transform(&work.poses[i]));
    return true;
  }
  void begin_step(size_t) {}
  void restart() {}
  bool collides(uint32_t a, uint32_t b, size_t pose_a, size_t pose_b) {
    if (anew) trees[a] = tree(meshes[a]), trees[b] = tree(meshes[b]);
    if constexpr (std::is_same_v<Box, OBBRSSd>) {
      DistanceResultd result;
      return fcl::distance(trees[a].get(), poses[pose_a], trees[b].get(), poses[pose_b], plain, result) <= 0;
    }
    CollisionResultd result;
    return fcl::collide(trees[a].get(), poses[pose_a], trees[b].get(), poses[pose_b], yes_or_no, result) != 0;
  }

  // Nothing else is asked of it: `load` refuses the rest.
  static constexpr double NONE = std::numeric_limits<double>::quiet_NaN();
  double whole(const Work&, size_t) { return NONE; }
  void all_distances(const Work&, size_t, double*) {}
  double distance(uint32_t, uint32_t, size_t, size_t) { return NONE; }
  double warm_distance(uint32_t, uint32_t, size_t, size_t) { return NONE; }
  double depth(uint32_t, uint32_t, size_t, size_t) { return NONE; }
  double mesh_distance(uint32_t, uint32_t, size_t, size_t, double) { return NONE; }
};

int main(int count, char** arguments) {
  const std::string mode = count > 1 ? arguments[1] : "";
  anew = mode == "anew";
  if (mode == "distance") return serve<FclTrees<OBBRSSd>>(count - 1, arguments + 1);
  if (mode == "kept" || anew) return serve<FclTrees<OBBd>>(count - 1, arguments + 1);
  std::cerr << "usage: fcl_obb kept|distance|anew\n";
  return 2;
}
