// What every native engine of the bench shares: the reader of `.work` files, the one loop that asks each
// question, the clock, and the line protocol on stdin. An engine supplies only the calls into its library:
//
//   bool load(const Work&, std::string& why)   build shapes and native poses (not timed);
//                                              false: cannot do this ask
//   void begin_step(size_t first_pose)         set the poses of a step, for a library that keeps them (timed)
//   void restart()                             forget the previous query of a motion
//   double distance(a, b, pose_a, pose_b)      separation in metres, anything <= 0 if they overlap
//   double warm_distance(...)                  the same, starting from the previous query if the library can
//   double depth(...)                          signed distance, negative: minus the penetration depth
//   bool collides(...)                         only yes or no
//   double mesh_distance(..., best)            distance of triangles; may stop once it knows it is above
//                                              `best`
//   double whole(const Work&, step)            a question about a whole robot, in the library's own best
//                                              way (timed): the smallest distance; or 0 if anything
//                                              touches and -1 if all is free
//   void all_distances(const Work&, step, double* answers)
//                                              the distance of each pair of a whole robot's bodies (timed)
//   void batch(const Work&, from, to, double* answers)
//                                              only from an engine that has such a call: what `whole` would
//                                              answer, of many poses in one call (timed)
//
// Lines: `load FILE` -> `loaded STEPS` | `cannot WHY`;  `answers FILE` -> `written COUNT`;
//        `run SECONDS` -> `ran MEDIAN MEAN PASSES` (ns a step);  `quit`.
// `ENGINE built FILE` answers `built SECONDS BYTES`: what building the world took, and by how much the
// process grew.
#pragma once
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <iostream>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <unistd.h>
#include <vector>

#include "changes.hpp"

enum class Ask : uint32_t {
  Distance, Coherent, Depth, AllDistances, FirstCollision, SmallestTriangleDistance,
  SelfTest, SelfDistance, SelfDistanceCoherent, SceneDistance, SceneTest, Edge, SelfTestBatch,
  SelfAllDistances, ChangeDistance, Gradient, CloudReplace, CloudDistance, CloudTest, CellsDistance
};

struct ShapeData {
  std::vector<double> vertices;     // x y z, metres
  std::vector<uint32_t> triangles;  // three each, counter-clockwise from outside
  size_t size() const { return vertices.size() / 3; }
};

struct JointData {
  bool slides;
  uint32_t parent;       // 0 the base, k joint k - 1
  uint32_t follows;      // 0 none, k joint k - 1
  double in_parent[12];  // rotation row-major, translation
  double axis[3], limits[2], factor[2];
};

// A shape on a joint (0 the base, k joint k - 1), or of an obstacle in the world.
struct Mount {
  uint32_t number;
  double pose[12];
};

struct Work {
  Ask ask;
  bool triangles;  // else hulls
  std::vector<ShapeData> shapes;
  std::vector<uint32_t> pairs;  // two shape numbers each
  uint32_t steps = 0, a_step = 0;
  std::vector<double> poses;  // 12 each: rotation row-major, translation
  std::vector<JointData> joints;
  std::vector<Mount> mounts;   // one a shape
  std::vector<uint32_t> bodies;  // likewise; pairs of the same two bodies follow one another
  std::vector<size_t> body_pairs;  // where those of each two bodies start, and the end of all
  std::vector<double> values;  // a row of all joints a step; two, start and end, for an edge
  std::vector<ShapeData> obstacle_shapes;
  std::vector<Mount> obstacles;
  std::string name;  // of the robot, if it is one that an engine may have of its own
  Changes changes;
  Seen seen;

  bool whole() const { return ask >= Ask::SelfTest; }
  bool cloud() const {
    return ask == Ask::CloudReplace || ask == Ask::CloudDistance || ask == Ask::CloudTest;
  }
  bool scene() const {
    return ask == Ask::SceneDistance || ask == Ask::SceneTest || ask == Ask::ChangeDistance ||
           ask == Ask::Gradient || ask == Ask::CellsDistance || cloud();
  }
  bool self() const { return whole() && !scene() && ask != Ask::Edge; }
  bool wants_distance() const {
    return ask == Ask::SelfDistance || ask == Ask::SelfDistanceCoherent || ask == Ask::SelfAllDistances ||
           (scene() && ask != Ask::SceneTest && ask != Ask::CloudTest && ask != Ask::CloudReplace);
  }
  bool robot() const { return ask >= Ask::AllDistances; }
  size_t pair_count() const { return pairs.size() / 2; }
  // Steps that are timed together; a batch item asks for so many in one call.
  size_t a_batch() const { return std::max<size_t>(1, steps / 20); }
  size_t answers_a_step() const {
    if (ask == Ask::AllDistances) return pair_count();
    return ask == Ask::SelfAllDistances ? body_pairs.size() - 1 : 1;
  }
};

