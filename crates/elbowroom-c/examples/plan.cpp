// What plan.c does, by the C++17 wrapper.
#include <elbowroom.hpp>

#include <array>
#include <cstdio>
#include <exception>
#include <thread>
#include <vector>

namespace er = elbowroom;

static void print_answer(const char *what, const er::Answer &answer) {
    std::printf("%s %s %.17g %.17g\n", what, er::word(answer.verdict), answer.lower, answer.upper);
}

static void print_edge(const er::World &world, er::Checker &checker, er::Span<const double> from,
                       er::Span<const double> to) {
    const er::Edge edge = checker.edge(from, to);
    if (edge.result == ELBOWROOM_EDGE_RESULT_FREE) {
        checker.verify_edge(from, to);
        std::printf("edge free in %zu pieces\n", edge.piece_count);
    } else if (edge.result == ELBOWROOM_EDGE_RESULT_CONTACT) {
        std::printf("edge contact %.17g %.17g %s %s\n", edge.at[0], edge.at[1], world.body_name(edge.body_a),
                    world.body_name(edge.body_b));
    } else {
        std::printf("edge unknown from %.17g: stop\n", edge.at[0]);
    }
}

static void run(const char *path) {
    const er::World world = er::World::load(path);
    er::Checker checker(world);
    const auto [lower, upper] = world.limits();
    for (std::size_t i = 0; i < world.dof_count(); i++)
        std::printf("joint %s %.17g %.17g\n", world.dof_name(static_cast<std::uint32_t>(i)), lower[i],
                    upper[i]);

    std::vector<double> rows;
    std::uint64_t seed = 7;
    for (int i = 0; i < 2000; i++)
        for (double value : world.draw(seed)) rows.push_back(value);
    std::size_t counts[5] = {};
    for (er::Verdict verdict : checker.test_batch(rows)) counts[verdict]++;
    double least = 1e9;
    for (const er::Interval &interval : checker.nearest_batch(rows, 2))
        if (interval.lower < least) least = interval.lower;
    std::printf("batch %zu clear %zu near %zu collision, least %.17g\n", counts[ELBOWROOM_VERDICT_CLEAR],
                counts[ELBOWROOM_VERDICT_NEAR], counts[ELBOWROOM_VERDICT_COLLISION], least);

    const std::array<double, 2> upright = {0.0, 0.0}, wall = {1.3, 0.4}, away = {-1.3, -0.4};
    print_edge(world, checker, upright, wall);
    print_edge(world, checker, upright, away);

    const std::vector<double> pose = {0.8, 0.3};
    checker.set(pose);
    print_answer("test", checker.test());
    print_answer("bound", checker.lower_bound());
    const er::Answer nearest = checker.nearest();
    print_answer("nearest", nearest);
    const std::vector<double> gradient = checker.gradient(nearest);
    std::printf("gradient %.17g %.17g\n", gradient[0], gradient[1]);
    er::Question wide;
    wide.margin = 0.3;
    for (const er::Answer &pair : checker.nearest_pairs(4, wide)) print_answer("pair", pair);

    const std::uint32_t place = world.find_body("world/found"), forearm = world.find_body("arm/forearm");
    const std::uint32_t part = world.find_body("world/part");
    const er::Shape ball = er::Shape::sphere(0.06);
    const er::Pose at = checker.body_pose(forearm);
    checker.insert_obstacle(place, ball);
    checker.place(place, at);
    print_answer("inserted", checker.nearest());
    print_edge(world, checker, upright, pose);
    checker.remove_obstacle(place);

    checker.attach_at(part, forearm, er::pose_from_xyz_rpy({0.0, 0.0, 0.3}));
    print_answer("carried", checker.nearest());
    print_edge(world, checker, upright, wall);
    checker.detach(part);

    const er::Shape box = er::Shape::box(0.2, 0.2, 0.2, 0.01);
    const er::Clearance clearance = er::distance(ball, at, box, er::identity());
    std::printf("shapes %.17g %.17g\n", clearance.lower, clearance.upper);

    try {
        checker.set(std::array<double, 2>{9.0, 0.0});
    } catch (const er::Error &error) {
        std::printf("refused %s: %s\n", er::word(error.status()), error.what());
    }

    // A checker for each thread: a copy, with the pose and the cell of the first.
    er::Answer there = {};
    checker.forget_history();
    std::thread([copy = checker, &there]() mutable { there = copy.nearest(); }).join();
    if (there.upper != checker.nearest().upper) std::printf("the copy has another answer\n");
}

int main(int count, char **words) {
    if (count != 2) {
        std::fprintf(stderr, "usage: %s WORLD\n", words[0]);
        return 2;
    }
    try {
        run(words[1]);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
    return 0;
}
