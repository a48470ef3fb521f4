// elbowroom for C++17: objects that free themselves, spans, and exceptions, over elbowroom.h and nothing
// more.
//
// elbowroom.h says what the function of the same name does, and which thread may call it. A failure throws
// elbowroom::Error. Destructors and the steps of a Guard do not throw. Objects can be moved, and a Checker
// can be copied. A moved-from object can only be assigned to or destroyed.
#ifndef ELBOWROOM_HPP
#define ELBOWROOM_HPP

#include "elbowroom.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace elbowroom {

/// A view of values in a row, which it does not own. Made of a pointer and a length, or of anything with
/// data() and size(): a vector, an array, a std::span of C++20.
template <class T> class Span {
  public:
    constexpr Span() noexcept = default;
    constexpr Span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
    template <std::size_t N> constexpr Span(T (&values)[N]) noexcept : data_(values), size_(N) {}
    template <class Values, class = std::enable_if_t<std::is_convertible_v<
                                decltype(std::declval<Values &>().data()), T *>>>
    constexpr Span(Values &&values) noexcept : data_(values.data()), size_(values.size()) {}

    constexpr T *data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return size_; }
    constexpr bool empty() const noexcept { return size_ == 0; }
    constexpr T *begin() const noexcept { return data_; }
    constexpr T *end() const noexcept { return data_ + size_; }
    constexpr T &operator[](std::size_t index) const { return data_[index]; }

  private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

using Answer = ElbowroomAnswer;
using Clearance = ElbowroomClearance;
using Command = ElbowroomCommand;
using Edge = ElbowroomEdge;
using Interval = ElbowroomInterval;
using Pose = ElbowroomPose;
using Status = ElbowroomStatus;
using Verdict = ElbowroomVerdict;

/// No body, no pair, no joint value, no arm.
inline constexpr std::uint32_t none = ELBOWROOM_NONE;

/// Why a call failed: what() has the words, with every fault on a line of its own.
class Error : public std::runtime_error {
  public:
    Error(Status status, const char *words) : std::runtime_error(words), status_(status) {}
    Status status() const noexcept { return status_; }

  private:
    Status status_;
};

namespace detail {

inline void check(Status status) {
    if (status != ELBOWROOM_STATUS_OK) throw Error(status, elbowroom_last_error());
}

/// For the calls that return a number or a text instead of a status.
template <class T> T check_found(T found, T absent) {
    if (found == absent) throw Error(ELBOWROOM_STATUS_BAD_ARGUMENT, elbowroom_last_error());
    return found;
}

struct Free {
    void operator()(ElbowroomWorld *world) const noexcept { elbowroom_world_free(world); }
    void operator()(ElbowroomChecker *checker) const noexcept { elbowroom_checker_free(checker); }
    void operator()(ElbowroomShape *shape) const noexcept { elbowroom_shape_free(shape); }
    void operator()(ElbowroomGuard *guard) const noexcept { elbowroom_guard_free(guard); }
};

template <class T> using Owned = std::unique_ptr<T, Free>;

inline const double *pointer(const std::optional<double> &value) { return value ? &*value : nullptr; }

/// Makes an object by a call that writes a pointer to it.
template <class T, class Make> Owned<T> make(Make &&call) {
    T *made = nullptr;
    check(call(&made));
    return Owned<T>(made);
}

} // namespace detail

inline const char *word(Verdict verdict) { return elbowroom_verdict_word(verdict); }
inline const char *word(Status status) { return elbowroom_status_word(status); }
inline Pose identity() { return elbowroom_pose_identity(); }

inline Pose pose_from_xyz_rpy(const double (&xyz)[3], const double (&rpy)[3] = {0.0, 0.0, 0.0}) {
    Pose pose;
    detail::check(elbowroom_pose_from_xyz_rpy(xyz, rpy, &pose));
    return pose;
}