inline Work read_work(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot open " + path);
  auto take = [&](void* into, size_t bytes) {
    file.read(static_cast<char*>(into), static_cast<std::streamsize>(bytes));
    if (!file) throw std::runtime_error(path + " is cut short");
  };
  auto number = [&] {
    uint32_t value;
    take(&value, 4);
    return value;
  };
  char magic[8];
  take(magic, 8);
  if (std::memcmp(magic, "EBWORK04", 8) != 0) throw std::runtime_error(path + " is not a work file");
  Work work;
  work.ask = static_cast<Ask>(number());
  work.triangles = number() == 1;
  auto take_shapes = [&](std::vector<ShapeData>& shapes) {
    shapes.resize(number());
    for (ShapeData& shape : shapes) {
      uint32_t vertices = number(), triangles = number();
      shape.vertices.resize(3 * size_t(vertices));
      shape.triangles.resize(3 * size_t(triangles));
      take(shape.vertices.data(), 8 * shape.vertices.size());
      take(shape.triangles.data(), 4 * shape.triangles.size());
    }
  };
  auto take_mounts = [&](std::vector<Mount>& mounts) {
    mounts.resize(number());
    for (Mount& mount : mounts) {
      mount.number = number();
      take(mount.pose, sizeof mount.pose);
    }
  };
  take_shapes(work.shapes);
  work.pairs.resize(2 * size_t(number()));
  take(work.pairs.data(), 4 * work.pairs.size());
  work.steps = number();
  work.a_step = number();
  work.poses.resize(12 * size_t(work.steps) * work.a_step);
  take(work.poses.data(), 8 * work.poses.size());
  work.joints.resize(number());
  for (JointData& joint : work.joints) {
    joint.slides = number() == 1;
    joint.parent = number();
    joint.follows = number();
    take(joint.in_parent, sizeof joint.in_parent);
    take(joint.axis, sizeof joint.axis);
    take(joint.limits, sizeof joint.limits);
    take(joint.factor, sizeof joint.factor);
  }
  take_mounts(work.mounts);
  work.bodies.resize(number());
  take(work.bodies.data(), 4 * work.bodies.size());
  if (!work.bodies.empty()) {
    const auto body = [&](size_t p) { return work.bodies[work.pairs[p]]; };
    for (size_t p = 0; p < work.pair_count(); ++p)
      if (p == 0 || body(2 * p) != body(2 * p - 2) || body(2 * p + 1) != body(2 * p - 1))
        work.body_pairs.push_back(p);
    work.body_pairs.push_back(work.pair_count());
  }
  work.values.resize(number());
  take(work.values.data(), 8 * work.values.size());
  take_shapes(work.obstacle_shapes);
  take_mounts(work.obstacles);
  work.name.resize(number());
  take(work.name.data(), work.name.size());
  Changes& changes = work.changes;
  changes.anew = number() == 1;
  changes.held = number();
  changes.meets.resize(number());
  take(changes.meets.data(), 4 * changes.meets.size());
  changes.rows.resize(number());
  changes.starts.assign(size_t(work.steps) + 1, 0);
  for (Change& row : changes.rows) {
    ++changes.starts[number() + 1];
    row.obstacle = number();
    take(row.pose, sizeof row.pose);
  }
  for (size_t step = 0; step < work.steps; ++step) changes.starts[step + 1] += changes.starts[step];
  Seen& seen = work.seen;
  take(&seen.radius, 8);
  seen.frames.resize(number());
  for (std::vector<double>& points : seen.frames) {
    points.resize(3 * size_t(number()));
    take(points.data(), 8 * points.size());
  }
  seen.cells.resize(number());
  take(seen.cells.data(), sizeof(CellData) * seen.cells.size());
  return work;
}

// One step: a query of a pair item, a pose of a robot item.
template <class Engine>
inline void step(Engine& engine, const Work& work, size_t number, double* answers) {
  if (work.ask == Ask::SelfAllDistances) {
    engine.all_distances(work, number, answers);
    return;
  }
  if (work.whole()) {
    *answers = engine.whole(work, number);
    return;
  }
  const size_t first = number * work.a_step;
  engine.begin_step(first);
  if (!work.robot()) {
    const uint32_t a = work.pairs[2 * number], b = work.pairs[2 * number + 1];
    switch (work.ask) {
      case Ask::Distance: *answers = engine.distance(a, b, first, first + 1); return;
      case Ask::Coherent: *answers = engine.warm_distance(a, b, first, first + 1); return;
      default: *answers = engine.depth(a, b, first, first + 1); return;
    }
  }
  const size_t count = work.pair_count();
  const uint32_t* pair = work.pairs.data();
  switch (work.ask) {
    case Ask::AllDistances:
      for (size_t p = 0; p < count; ++p, pair += 2)
        answers[p] = engine.distance(pair[0], pair[1], first + pair[0], first + pair[1]);
      return;
    case Ask::FirstCollision:
      *answers = -1.0;
      for (size_t p = 0; p < count; ++p, pair += 2)
        if (engine.collides(pair[0], pair[1], first + pair[0], first + pair[1])) {
          *answers = static_cast<double>(p);
          return;
        }
      return;
    default: {
      double best = std::numeric_limits<double>::max();
      for (size_t p = 0; p < count; ++p, pair += 2)
        best = std::min(best, engine.mesh_distance(pair[0], pair[1], first + pair[0], first + pair[1], best));
      *answers = best;
    }
  }
}

