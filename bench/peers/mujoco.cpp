// MuJoCo through `mj_geomDistance`, its public entry to the native convex solver (`mjc_ccd`), on a model that
// holds each hull twice (a pair may be a hull against itself). Poses are written where the kinematics would
// put them (`geom_xpos`, `geom_xmat`). MuJoCo keeps mesh vertices in f32 and about the mesh's own inertial
// frame; both are its way and stay in its answers. It has no warm start and no triangle distance (its meshes
// are their hulls). A whole robot: `mujoco_whole.hpp`.
#include <mujoco/mujoco.h>

#include <memory>

#include "common.hpp"
#include "mujoco_whole.hpp"

struct MuJoCo {
  mjModel* model = nullptr;
  mjData* data = nullptr;
  const Work* work = nullptr;
  std::vector<mjtNum> poses;  // 12 a pose and side: translation, rotation row-major, of the mesh frame
  mjtNum points[6];

  std::unique_ptr<MuJoCoWhole> robot;

  bool load(const Work& from, std::string& why) {
    robot.reset();
    if (from.whole()) {
      auto made = std::make_unique<MuJoCoWhole>();
      if (!made->load(from, why)) return false;
      robot = std::move(made);
      return true;
    }
    if (from.ask == Ask::SmallestTriangleDistance) {
      why = "do triangles: a mesh is its hull";
      return false;
    }
    if (data) mj_deleteData(data);
    if (model) mj_deleteModel(model);
    data = nullptr, model = nullptr;
    work = &from;
    mjSpec* spec = mj_makeSpec();
    mjsBody* world = mjs_findBody(spec, "world");
    for (size_t s = 0; s < from.shapes.size(); ++s) {
      const std::string name = "hull" + std::to_string(s);
      std::vector<float> vertices(from.shapes[s].vertices.begin(), from.shapes[s].vertices.end());
      mjsMesh* mesh = mjs_addMesh(spec, nullptr);
      mjs_setName(mesh->element, name.c_str());
      mjs_setFloat(mesh->uservert, vertices.data(), static_cast<int>(vertices.size()));
      for (int side = 0; side < 2; ++side) {
        mjsGeom* geom = mjs_addGeom(world, nullptr);
        geom->type = mjGEOM_MESH;
        mjs_setString(geom->meshname, name.c_str());
      }
    }
    model = mj_compile(spec, nullptr);
    if (!model) {
      why = std::string("compile: ") + mjs_getError(spec);
      mj_deleteSpec(spec);
      return false;
    }
    mj_deleteSpec(spec);
    data = mj_makeData(model);
    mj_forward(model, data);
    // world <- mesh frame = (world <- shape) (shape <- mesh frame); which shape a pose belongs to follows
    // from its step.
    poses.resize(from.poses.size());
    for (size_t p = 0; p < from.poses.size() / 12; ++p) {
      const size_t number = p / from.a_step, place = p % from.a_step;
      const size_t shape = from.robot() ? place : from.pairs[2 * number + place];
      const double* x = &from.poses[12 * p];
      mjtNum rotation[9];
      mju_quat2Mat(rotation, model->geom_quat + 4 * (2 * shape));
      mju_mulMatVec(&poses[12 * p], x, model->geom_pos + 3 * (2 * shape), 3, 3);
      mju_addTo3(&poses[12 * p], x + 9);
      mju_mulMatMat(&poses[12 * p + 3], x, rotation, 3, 3, 3);
    }
    return true;
  }
  void place(size_t geom, size_t pose) {
    std::memcpy(data->geom_xpos + 3 * geom, &poses[12 * pose], 3 * sizeof(mjtNum));
    std::memcpy(data->geom_xmat + 9 * geom, &poses[12 * pose + 3], 9 * sizeof(mjtNum));
  }
  void begin_step(size_t first) {
    if (work->robot()) {
      for (size_t s = 0; s < work->a_step; ++s) place(2 * s, first + s), place(2 * s + 1, first + s);
    } else {
      const size_t number = first / 2;
      place(2 * work->pairs[2 * number], first);
      place(2 * work->pairs[2 * number + 1] + 1, first + 1);
    }
  }
  void restart() {
    if (robot) robot->forget();
  }
  double whole(const Work& of, size_t number) { return robot->ask(of, number); }
  void all_distances(const Work& of, size_t number, double* answers) {
    robot->all_distances(of, number, answers);
  }
  double within(uint32_t a, uint32_t b, double cutoff) {
    return mj_geomDistance(model, data, static_cast<int>(2 * a), static_cast<int>(2 * b + 1), cutoff, points);
  }
  double distance(uint32_t a, uint32_t b, size_t, size_t) { return within(a, b, 1e3); }
  double warm_distance(uint32_t a, uint32_t b, size_t, size_t) { return within(a, b, 1e3); }
  double depth(uint32_t a, uint32_t b, size_t, size_t) { return within(a, b, 1e3); }
  // A cutoff of zero lets it stop at the first proof of separation; on overlap it goes on to the depth.
  bool collides(uint32_t a, uint32_t b, size_t, size_t) { return within(a, b, 0.0) < 0.0; }
  double mesh_distance(uint32_t, uint32_t, size_t, size_t, double) { return 0.0; }
};

int main(int count, char** arguments) { return serve<MuJoCo>(count, arguments); }
