// A block of as many configurations as VAMP has lanes, and which of them collide with themselves. Its own
// `fkcc` says of a block only whether any does, and ends there, for a planner then gives up the whole motion.
// So its code is compiled here with a few words changed, all of it its text otherwise: each test of two
// balls notes the lanes in which they touch; where it would give up, it goes on until every lane has touched;
// and the tests of balls against obstacles, of which there are none, are left out.
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

// All that its robots include, before the words change.
#include <vamp/vector.hh>
#include <vamp/vector/math.hh>
#include <vamp/collision/environment.hh>
#include <vamp/collision/validity.hh>

namespace vamp {
constexpr std::size_t LANES = FloatVectorWidth;
static_assert(LANES == 8, "a bit a lane of one vector");
constexpr unsigned ALL = (1u << LANES) - 1;

// Lanes that touch: of the two balls last tested; of any two of links so far.
static unsigned touching, collided;

// VAMP asks this of the ball around a link first, to skip the link if no lane touches, then of its balls.
template <class Vector, class... Numbers>
inline bool lanes_touch(Numbers... numbers) noexcept {
  const Vector gap = collision::sphere_sphere_sql2<Vector>(static_cast<Vector>(numbers)...);
  touching = SIMDVector<SimdFloatT>::mask(gap.data[0]);  // signs
  return touching != 0;
}

// At each `return`: whether it is one for balls of links that touch, and there are lanes left to test.
inline bool go_on() noexcept {
  if (touching == 0) return false;
  collided |= touching;
  touching = 0;
  return collided != ALL;
}
}  // namespace vamp

// Robots of another name: `vamp.cpp` has those with the words as they are, and the linker would join the two.
#define Panda PandaOfLanes
#define UR5 Ur5OfLanes
#define sphere_sphere_self_collision lanes_touch
#define sphere_environment_in_collision(...) false
// The last test before the `return true` at the end touched no lane, or that `return` would have come first.
#define return if (go_on()) {} else return
#include <vamp/robots/panda.hh>
#include <vamp/robots/ur5.hh>
#undef return
#undef sphere_environment_in_collision
#undef sphere_sphere_self_collision
#undef UR5
#undef Panda

template <class Robot>
static unsigned collide(const float* values) {
  using Row = vamp::FloatVector<vamp::LANES>;
  static const vamp::collision::Environment<Row> nothing;
  typename Robot::template ConfigurationBlock<vamp::LANES> block;
  for (size_t k = 0; k < Robot::dimension; ++k) block[k] = Row(values + k * vamp::LANES, false);
  vamp::touching = vamp::collided = 0;
  Robot::template fkcc<vamp::LANES>(nothing, block);
  return vamp::collided;
}

// A bit a lane; `values`: all lanes of the first joint, then of the next.
unsigned panda_lanes(const float* values) { return collide<vamp::robots::PandaOfLanes>(values); }
unsigned ur5_lanes(const float* values) { return collide<vamp::robots::Ur5OfLanes>(values); }
