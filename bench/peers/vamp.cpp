// VAMP by its headers: balls around the links of its own Panda, base and fingers among them, against a cloud
// of points as it keeps it (`CAPT`, made for the balls' radii). It is asked as its `validate` asks: one
// configuration in all lanes of `fkcc`, which computes the kinematics, in f32 (timed), and looks for
// collisions with itself too. Its balls stick out of the links: what touches them alone is a collision to it.
#include <vamp/collision/environment.hh>
#include <vamp/planning/validate.hh>
#include <vamp/robots/panda.hh>

#include "common.hpp"

struct Vamp {
  using Robot = vamp::robots::Panda;
  static constexpr std::size_t LANES = vamp::FloatVectorWidth;

  std::vector<std::vector<vamp::collision::Point>> frames;
  std::vector<Robot::Configuration> configurations;
  vamp::collision::Environment<vamp::FloatVector<LANES>> world;

  bool load(const Work& work, std::string& why) {
    if (work.ask != Ask::CloudReplace && work.ask != Ask::CloudTest) {
      why = "do it with shapes as they are, or tell a distance: its robots are balls, its answers yes or no";
      return false;
    }
    frames.clear(), configurations.clear();
    for (const std::vector<double>& points : work.seen.frames) {
      frames.emplace_back();
      for (size_t i = 0; i < points.size(); i += 3)
        frames.back().push_back(
            {static_cast<float>(points[i]), static_cast<float>(points[i + 1]), static_cast<float>(points[i + 2])});
    }
    for (size_t step = 0; step < work.steps; ++step) {
      Robot::ConfigurationBuffer buffer{};
      for (size_t k = 0; k < Robot::dimension; ++k)
        buffer[k] = static_cast<float>(work.values[step * work.joints.size() + k]);
      configurations.emplace_back(buffer.data());
    }
    take(work, 0);
    return true;
  }
  void take(const Work& work, size_t number) {
    world.pointclouds.clear();
    world.pointclouds.emplace_back(frames[number % frames.size()], Robot::min_radius, Robot::max_radius,
                                   static_cast<float>(work.seen.radius));
  }
  double whole(const Work& work, size_t number) {
    if (work.ask == Ask::CloudReplace) take(work, number);
    const Robot::Configuration& at = configurations[number];
    return vamp::planning::validate_motion<Robot, LANES, 1>(at, at, world) ? -1.0 : 0.0;
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
