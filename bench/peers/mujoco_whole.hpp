// A whole robot with MuJoCo, as a model of its joints with the hulls as meshes; poses given. Every question
// is `mj_geomDistance` for each pair, told the best distance so far (0 where only yes or no is asked), after
// a test of its bounding balls (`geom_rbound`) that is ours: MuJoCo has no broad phase for distances, and
// `mj_kinematics` with `mj_collision`, whose broad phase it has, took twice as long for yes or no, for it
// goes on to all contacts. An obstacle is placed elsewhere by writing where its geom is; there is nothing to
// tell it to.
#pragma once
#include <mujoco/mujoco.h>

#include "common.hpp"

// Above this many obstacles a query of all pairs would take tens of milliseconds.
constexpr size_t MUJOCO_OBSTACLES = 1000;

struct MuJoCoWhole {
  mjModel* model = nullptr;
  mjData* data = nullptr;
  std::vector<mjtNum> poses;  // 12 a body and step: translation, rotation row-major, of the mesh frame
  mjtNum points[6];

  MuJoCoWhole() = default;
  MuJoCoWhole(const MuJoCoWhole&) = delete;
  ~MuJoCoWhole() {
    if (data) mj_deleteData(data);
    if (model) mj_deleteModel(model);
  }

  static void put(double pos[3], double quat[4], const double* x) {
    mju_copy3(pos, x + 9);
    mju_mat2Quat(quat, x);
  }
  static void add_mesh(mjSpec* spec, const std::string& name, const ShapeData& shape) {
    std::vector<float> vertices(shape.vertices.begin(), shape.vertices.end());
    mjsMesh* mesh = mjs_addMesh(spec, nullptr);
    mjs_setName(mesh->element, name.c_str());
    mjs_setFloat(mesh->uservert, vertices.data(), static_cast<int>(vertices.size()));
  }
  static void add_geom(mjsBody* body, const std::string& mesh, const double* x) {
    mjsGeom* geom = mjs_addGeom(body, nullptr);
    geom->type = mjGEOM_MESH;
    put(geom->pos, geom->quat, x);
    mjs_setString(geom->meshname, mesh.c_str());
    mjs_setName(geom->element, ("geom " + mesh).c_str());
  }

  bool load(const Work& work, std::string& why) {
    if (work.obstacles.size() > MUJOCO_OBSTACLES || work.cloud() || work.ask == Ask::CellsDistance) {
      why = "search many obstacles for a distance: all pairs are all there is";
      return false;
    }
    if (work.triangles) {
      why = "do triangles: a mesh is its hull";
      return false;
    }
    if (work.ask == Ask::Edge) {
      why = "check a motion";
      return false;
    }
    if (work.ask == Ask::Gradient) {
      why = "tell a gradient";
      return false;
    }
    mjSpec* spec = mj_makeSpec();
    std::vector<mjsBody*> links{mjs_findBody(spec, "world")};
    for (size_t k = 0; k < work.joints.size(); ++k) {
      const JointData& from = work.joints[k];
      mjsBody* body = mjs_addBody(links[from.parent], nullptr);
      put(body->pos, body->quat, from.in_parent);
      mjsJoint* joint = mjs_addJoint(body, nullptr);
      joint->type = from.slides ? mjJNT_SLIDE : mjJNT_HINGE;
      mju_copy3(joint->axis, from.axis);
      links.push_back(body);
    }
    for (size_t s = 0; s < work.shapes.size(); ++s) {
      const std::string name = "hull" + std::to_string(s);
      add_mesh(spec, name, work.shapes[s]);
      add_geom(links[work.mounts[s].number], name, work.mounts[s].pose);
    }
    for (size_t o = 0; o < work.obstacles.size(); ++o) {
      const std::string name = "obstacle" + std::to_string(o);
      add_mesh(spec, name, work.obstacle_shapes[work.obstacles[o].number]);
      add_geom(links[0], name, work.obstacles[o].pose);
    }
    // Links that carry no shape have no mass of their own.
    for (size_t k = 1; k < links.size(); ++k) {
      links[k]->mass = 1.0;
      links[k]->inertia[0] = links[k]->inertia[1] = links[k]->inertia[2] = 1.0;
      links[k]->explicitinertial = 1;
    }
    model = mj_compile(spec, nullptr);
    if (!model) why = std::string("compile: ") + mjs_getError(spec);
    mj_deleteSpec(spec);
    if (!model) return false;
    data = mj_makeData(model);
    mj_forward(model, data);
    geoms.clear(), fixed.clear();
    for (size_t s = 0; s < work.shapes.size(); ++s)
      geoms.push_back(mj_name2id(model, mjOBJ_GEOM, ("geom hull" + std::to_string(s)).c_str()));
    for (size_t o = 0; o < work.obstacles.size(); ++o)
      fixed.push_back(mj_name2id(model, mjOBJ_GEOM, ("geom obstacle" + std::to_string(o)).c_str()));
    // Where the kinematics would put each geom.
    for (size_t step = 0; step < work.steps; ++step) {
      std::copy_n(&work.values[step * work.joints.size()], work.joints.size(), data->qpos);
      mj_kinematics(model, data);
      for (int geom : geoms) {
        poses.insert(poses.end(), data->geom_xpos + 3 * geom, data->geom_xpos + 3 * geom + 3);
        poses.insert(poses.end(), data->geom_xmat + 9 * geom, data->geom_xmat + 9 * geom + 9);
      }
    }
    // Where each change puts a geom: its mesh has a frame of its own.
    for (size_t o = 0; o < fixed.size(); ++o) add_place(homes, fixed[o], work.obstacles[o].pose);
    for (const Change& row : work.changes.rows) add_place(at, fixed[row.obstacle], row.pose);
    return true;
  }
  std::vector<int> geoms, fixed;
  std::vector<mjtNum> at, homes;  // of each change, of each obstacle at first; as `poses`

