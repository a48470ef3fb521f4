// VAMP by its headers: balls around the links of its own robots, in f32, kinematics timed. Its balls stick
// out of the links in places, and leave corners out: it answers a question of its own.
//
// A cloud of points as it keeps it (`CAPT`, made for the balls' radii), and its Panda, base and fingers among
// its balls. The balls' places are computed (`sphere_fk`), then each ball is asked until one touches. Its own
// `validate`, which has one configuration in all lanes of `fkcc`, is slower for one pose, looks for
// collisions with itself too, and misses more: the larger balls around its links are tried first, and are
// larger than the tree is made for.
//
// A robot with itself, its Panda and its UR5 with the gripper: `fkcc`, one configuration in all lanes, the
// tests against obstacles compiled out. With them, and an environment that is empty, as `validate` calls it,
// it took 1.5 times as long (of the Panda 600 ns and 410 ns, of the UR5 250 ns and 165 ns, on an AMD EPYC);
// blocks of one lane (`fkcc<1>`) took 480 ns. A batch is blocks of as many configurations as there are lanes,
// and each gets its own answer (`vamp_lanes.cpp`): 110 ns and 75 ns a pose. `fkcc` of such a block, which
// tells only whether any of eight collides, took 48 ns and 4 ns; with the eight one by one after each block
// in which any does, 270 ns and 168 ns. Values are put into lanes before the clock starts.
#include <vamp/collision/capt.hh>
#include <vamp/collision/environment.hh>
#include <vamp/collision/validity.hh>

#define sphere_environment_in_collision(...) false
#include <vamp/robots/panda.hh>
#include <vamp/robots/ur5.hh>
#undef sphere_environment_in_collision

#include <optional>

#include "common.hpp"

constexpr std::size_t LANES = vamp::FloatVectorWidth;

// In vamp_lanes.cpp: which lanes collide, a bit each.
unsigned panda_lanes(const float* values);
unsigned ur5_lanes(const float* values);

// That the work's robot moves as VAMP's does: each ball has to stay where it is on one of the bodies in every
// pose (metres; f32 and its own sine and cosine).
constexpr double SAME_PLACE = 1e-5;

template <class Robot>
bool moves_alike(const Work& work) {
  if (work.joints.size() != Robot::dimension) return false;
  std::vector<typename Robot::template Spheres<LANES>> balls(work.steps);
  for (size_t step = 0; step < work.steps; ++step) {
    typename Robot::template ConfigurationBlock<LANES> values;
    for (size_t k = 0; k < Robot::dimension; ++k)
      values[k] = vamp::FloatVector<LANES>::fill(float(work.values[step * Robot::dimension + k]));
    Robot::template sphere_fk<LANES>(values, balls[step]);
  }
  const size_t bodies = work.shapes.size();
  for (size_t i = 0; i < Robot::n_spheres; ++i) {
    const std::pair<size_t, size_t> at{i, 0};
    const auto stays = [&](size_t body) {
      double in_body[3];
      for (size_t step = 0; step < work.steps; ++step) {
        const double* pose = &work.poses[12 * (step * bodies + body)];
        const double center[3] = {balls[step].x[at] - pose[9], balls[step].y[at] - pose[10],
                                  balls[step].z[at] - pose[11]};
        double off = 0.0;
        for (int c = 0; c < 3; ++c) {
          const double here = pose[c] * center[0] + pose[3 + c] * center[1] + pose[6 + c] * center[2];
          if (step == 0) in_body[c] = here;
          off = std::max(off, std::abs(here - in_body[c]));
        }
        if (off > SAME_PLACE) return false;
      }
      return true;
    };
    size_t body = 0;
    while (body < bodies && !stays(body)) ++body;
    if (body == bodies) return false;
  }
  return true;
}

template <class Robot>
bool touches_itself(const float* values) {
  using Row = vamp::FloatVector<LANES>;
  static const vamp::collision::Environment<Row> nothing;
  typename Robot::template ConfigurationBlock<LANES> block;
  for (size_t k = 0; k < Robot::dimension; ++k) block[k] = Row::fill(values[k]);
  return !Robot::template fkcc<LANES>(nothing, block);
}

struct Vamp {
  using Panda = vamp::robots::Panda;
  using Ur5 = vamp::robots::UR5;

