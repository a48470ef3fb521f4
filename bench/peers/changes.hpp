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

// A cube, parallel to the axes.
struct CellData {
  double centre[3], edge;
};

struct Seen {
  double radius = 0.0;                      // of the ball at each point
  std::vector<std::vector<double>> frames;  // points, three numbers each
  std::vector<CellData> cells;
};
