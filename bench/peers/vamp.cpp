// VAMP's robots of balls, generated code of its headers: yes or no of the Panda and of the UR5, from the
// joint values, kinematics and all. It asks eight configurations at a time; here all eight are the same one,
// as in its own check of a single configuration. Balls are around the links, and not the links: what is
// between counts as collision, and VAMP has its own list of pairs.
#include <memory>

#include <vamp/collision/environment.hh>
#include <vamp/robots/panda.hh>
#include <vamp/robots/ur5.hh>
#include <vamp/vector.hh>

#include "common.hpp"

constexpr std::size_t RAKE = vamp::FloatVectorWidth;

struct Vamp {
  std::vector<float> values;  // a row a step
  vamp::collision::Environment<vamp::FloatVector<RAKE>> empty;

  template <class Robot>
  static bool knows(const Work& work) {
    return work.joints.size() == Robot::dimension;
  }
  template <class Robot>
  double touches(size_t number) const {
    typename Robot::template ConfigurationBlock<RAKE> block;
    const float* row = &values[number * Robot::dimension];
    for (size_t k = 0; k < Robot::dimension; ++k) block[k] = vamp::FloatVector<RAKE>::fill(row[k]);
    return Robot::template fkcc<RAKE>(empty, block) ? -1.0 : 0.0;
  }

  bool load(const Work& work, std::string& why) {
    const bool known = (work.name == "panda" && knows<vamp::robots::Panda>(work)) ||
                       (work.name == "ur5" && knows<vamp::robots::UR5>(work));
    if (!known || work.ask != Ask::SelfTest || !work.triangles) {
      why = "do it: only whether its own Panda or UR5 of balls collides with itself";
      return false;
    }
    values.assign(work.values.begin(), work.values.end());
    return true;
  }
  void begin_step(size_t) {}
  void restart() {}
  double whole(const Work& work, size_t number) {
    return work.name == "ur5" ? touches<vamp::robots::UR5>(number) : touches<vamp::robots::Panda>(number);
  }
  void all_distances(const Work&, size_t, double*) {}
  double distance(uint32_t, uint32_t, size_t, size_t) { return 0.0; }
  double warm_distance(uint32_t, uint32_t, size_t, size_t) { return 0.0; }
  double depth(uint32_t, uint32_t, size_t, size_t) { return 0.0; }
  bool collides(uint32_t, uint32_t, size_t, size_t) { return false; }
  double mesh_distance(uint32_t, uint32_t, size_t, size_t, double) { return 0.0; }
};

int main(int count, char** arguments) { return serve<Vamp>(count, arguments); }