  std::vector<std::vector<vamp::collision::Point>> frames;
  std::vector<Panda::ConfigurationBlock<LANES>> configurations;  // each in all lanes
  std::optional<vamp::collision::CAPT> cloud;
  Panda::Spheres<LANES> balls;
  bool (*test)(const float*) = nullptr;
  unsigned (*test_lanes)(const float*) = nullptr;
  std::vector<float> values, lanes;  // a row a pose; a block of lanes of each joint
  size_t blocks_a_batch = 0;

  bool load(const Work& work, std::string& why) {
    if (work.ask == Ask::SelfTest || work.ask == Ask::SelfTestBatch) return load_alone(work, why);
    if (work.ask != Ask::CloudReplace && work.ask != Ask::CloudTest) {
      why = "do it with shapes as they are, or tell a distance: its robots are balls, its answers yes or no";
      return false;
    }
    test = nullptr;
    frames.clear(), configurations.clear();
    for (const std::vector<double>& points : work.seen.frames) {
      frames.emplace_back();
      for (size_t i = 0; i < points.size(); i += 3)
        frames.back().push_back({static_cast<float>(points[i]), static_cast<float>(points[i + 1]),
                                 static_cast<float>(points[i + 2])});
    }
    for (size_t step = 0; step < work.steps; ++step) {
      configurations.emplace_back();
      for (size_t k = 0; k < Panda::dimension; ++k)
        configurations.back()[k] = vamp::FloatVector<LANES>::fill(
            static_cast<float>(work.values[step * work.joints.size() + k]));
    }
    take(work, 0);
    return true;
  }
  bool load_alone(const Work& work, std::string& why) {
    const bool panda = work.name == "panda", ur5 = work.name == "ur5";
    if (!(panda && moves_alike<Panda>(work)) && !(ur5 && moves_alike<Ur5>(work))) {
      why = "do it: it has no such robot";
      return false;
    }
    test = panda ? touches_itself<Panda> : touches_itself<Ur5>;
    test_lanes = panda ? panda_lanes : ur5_lanes;
    values.assign(work.values.begin(), work.values.end());
    // What is left over at the end of a batch is filled up with its last pose.
    const size_t batch = work.a_batch(), width = work.joints.size();
    blocks_a_batch = (batch + LANES - 1) / LANES;
    lanes.clear();
    for (size_t from = 0; from < work.steps; from += batch)
      for (size_t block = 0; block < blocks_a_batch; ++block)
        for (size_t k = 0; k < width; ++k)
          for (size_t lane = 0; lane < LANES; ++lane) {
            const size_t last = std::min<size_t>(from + batch, work.steps) - 1;
            lanes.push_back(values[std::min(from + block * LANES + lane, last) * width + k]);
          }
    return true;
  }
  void batch(const Work& work, size_t from, size_t to, double* answers) {
    const size_t size = LANES * work.joints.size();
    const float* block = &lanes[from / work.a_batch() * blocks_a_batch * size];
    for (size_t i = 0; i < to - from; i += LANES, block += size) {
      const unsigned collided = test_lanes(block);
      for (size_t lane = 0; lane < std::min(LANES, to - from - i); ++lane)
        answers[i + lane] = (collided >> lane & 1) != 0 ? 0.0 : -1.0;
    }
  }
  void take(const Work& work, size_t number) {
    cloud.emplace(frames[number % frames.size()], Panda::min_radius, Panda::max_radius,
                  static_cast<float>(work.seen.radius));
  }
  double whole(const Work& work, size_t number) {
    if (test) return test(&values[number * work.joints.size()]) ? 0.0 : -1.0;
    if (work.ask == Ask::CloudReplace) take(work, number);
    Panda::sphere_fk<LANES>(configurations[number], balls);
    for (size_t i = 0; i < Panda::n_spheres; ++i) {
      const std::pair<size_t, size_t> at{i, 0};
      if (cloud->collides({balls.x[at], balls.y[at], balls.z[at]}, balls.r[at])) return 0.0;
    }
    return -1.0;
  }
  void begin_step(size_t) {}
  void restart() {}
  void all_distances(const Work&, size_t, double*) {}
  double distance(uint32_t, uint32_t, size_t, size_t) { return 0.0; }
  double warm_distance(uint32_t, uint32_t, size_t, size_t) { return 0.0; }
  double depth(uint32_t, uint32_t, size_t, size_t) { return 0.0; }
  bool collides(uint32_t, uint32_t, size_t, size_t) { return false; }
  double mesh_distance(uint32_t, uint32_t, size_t, size_t, double) { return 0.0; }
};

int main(int count, char** arguments) { return serve<Vamp>(count, arguments); }