inline Pose pose_from_xyz_quat_wxyz(const double (&xyz)[3], const double (&quat_wxyz)[4]) {
    Pose pose;
    detail::check(elbowroom_pose_from_xyz_quat_wxyz(xyz, quat_wxyz, &pose));
    return pose;
}

/// Settings of a question. Without a margin, the world's margin counts.
struct Question {
    std::optional<double> margin = {};
    std::optional<double> cutoff = {};
    bool use_hulls = false;
    bool tight_depth = false;

    ElbowroomQuestion raw() const {
        return {detail::pointer(margin), detail::pointer(cutoff), use_hulls, tight_depth};
    }
};

/// Settings of a question about a motion.
struct EdgeOptions {
    bool only_whether_free = false;
    bool use_hulls = false;
    bool ignore_limits = false;
    std::optional<double> margin = {};
    std::optional<double> resolution = {};
    std::uint64_t work = 0;

    ElbowroomEdgeOptions raw() const {
        return {only_whether_free,        use_hulls,
                ignore_limits,            detail::pointer(margin),
                detail::pointer(resolution), work};
    }
};

/// How a world is read.
struct LoadOptions {
    std::vector<std::string> package_paths = {};
    std::optional<std::string> srdf = {};
    bool no_srdf = false;
    bool allow_zero_overlaps = false;
    std::optional<double> margin = {};
    std::optional<double> padding = {};
};

namespace detail {

template <class Call> ElbowroomWorld *load(const LoadOptions &options, Call &&call) {
    std::vector<const char *> paths;
    for (const std::string &path : options.package_paths) paths.push_back(path.c_str());
    const char *srdf = options.srdf ? options.srdf->c_str() : nullptr;
    const ElbowroomLoadOptions raw = {paths.data(),    paths.size(),
                                      srdf,            options.no_srdf,
                                      options.allow_zero_overlaps, pointer(options.margin),
                                      pointer(options.padding)};
    ElbowroomWorld *world = nullptr;
    check(call(&raw, &world));
    return world;
}

} // namespace detail

/// Robots and their cell, compiled: for all threads.
class World {
  public:
    /// From a URDF or a world file. Throws every fault of every file.
    static World load(const std::string &path, const LoadOptions &options = {}) {
        return World(detail::load(options, [&](const ElbowroomLoadOptions *raw, ElbowroomWorld **world) {
            return elbowroom_world_load(path.c_str(), raw, world);
        }));
    }

    /// From a text, read as if it lay at a path.
    static World from_text(std::string_view text, const std::string &path, const LoadOptions &options = {}) {
        return World(detail::load(options, [&](const ElbowroomLoadOptions *raw, ElbowroomWorld **world) {
            return elbowroom_world_from_text(text.data(), text.size(), path.c_str(), raw, world);
        }));
    }

    const char *warnings() const { return elbowroom_world_warnings(get()); }
    std::size_t dof_count() const { return elbowroom_world_dof_count(get()); }
    std::size_t body_count() const { return elbowroom_world_body_count(get()); }
    std::size_t pair_count() const { return elbowroom_world_pair_count(get()); }
    double margin() const { return elbowroom_world_margin(get()); }

    const char *dof_name(std::uint32_t dof) const {
        return detail::check_found<const char *>(elbowroom_world_dof_name(get(), dof), nullptr);
    }
    const char *body_name(std::uint32_t body) const {
        return detail::check_found<const char *>(elbowroom_world_body_name(get(), body), nullptr);
    }
    std::uint32_t find_dof(const std::string &name) const {
        return detail::check_found(elbowroom_world_find_dof(get(), name.c_str()), none);
    }
    std::uint32_t find_body(const std::string &name) const {
        return detail::check_found(elbowroom_world_find_body(get(), name.c_str()), none);
    }
    ElbowroomPairStatus pair_status(std::uint32_t a, std::uint32_t b) const {
        return elbowroom_world_pair_status(get(), a, b);
    }