// Whether an engine has a call for many poses.
template <class Engine, class = void>
struct HasBatch : std::false_type {};
template <class Engine>
struct HasBatch<Engine, std::void_t<decltype(&Engine::batch)>> : std::true_type {};

// All steps once; `batch_ns` receives the mean ns a step of each batch, if wanted.
template <class Engine>
inline void pass(Engine& engine, const Work& work, double* answers, std::vector<double>* batch_ns) {
  using clock = std::chrono::steady_clock;
  const size_t batch = work.a_batch(), stride = work.answers_a_step();
  engine.restart();
  for (size_t from = 0; from < work.steps; from += batch) {
    const size_t to = std::min<size_t>(from + batch, work.steps);
    const auto start = clock::now();
    bool together = false;
    if constexpr (HasBatch<Engine>::value) {
      together = work.ask == Ask::SelfTestBatch;
      if (together) engine.batch(work, from, to, answers + from);
    }
    for (size_t i = from; i < to && !together; ++i) {
      const bool other = work.ask == Ask::Coherent && i > 0 &&
                         (work.pairs[2 * i] != work.pairs[2 * i - 2] ||
                          work.pairs[2 * i + 1] != work.pairs[2 * i - 1]);
      if (other) engine.restart();
      step(engine, work, i, answers + i * stride);
    }
    const double ns = std::chrono::duration<double, std::nano>(clock::now() - start).count();
    if (batch_ns) batch_ns->push_back(ns / static_cast<double>(to - from));
  }
}

// Resident memory of this process, bytes.
inline double resident() {
  long pages = 0, rest = 0;
  std::ifstream("/proc/self/statm") >> rest >> pages;
  return double(pages) * double(sysconf(_SC_PAGESIZE));
}

template <class Engine>
int tell_built(const std::string& path) {
  const Work work = read_work(path);
  Engine engine;
  std::string why;
  const double before = resident();
  const auto start = std::chrono::steady_clock::now();
  if (!engine.load(work, why)) {
    std::cout << "cannot " << why << std::endl;
    return 0;
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::cout << "built " << seconds << " " << std::fixed << resident() - before << std::endl;
  return 0;
}

template <class Engine>
int serve(int count, char** arguments) {
  if (count == 3 && std::string(arguments[1]) == "built") return tell_built<Engine>(arguments[2]);
  Engine engine;
  Work work;
  std::vector<double> answers;
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string verb, rest;
    words >> verb >> std::ws;
    std::getline(words, rest);
    try {
      if (verb == "load") {
        work = read_work(rest);
        answers.assign(size_t(work.steps) * work.answers_a_step(), 0.0);
        std::string why;
        if (engine.load(work, why))
          std::cout << "loaded " << work.steps << std::endl;
        else
          std::cout << "cannot " << why << std::endl;
      } else if (verb == "answers") {
        pass(engine, work, answers.data(), nullptr);
        std::ofstream file(rest, std::ios::binary);
        file.write(reinterpret_cast<const char*>(answers.data()),
                   static_cast<std::streamsize>(8 * answers.size()));
        file.close();  // before the reply: who reads it reads the file at once
        std::cout << (file ? "written " : "cannot write ") << answers.size() << std::endl;
      } else if (verb == "run") {
        const double seconds = std::strtod(rest.c_str(), nullptr);
        const auto start = std::chrono::steady_clock::now();
        std::vector<double> batches;
        int passes = 0;
        do {
          pass(engine, work, answers.data(), &batches);
          ++passes;
        } while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds);
        double sum = 0.0;
        for (double ns : batches) sum += ns;
        std::sort(batches.begin(), batches.end());
        const size_t n = batches.size();
        const double median = 0.5 * (batches[(n - 1) / 2] + batches[n / 2]);
        std::printf("ran %.3f %.3f %d\n", median, sum / static_cast<double>(n), passes);
        std::fflush(stdout);
      } else if (verb == "quit") {
        return 0;
      } else {
        std::cout << "cannot understand " << verb << std::endl;
      }
    } catch (const std::exception& error) {
      std::string text = error.what();
      std::replace(text.begin(), text.end(), '\n', ' ');
      std::cout << "cannot " << text << std::endl;
    }
  }
  return 0;
}