  // Adds where a geom is if its obstacle is at a pose (world <- obstacle).
  void add_place(std::vector<mjtNum>& into, int geom, const double* obstacle) {
    const int mesh = model->geom_dataid[geom];
    mjtNum place[12], rotation[9];
    mju_quat2Mat(rotation, model->mesh_quat + 4 * mesh);
    mju_mulMatVec(place, obstacle, model->mesh_pos + 3 * mesh, 3, 3);
    mju_addTo3(place, obstacle + 9);
    mju_mulMatMat(place + 3, obstacle, rotation, 3, 3, 3);
    into.insert(into.end(), place, place + 12);
  }
  void move(int geom, const mjtNum* pose) {
    std::memcpy(data->geom_xpos + 3 * geom, pose, 3 * sizeof(mjtNum));
    std::memcpy(data->geom_xmat + 9 * geom, pose + 3, 9 * sizeof(mjtNum));
  }
  // All obstacles where they were at first.
  void forget() {
    for (size_t o = 0; o < fixed.size(); ++o) move(fixed[o], &homes[12 * o]);
  }

  void place(size_t number) {
    const mjtNum* pose = &poses[12 * number * geoms.size()];
    for (int geom : geoms) {
      move(geom, pose);
      pose += 12;
    }
  }
  void all_distances(const Work& work, size_t number, double* answers) {
    place(number);
    for (size_t pair = 0; pair + 1 < work.body_pairs.size(); ++pair) {
      answers[pair] = 1e3;
      for (size_t p = work.body_pairs[pair]; p < work.body_pairs[pair + 1]; ++p)
        nearer(geoms[work.pairs[2 * p]], geoms[work.pairs[2 * p + 1]], answers[pair]);
    }
  }
  double ask(const Work& work, size_t number) {
    place(number);
    const auto [from, to] = work.changes.of(number);
    for (size_t row = from; row < to; ++row) move(fixed[work.changes.rows[row].obstacle], &at[12 * row]);
    if (!work.wants_distance()) {
      for (size_t p = 0; p < work.pairs.size(); p += 2) {
        double best = 0.0;
        nearer(geoms[work.pairs[p]], geoms[work.pairs[p + 1]], best);
        if (best < 0.0) return 0.0;
      }
      for (int geom : geoms)
        for (int obstacle : fixed) {
          double best = 0.0;
          nearer(geom, obstacle, best);
          if (best < 0.0) return 0.0;
        }
      return -1.0;
    }
    double best = 1e3;
    for (size_t p = 0; p < work.pairs.size(); p += 2)
      nearer(geoms[work.pairs[p]], geoms[work.pairs[p + 1]], best);
    // What is held may touch the hand, and is asked about other obstacles too.
    const int held = work.changes.held > 0 ? fixed[work.changes.rows[from].obstacle] : -1;
    for (int geom : geoms)
      for (int obstacle : fixed)
        if (obstacle != held) nearer(geom, obstacle, best);
    if (held < 0) return best;
    for (uint32_t shape : work.changes.meets) nearer(geoms[shape], held, best);
    for (int obstacle : fixed)
      if (obstacle != held) nearer(held, obstacle, best);
    return best;
  }
  void nearer(int a, int b, double& best) {
    const mjtNum* p = data->geom_xpos;
    const double reach = best + model->geom_rbound[a] + model->geom_rbound[b];
    const double x = p[3 * a] - p[3 * b], y = p[3 * a + 1] - p[3 * b + 1], z = p[3 * a + 2] - p[3 * b + 2];
    if (reach > 0.0 && x * x + y * y + z * z >= reach * reach) return;
    best = std::min<double>(best, mj_geomDistance(model, data, a, b, best, points));
  }
};