    /// The lower limits of all joint values, and the upper ones.
    std::pair<std::vector<double>, std::vector<double>> limits() const {
        std::vector<double> lower(dof_count()), upper(dof_count());
        detail::check(elbowroom_world_limits(get(), lower.data(), upper.data(), lower.size()));
        return {std::move(lower), std::move(upper)};
    }
    std::vector<double> neutral() const {
        std::vector<double> values(dof_count());
        detail::check(elbowroom_world_neutral(get(), values.data(), values.size()));
        return values;
    }
    std::vector<double> draw(std::uint64_t &seed) const {
        std::vector<double> values(dof_count());
        detail::check(elbowroom_world_draw(get(), &seed, values.data(), values.size()));
        return values;
    }

    const ElbowroomWorld *get() const noexcept { return world_.get(); }

  private:
    explicit World(ElbowroomWorld *world) : world_(world) {}
    detail::Owned<ElbowroomWorld> world_;
};

/// A shape, compiled once: for all threads. Sizes are metres.
class Shape {
  public:
    using Point = double[3];
    using Triangle = std::uint32_t[3];

    static Shape sphere(double radius, double padding = 0.0) {
        return Shape([=](ElbowroomShape **shape) { return elbowroom_shape_sphere(radius, padding, shape); });
    }
    static Shape box(double x, double y, double z, double padding = 0.0) {
        return Shape([=](ElbowroomShape **shape) { return elbowroom_shape_box(x, y, z, padding, shape); });
    }
    static Shape capsule(double radius, double length, double padding = 0.0) {
        return Shape([=](ElbowroomShape **shape) {
            return elbowroom_shape_capsule(radius, length, padding, shape);
        });
    }
    static Shape cylinder(double radius, double length, double padding = 0.0) {
        return Shape([=](ElbowroomShape **shape) {
            return elbowroom_shape_cylinder(radius, length, padding, shape);
        });
    }
    static Shape cone(double radius, double length, double padding = 0.0) {
        return Shape([=](ElbowroomShape **shape) {
            return elbowroom_shape_cone(radius, length, padding, shape);
        });
    }
    static Shape ellipsoid(double x, double y, double z, double padding = 0.0) {
        return Shape([=](ElbowroomShape **shape) {
            return elbowroom_shape_ellipsoid(x, y, z, padding, shape);
        });
    }
    static Shape convex(Span<const Point> points, double padding = 0.0) {
        return Shape([=](ElbowroomShape **shape) {
            return elbowroom_shape_convex(points.data(), points.size(), padding, shape);
        });
    }
    static Shape mesh(Span<const Point> vertices, Span<const Triangle> triangles, double padding = 0.0) {
        return Shape([=](ElbowroomShape **shape) {
            return elbowroom_shape_mesh(vertices.data(), vertices.size(), triangles.data(), triangles.size(),
                                        padding, shape);
        });
    }

    const ElbowroomShape *get() const noexcept { return shape_.get(); }

  private:
    template <class Make> explicit Shape(Make &&call) : shape_(detail::make<ElbowroomShape>(call)) {}
    detail::Owned<ElbowroomShape> shape_;
};

/// The proved signed distance of two shapes at poses in the world.
inline Clearance distance(const Shape &a, const Pose &a_in_world, const Shape &b, const Pose &b_in_world) {
    Clearance clearance;
    detail::check(elbowroom_shape_distance(a.get(), &a_in_world, b.get(), &b_in_world, &clearance));
    return clearance;
}

/// A pose of a world, and questions about it: one for each thread.
class Checker {
  public:
    explicit Checker(const World &world)
        : checker_(detail::make<ElbowroomChecker>(
              [&](ElbowroomChecker **made) { return elbowroom_checker_new(world.get(), made); })),
          dof_count_(world.dof_count()) {}
    Checker(const Checker &other)
        : checker_(detail::make<ElbowroomChecker>(
              [&](ElbowroomChecker **made) { return elbowroom_checker_clone(other.get(), made); })),
          dof_count_(other.dof_count_) {}
    Checker &operator=(const Checker &other) { return *this = Checker(other); }
    Checker(Checker &&) noexcept = default;
    Checker &operator=(Checker &&) noexcept = default;
    ~Checker() = default;

