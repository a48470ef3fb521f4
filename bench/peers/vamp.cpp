// VAMP by its headers: balls around the links of its own Panda, base and fingers among them, against a cloud
// of points as it keeps it (`CAPT`, made for the balls' radii), in f32. The balls' places are computed
// (`sphere_fk`, timed), then each ball is asked until one touches. Its own `validate`, which has one
// configuration in all lanes of `fkcc`, is slower for one pose, looks for collisions with itself too, and
// misses more: the larger balls around its links are tried first, and are larger than the tree is made for.
// Its balls stick out of the links in places, and leave corners out: it answers a question of its own.
#include <vamp/collision/capt.hh>
#include <vamp/robots/panda.hh>

#include <optional>

#include "common.hpp"

struct Vamp {
  using Robot = vamp::robots::Panda;
  static constexpr std::size_t LANES = vamp::FloatVectorWidth;

  std::vector<std::vector<vamp::collision::Point>> frames;
  std::vector<Robot::ConfigurationBlock<LANES>> configurations;  // each in all lanes
  std::optional<vamp::collision::CAPT> cloud;
  Robot::Spheres<LANES> balls;

  bool load(const Work& work, std::string& why) {
    if (work.ask != Ask::CloudReplace && work.ask != Ask::CloudTest) {
      why = "do it with shapes as they are, or tell a distance: its robots are balls, its answers yes or no";
      return false;
    }
    frames.clear(), configurations.clear();
    for (const std::vector<double>& points : work.seen.frames) {
      frames.emplace_back();
      for (size_t i = 0; i < points.size(); i += 3)
        frames.back().push_back({static_cast<float>(points[i]), static_cast<float>(points[i + 1]),
                                 static_cast<float>(points[i + 2])});
    }
    for (size_t step = 0; step < work.steps; ++step) {
      configurations.emplace_back();
      for (size_t k = 0; k < Robot::dimension; ++k)
        configurations.back()[k] = vamp::FloatVector<LANES>::fill(
            static_cast<float>(work.values[step * work.joints.size() + k]));
    }
    take(work, 0);
    return true;
  }
  void take(const Work& work, size_t number) {
    cloud.emplace(frames[number % frames.size()], Robot::min_radius, Robot::max_radius,
                  static_cast<float>(work.seen.radius));
  }
  double whole(const Work& work, size_t number) {
    if (work.ask == Ask::CloudReplace) take(work, number);
    Robot::sphere_fk<LANES>(configurations[number], balls);
    for (size_t i = 0; i < Robot::n_spheres; ++i) {
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
