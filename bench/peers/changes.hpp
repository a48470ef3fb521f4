// What a work file says about a world that changes, and about what sensors saw of it.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

// An obstacle is placed elsewhere before a step is asked.
struct Change {
  uint32_t obstacle;
  double pose[12];  // world <- obstacle
};

struct Changes {
  bool anew = false;           // a peer makes its structure over the obstacles anew before each step
  uint32_t held = 0;           // else 0: what is placed hangs on this joint while it is asked about
  std::vector<uint32_t> meets;  // shapes of the robot that what is held must not touch
  std::vector<Change> rows;
  std::vector<size_t> starts;  // where the rows of each step start, and the end of all

  // The numbers of the rows of a step: from the first to before the second.
  std::pair<size_t, size_t> of(size_t step) const { return {starts[step], starts[step + 1]}; }
};

// Obstacles in a manager of coal or of FCL, whose classes have the same methods: where they are, and what a
// step changes. `Poses` is the library's list of poses.
template <class Object, class Poses>
struct ManagedObstacles {
  Poses at, homes;                 // of each change; of each obstacle at first
  std::vector<Object*> all, some;  // obstacles; those that the last step has placed

  static void place(Object& object, const typename Poses::value_type& pose) {
    object.setTransform(pose);
    object.computeAABB();
  }
  template <class Manager>
  void fill(Manager& manager) const {
    manager.clear();
    manager.registerObjects(all);
    manager.setup();
  }
  // Puts all obstacles where they were at first.
  template <class Manager>
  void forget(Manager& manager) const {
    for (size_t o = 0; o < all.size(); ++o) place(*all[o], homes[o]);
    fill(manager);
  }

  // Places what a step places, and tells the manager. An obstacle that a joint holds is taken out of the
  // manager and returned.
  template <class Manager>
  Object* step(const Changes& changes, size_t number, Manager& manager) {
    const auto [from, to] = changes.of(number);
    some.clear();
    for (size_t row = from; row < to; ++row) {
      some.push_back(all[changes.rows[row].obstacle]);
      place(*some.back(), at[row]);
    }
    const bool held = changes.held > 0;
    if (changes.anew)
      fill(manager);
    else if (held)
      manager.unregisterObject(some.front());
    else if (some.size() == all.size())
      manager.update();
    else if (!some.empty())
      manager.update(some.front());
    return held ? some.front() : nullptr;
  }
};

// A cube, parallel to the axes.
struct CellData {
  double centre[3], edge;
};

struct Seen {
  double radius = 0.0;                      // of the ball at each point
  std::vector<std::vector<double>> frames;  // points, three numbers each
  std::vector<CellData> cells;
};
