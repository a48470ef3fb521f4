// What a planner asks: many poses at once, the way between two poses, and a cell that changes.
#include <elbowroom.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { POSES = 2000, MOST_PAIRS = 4 };

static void check(ElbowroomStatus status) {
    if (status == ELBOWROOM_STATUS_OK) return;
    fprintf(stderr, "%s: %s\n", elbowroom_status_word(status), elbowroom_last_error());
    exit(2);
}

static void print_answer(const char *what, const ElbowroomAnswer *answer) {
    printf("%s %s %.17g %.17g\n", what, elbowroom_verdict_word(answer->verdict), answer->lower,
           answer->upper);
}

static void print_joints(const ElbowroomWorld *world, size_t dofs) {
    double *lower = calloc(dofs, sizeof *lower), *upper = calloc(dofs, sizeof *upper);
    check(elbowroom_world_limits(world, lower, upper, dofs));
    for (size_t i = 0; i < dofs; i++)
        printf("joint %s %.17g %.17g\n", elbowroom_world_dof_name(world, (uint32_t)i), lower[i], upper[i]);
    free(lower);
    free(upper);
}

// Random poses, yes or no on all cores, and distances on two threads.
static void ask_many(const ElbowroomWorld *world, ElbowroomChecker *checker, size_t dofs) {
    double *rows = calloc(POSES * dofs, sizeof *rows);
    ElbowroomVerdict *verdicts = calloc(POSES, sizeof *verdicts);
    ElbowroomInterval *intervals = calloc(POSES, sizeof *intervals);
    uint64_t seed = 7;
    for (size_t i = 0; i < POSES; i++) check(elbowroom_world_draw(world, &seed, rows + i * dofs, dofs));
    check(elbowroom_checker_test_batch(checker, rows, POSES * dofs, NULL, 0, verdicts, POSES));
    check(elbowroom_checker_nearest_batch(checker, rows, POSES * dofs, NULL, 2, intervals, POSES));
    size_t counts[5] = {0};
    double least = INFINITY;
    for (size_t i = 0; i < POSES; i++) {
        counts[verdicts[i]]++;
        least = fmin(least, intervals[i].lower);
        if (verdicts[i] != intervals[i].verdict) printf("pose %zu has two verdicts\n", i);
    }
    printf("batch %zu clear %zu near %zu collision, least %.17g\n", counts[ELBOWROOM_VERDICT_CLEAR],
           counts[ELBOWROOM_VERDICT_NEAR], counts[ELBOWROOM_VERDICT_COLLISION], least);
    free(rows);
    free(verdicts);
    free(intervals);
}

static void print_edge(const ElbowroomWorld *world, ElbowroomChecker *checker, const double *from,
                       const double *to, size_t dofs) {
    ElbowroomEdge edge;
    check(elbowroom_checker_edge(checker, from, to, dofs, NULL, &edge));
    if (edge.result == ELBOWROOM_EDGE_RESULT_FREE) {
        check(elbowroom_checker_verify_edge(checker, from, to, dofs, NULL));
        printf("edge free in %zu pieces\n", edge.piece_count);
    } else if (edge.result == ELBOWROOM_EDGE_RESULT_CONTACT) {
        printf("edge contact %.17g %.17g %s %s\n", edge.at[0], edge.at[1],
               elbowroom_world_body_name(world, edge.body_a), elbowroom_world_body_name(world, edge.body_b));
    } else {
        printf("edge unknown from %.17g: stop\n", edge.at[0]);
    }
}

int main(int count, char **words) {
    if (count != 2) {
        fprintf(stderr, "usage: %s WORLD\n", words[0]);
        return 2;
    }
    ElbowroomWorld *world = NULL;
    ElbowroomChecker *checker = NULL;
    check(elbowroom_world_load(words[1], NULL, &world));
    check(elbowroom_checker_new(world, &checker));
    size_t dofs = elbowroom_world_dof_count(world);
    print_joints(world, dofs);
    ask_many(world, checker, dofs);

    // The way from upright to the wall, and back to the other side.
    const double upright[2] = {0.0, 0.0}, wall[2] = {1.3, 0.4}, away[2] = {-1.3, -0.4};
    print_edge(world, checker, upright, wall, dofs);
    print_edge(world, checker, upright, away, dofs);

    // Asked at one pose: yes or no, a bound, the distance, the nearest pairs, the gradient.
    const double pose[2] = {0.8, 0.3};
    ElbowroomAnswer answer, pairs[MOST_PAIRS];
    check(elbowroom_checker_set(checker, pose, dofs));
    check(elbowroom_checker_test(checker, NULL, &answer));
    print_answer("test", &answer);
    check(elbowroom_checker_lower_bound(checker, NULL, &answer));
    print_answer("bound", &answer);
    check(elbowroom_checker_nearest(checker, NULL, &answer));
    print_answer("nearest", &answer);
    double gradient[2];
    check(elbowroom_checker_gradient(checker, &answer, gradient, dofs));
    printf("gradient %.17g %.17g\n", gradient[0], gradient[1]);
    size_t found = 0;
    const double margin = 0.3;
    const ElbowroomQuestion wide = {.margin = &margin};
    check(elbowroom_checker_nearest_pairs(checker, &wide, pairs, MOST_PAIRS, &found, NULL));
    for (size_t i = 0; i < found; i++) print_answer("pair", &pairs[i]);

    // A camera found a ball where the forearm is: it goes into the spare place, and out again.
    uint32_t place = elbowroom_world_find_body(world, "world/found");
    uint32_t forearm = elbowroom_world_find_body(world, "arm/forearm");
    uint32_t part = elbowroom_world_find_body(world, "world/part");
    ElbowroomShape *ball = NULL;
    ElbowroomPose at;
    check(elbowroom_shape_sphere(0.06, 0.0, &ball));
    check(elbowroom_checker_body_pose(checker, forearm, &at));
    check(elbowroom_checker_insert_obstacle(checker, place, ball));
    check(elbowroom_checker_place(checker, place, &at));
    check(elbowroom_checker_nearest(checker, NULL, &answer));
    print_answer("inserted", &answer);
    print_edge(world, checker, upright, pose, dofs);
    check(elbowroom_checker_remove_obstacle(checker, place));

    // The part is taken, carried and let go.
    const double at_tip[3] = {0.0, 0.0, 0.3};
    ElbowroomPose in_forearm;
    check(elbowroom_pose_from_xyz_rpy(at_tip, NULL, &in_forearm));
    check(elbowroom_checker_attach(checker, part, forearm, &in_forearm, NULL, 0));
    check(elbowroom_checker_nearest(checker, NULL, &answer));
    print_answer("carried", &answer);
    print_edge(world, checker, upright, wall, dofs);
    check(elbowroom_checker_detach(checker, part));

    // Two shapes without a world.
    ElbowroomShape *box = NULL;
    ElbowroomClearance clearance;
    check(elbowroom_shape_box(0.2, 0.2, 0.2, 0.01, &box));
    check(elbowroom_shape_distance(ball, &at, box, NULL, &clearance));
    printf("shapes %.17g %.17g\n", clearance.lower, clearance.upper);

    // What is refused says why.
    const double beyond[2] = {9.0, 0.0};
    ElbowroomStatus status = elbowroom_checker_set(checker, beyond, dofs);
    printf("refused %s: %s\n", elbowroom_status_word(status), elbowroom_last_error());

    elbowroom_shape_free(ball);
    elbowroom_shape_free(box);
    elbowroom_checker_free(checker);
    elbowroom_world_free(world);
    return 0;
}