    void set(Span<const double> values) {
        detail::check(elbowroom_checker_set(get(), values.data(), values.size()));
    }
    void set_ignoring_limits(Span<const double> values) {
        detail::check(elbowroom_checker_set_ignoring_limits(get(), values.data(), values.size()));
    }
    std::vector<double> values() const {
        std::vector<double> values(dof_count_);
        detail::check(elbowroom_checker_values(get(), values.data(), values.size()));
        return values;
    }
    Pose body_pose(std::uint32_t body) const {
        Pose pose;
        detail::check(elbowroom_checker_body_pose(get(), body, &pose));
        return pose;
    }

    Answer test(const Question &question = {}) { return ask(elbowroom_checker_test, question); }
    Answer lower_bound(const Question &question = {}) { return ask(elbowroom_checker_lower_bound, question); }
    Answer nearest(const Question &question = {}) { return ask(elbowroom_checker_nearest, question); }

    /// The nearest pairs, at most so many. None of them does not mean clear: `all` gets the answer for all
    /// pairs together.
    std::vector<Answer> nearest_pairs(std::size_t most, const Question &question = {},
                                      Answer *all = nullptr) {
        std::vector<Answer> answers(most);
        const ElbowroomQuestion raw = question.raw();
        std::size_t count = 0;
        detail::check(elbowroom_checker_nearest_pairs(get(), &raw, answers.data(), most, &count, all));
        answers.resize(count);
        return answers;
    }
    std::vector<double> gradient(const Answer &answer) {
        std::vector<double> gradient(dof_count_);
        detail::check(elbowroom_checker_gradient(get(), &answer, gradient.data(), gradient.size()));
        return gradient;
    }
    void forget_history() { detail::check(elbowroom_checker_forget_history(get())); }

    void place(std::uint32_t body, const Pose &body_in_world) {
        detail::check(elbowroom_checker_place(get(), body, &body_in_world));
    }
    /// From where both are now.
    void attach(std::uint32_t body, std::uint32_t carrier, Span<const std::uint32_t> touch = {}) {
        detail::check(elbowroom_checker_attach(get(), body, carrier, nullptr, touch.data(), touch.size()));
    }
    /// At a pose in the carrier's frame.
    void attach_at(std::uint32_t body, std::uint32_t carrier, const Pose &body_in_carrier,
                   Span<const std::uint32_t> touch = {}) {
        detail::check(
            elbowroom_checker_attach(get(), body, carrier, &body_in_carrier, touch.data(), touch.size()));
    }
    void detach(std::uint32_t body) { detail::check(elbowroom_checker_detach(get(), body)); }
    void hide(std::uint32_t body) { detail::check(elbowroom_checker_hide(get(), body)); }
    void show(std::uint32_t body) { detail::check(elbowroom_checker_show(get(), body)); }
    void set_door(std::uint32_t body, double value) {
        detail::check(elbowroom_checker_set_door(get(), body, value));
    }
    void insert_obstacle(std::uint32_t place, const Shape &shape) {
        detail::check(elbowroom_checker_insert_obstacle(get(), place, shape.get()));
    }
    void remove_obstacle(std::uint32_t place) {
        detail::check(elbowroom_checker_remove_obstacle(get(), place));
    }
    void update_cloud(std::uint32_t cloud, Span<const Shape::Point> points) {
        detail::check(elbowroom_checker_update_cloud(get(), cloud, points.data(), points.size()));
    }
    void allow_contact(std::uint32_t a, std::uint32_t b) {
        detail::check(elbowroom_checker_allow_contact(get(), a, b));
    }
    void check_again(std::uint32_t a, std::uint32_t b) {
        detail::check(elbowroom_checker_check_again(get(), a, b));
    }

    /// A verdict for each row of joint values; on all cores, or on so many threads. Throws where a row is
    /// refused.
    std::vector<Verdict> test_batch(Span<const double> rows, std::size_t threads = 0,
                                    const Question &question = {}) {
        std::vector<Verdict> verdicts(row_count(rows));
        const ElbowroomQuestion raw = question.raw();
        detail::check(elbowroom_checker_test_batch(get(), rows.data(), rows.size(), &raw, threads,
                                                   verdicts.data(), verdicts.size()));
        return verdicts;
    }
    /// The clearance for each row of joint values.
    std::vector<Interval> nearest_batch(Span<const double> rows, std::size_t threads = 0,
                                        const Question &question = {}) {
        std::vector<Interval> intervals(row_count(rows));
        const ElbowroomQuestion raw = question.raw();
        detail::check(elbowroom_checker_nearest_batch(get(), rows.data(), rows.size(), &raw, threads,
                                                      intervals.data(), intervals.size()));
        return intervals;
    }

    Edge edge(Span<const double> from, Span<const double> to, const EdgeOptions &options = {}) {
        check_ends(from, to);
        const ElbowroomEdgeOptions raw = options.raw();
        Edge edge;
        detail::check(elbowroom_checker_edge(get(), from.data(), to.data(), from.size(), &raw, &edge));
        return edge;
    }
    /// Throws where the proof of the last edge does not hold.
    void verify_edge(Span<const double> from, Span<const double> to, const EdgeOptions &options = {}) {
        check_ends(from, to);
        const ElbowroomEdgeOptions raw = options.raw();
        detail::check(elbowroom_checker_verify_edge(get(), from.data(), to.data(), from.size(), &raw));
    }

    ElbowroomChecker *get() const noexcept { return checker_.get(); }

  private:
    template <class Ask> Answer ask(Ask call, const Question &question) {
        const ElbowroomQuestion raw = question.raw();
        Answer answer;
        detail::check(call(get(), &raw, &answer));
        return answer;
    }
    std::size_t row_count(Span<const double> rows) const {
        return dof_count_ > 0 ? rows.size() / dof_count_ : 0;
    }
    static void check_ends(Span<const double> from, Span<const double> to) {
        if (from.size() != to.size())
            throw Error(ELBOWROOM_STATUS_BAD_ARGUMENT, "the two ends of an edge have different lengths");
    }

    detail::Owned<ElbowroomChecker> checker_;
    std::size_t dof_count_ = 0;
};

/// A guard of a world: a step is a call.
class Guard {
  public:
    static Guard load(const World &world, const std::string &path) {
        return Guard(
            [&](ElbowroomGuard **guard) { return elbowroom_guard_load(world.get(), path.c_str(), guard); });
    }
    static Guard from_text(const World &world, std::string_view text, const std::string &path) {
        return Guard([&](ElbowroomGuard **guard) {
            return elbowroom_guard_from_text(world.get(), text.data(), text.size(), path.c_str(), guard);
        });
    }

    /// Never throws: where a step cannot be made, its command is to stop at once.
    Command step(const ElbowroomState &state) noexcept {
        Command command;
        elbowroom_guard_step(get(), &state, &command);
        return command;
    }
    /// Judges silence until now. Never throws, as step().
    Command step_without(double now) noexcept {
        Command command;
        elbowroom_guard_step_without(get(), now, &command);
        return command;
    }
    void reset(double t) { detail::check(elbowroom_guard_reset(get(), t)); }

    /// For the events: elbowroom_guard_place and its kin.
    ElbowroomGuard *get() const noexcept { return guard_.get(); }

  private:
    template <class Make> explicit Guard(Make &&call) : guard_(detail::make<ElbowroomGuard>(call)) {}
    detail::Owned<ElbowroomGuard> guard_;
};

} // namespace elbowroom

#endif
