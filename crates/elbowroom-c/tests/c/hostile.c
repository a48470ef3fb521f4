// Calls that make no sense. Each must return its status and leave words. A call may write only what the
// header says. Built with AddressSanitizer and UBSan.
#define _POSIX_C_SOURCE 200809L
#include <elbowroom.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int failures = 0, calls = 0;

static void expect(ElbowroomStatus found, ElbowroomStatus wanted, const char *words, int line) {
    calls++;
    const char *said = elbowroom_last_error();
    if (found == wanted && (words == NULL || strstr(said, words) != NULL)) return;
    failures++;
    printf("line %d: %s instead of %s: %s\n", line, elbowroom_status_word(found),
           elbowroom_status_word(wanted), said);
}

static void expect_true(int holds, const char *what, int line) {
    calls++;
    if (holds) return;
    failures++;
    printf("line %d: not %s\n", line, what);
}

#define EXPECT(call, status, words) expect((call), ELBOWROOM_STATUS_##status, (words), __LINE__)
#define EXPECT_TRUE(what) expect_true((what), #what, __LINE__)

static const char *CELL =
    "margin = 0.01\n"
    "[[robot]]\nname = 'arm'\nurdf = 'arm.urdf'\n"
    "[[obstacle]]\nname = 'wall'\nxyz = [0.75, 0, 0.5]\nshape = { type = 'box', size = [0.1, 1, 1] }\n"
    "[[obstacle]]\nname = 'part'\nmovable = true\nxyz = [0.4, 0.3, 0.05]\n"
    "shape = { type = 'box', size = [0.06, 0.06, 0.1] }\n"
    "[[spare]]\nname = 'found'\ncorners = 8\n"
    "[[cloud]]\nname = 'scan'\nradius = 0.01\npoints = 100\n";

static void load_nonsense(const char *robots) {
    ElbowroomWorld *world = (ElbowroomWorld *)1;
    EXPECT(elbowroom_world_load(NULL, NULL, &world), NULL_POINTER, "path is null");
    EXPECT_TRUE(world == NULL);
    EXPECT(elbowroom_world_load("no/such/arm.urdf", NULL, NULL), NULL_POINTER, "world is null");
    EXPECT(elbowroom_world_load("no/such/arm.urdf", NULL, &world), FILE_REFUSED, "no/such/arm.urdf");
    EXPECT(elbowroom_world_load("\xff\xfe.urdf", NULL, &world), NOT_UTF8, "path is not UTF-8");
    // Every fault at once.
    const char *wrong = "margin = -1\nmargn = 2\n[[robot]]\nurdf = 'nowhere.urdf'\n";
    EXPECT(elbowroom_world_from_text(wrong, strlen(wrong), "cell.toml", NULL, &world), FILE_REFUSED,
           "3 faults");
    EXPECT(elbowroom_world_from_text(NULL, 5, "cell.toml", NULL, &world), NULL_POINTER, "text is null");
    EXPECT(elbowroom_world_from_text(NULL, 0, "cell.toml", NULL, &world), FILE_REFUSED, "no robot");
    EXPECT(elbowroom_world_from_text(wrong, SIZE_MAX, "cell.toml", NULL, &world), BAD_ARGUMENT, "length");
    EXPECT(elbowroom_world_from_text("\xff", 1, "cell.toml", NULL, &world), FILE_REFUSED, "UTF-8");
    EXPECT(elbowroom_world_from_text("<robot", 6, "arm.urdf", NULL, &world), FILE_REFUSED, "arm.urdf");
    const double nan = NAN, less = -1.0;
    ElbowroomLoadOptions options = {.margin = &nan};
    EXPECT(elbowroom_world_load(robots, &options, &world), WORLD_REFUSED, "margin");
    options = (ElbowroomLoadOptions){.padding = &less};
    EXPECT(elbowroom_world_load(robots, &options, &world), WORLD_REFUSED, "padding");
    options = (ElbowroomLoadOptions){.package_path_count = 3};
    EXPECT(elbowroom_world_load(robots, &options, &world), NULL_POINTER, "package_paths");
    const char *paths[1] = {NULL};
    options = (ElbowroomLoadOptions){.package_paths = paths, .package_path_count = 1};
    EXPECT(elbowroom_world_load(robots, &options, &world), NULL_POINTER, "a path");
    EXPECT_TRUE(world == NULL);
}

static void ask_nothing(void) {
    EXPECT_TRUE(elbowroom_world_dof_count(NULL) == 0 && elbowroom_world_body_count(NULL) == 0);
    EXPECT_TRUE(elbowroom_world_dof_name(NULL, 0) == NULL && elbowroom_world_body_name(NULL, 0) == NULL);
    EXPECT_TRUE(elbowroom_world_find_body(NULL, "x") == ELBOWROOM_NONE);
    EXPECT_TRUE(elbowroom_world_pair_status(NULL, 0, 1) == ELBOWROOM_PAIR_STATUS_NO_PAIR);
    EXPECT_TRUE(isnan(elbowroom_world_margin(NULL)) && elbowroom_world_warnings(NULL)[0] == 0);
    elbowroom_world_free(NULL);
    elbowroom_checker_free(NULL);
    elbowroom_shape_free(NULL);
    elbowroom_guard_free(NULL);
    ElbowroomChecker *checker = (ElbowroomChecker *)1;
    EXPECT(elbowroom_checker_new(NULL, &checker), NULL_POINTER, "world is null");
    EXPECT_TRUE(checker == NULL);
    ElbowroomAnswer answer;
    EXPECT(elbowroom_checker_nearest(NULL, NULL, &answer), NULL_POINTER, "checker is null");
    EXPECT(elbowroom_checker_place(NULL, 0, NULL), NULL_POINTER, "body_in_world is null");
    EXPECT_TRUE(strcmp(elbowroom_status_word(99), "no_status") == 0);
    EXPECT_TRUE(strcmp(elbowroom_verdict_word(99), "unknown") == 0);
}

static void set_nonsense(const ElbowroomWorld *world, ElbowroomChecker *checker) {
    double two[2] = {0.0, 0.0}, out[2] = {7.0, 7.0};
    ElbowroomAnswer answer;
    EXPECT(elbowroom_checker_set(checker, NULL, 2), NULL_POINTER, "values is null");
    EXPECT(elbowroom_checker_set(checker, two, 1), POSE_REFUSED, "1 joint values were given");
    EXPECT(elbowroom_checker_set(checker, two, 0), POSE_REFUSED, "0 joint values were given");
    EXPECT(elbowroom_checker_set(checker, two, SIZE_MAX / 2), BAD_ARGUMENT, "values");
    EXPECT(elbowroom_checker_set(checker, (const double *)((const char *)two + 1), 1), BAD_ARGUMENT,
           "aligned");
    two[1] = NAN;
    EXPECT(elbowroom_checker_set(checker, two, 2), POSE_REFUSED, "`arm/elbow` is NaN");
    two[0] = INFINITY;
    EXPECT(elbowroom_checker_set_ignoring_limits(checker, two, 2), POSE_REFUSED, "arm/shoulder");
    two[0] = 9.0, two[1] = 0.0;
    EXPECT(elbowroom_checker_set(checker, two, 2), POSE_REFUSED, "outside its limits");
    EXPECT(elbowroom_checker_set_ignoring_limits(checker, two, 2), OK, NULL);
    EXPECT(elbowroom_checker_values(checker, out, 1), BAD_ARGUMENT, "1 values");
    EXPECT_TRUE(out[0] == 7.0);
    EXPECT(elbowroom_checker_values(checker, out, 2), OK, NULL);
    EXPECT_TRUE(out[0] == 9.0 && out[1] == 0.0);
    EXPECT(elbowroom_world_limits(world, out, NULL, 2), NULL_POINTER, "upper is null");
    EXPECT(elbowroom_world_limits(world, out, out, 1), BAD_ARGUMENT, "limits");
    EXPECT(elbowroom_world_neutral(world, NULL, 2), NULL_POINTER, "values");
    EXPECT(elbowroom_world_draw(world, NULL, out, 2), NULL_POINTER, "seed");
    uint64_t seed = 5;
    EXPECT(elbowroom_world_draw(world, &seed, out, 1), BAD_ARGUMENT, "values");
    EXPECT_TRUE(seed == 5);
    EXPECT_TRUE(elbowroom_world_dof_name(world, 2) == NULL && elbowroom_world_body_name(world, 999) == NULL);
    EXPECT_TRUE(elbowroom_world_find_body(world, "arm/nothing") == ELBOWROOM_NONE);
    EXPECT_TRUE(strstr(elbowroom_last_error(), "arm/nothing") != NULL);
    EXPECT_TRUE(elbowroom_world_find_dof(world, NULL) == ELBOWROOM_NONE);
    EXPECT(elbowroom_checker_nearest(checker, NULL, NULL), NULL_POINTER, "answer is null");
    // A margin that is no number proves nothing, and a cutoff that is none counts as infinite.
    const double nan = NAN;
    const ElbowroomQuestion odd = {.margin = &nan, .cutoff = &nan};
    two[0] = 0.0;
    EXPECT(elbowroom_checker_set(checker, two, 2), OK, NULL);
    EXPECT(elbowroom_checker_nearest(checker, &odd, &answer), OK, NULL);
    EXPECT_TRUE(answer.verdict == ELBOWROOM_VERDICT_UNKNOWN);
    size_t found = 7;
    ElbowroomAnswer all;
    memset(&all, 0, sizeof all);
    EXPECT(elbowroom_checker_nearest_pairs(checker, NULL, NULL, 4, &found, &all), NULL_POINTER, "answers");
    EXPECT_TRUE(found == 0 && all.verdict == ELBOWROOM_VERDICT_UNKNOWN);
    EXPECT(elbowroom_checker_nearest_pairs(checker, NULL, NULL, 0, &found, NULL), OK, NULL);
    // A call that fails never leaves zeros, which would mean clear or free.
    ElbowroomEdge unasked;
    ElbowroomVerdict verdicts[2] = {ELBOWROOM_VERDICT_CLEAR, ELBOWROOM_VERDICT_CLEAR};
    memset(&unasked, 0, sizeof unasked);
    memset(&all, 0, sizeof all);
    EXPECT(elbowroom_checker_nearest(NULL, NULL, &all), NULL_POINTER, "checker");
    EXPECT_TRUE(all.verdict == ELBOWROOM_VERDICT_UNKNOWN && all.lower == -INFINITY);
    EXPECT(elbowroom_checker_edge(NULL, two, two, 2, NULL, &unasked), NULL_POINTER, "checker");
    EXPECT_TRUE(unasked.result == ELBOWROOM_EDGE_RESULT_UNKNOWN && unasked.free_until == 0.0);
    EXPECT(elbowroom_checker_test_batch(NULL, two, 2, NULL, 1, verdicts, 2), NULL_POINTER, "checker");
    EXPECT_TRUE(verdicts[0] == ELBOWROOM_VERDICT_UNKNOWN && verdicts[1] == ELBOWROOM_VERDICT_UNKNOWN);
    answer.has_points = false;
    EXPECT(elbowroom_checker_gradient(checker, &answer, out, 2), BAD_ARGUMENT, "no points");
    answer.has_points = true;
    answer.pair = ELBOWROOM_NONE;
    EXPECT(elbowroom_checker_gradient(checker, &answer, out, 2), BAD_ARGUMENT, "no pair");
    EXPECT(elbowroom_checker_gradient(checker, &answer, out, 1), BAD_ARGUMENT, "gradient");
    ElbowroomPose pose;
    EXPECT(elbowroom_checker_body_pose(checker, 999, &pose), BAD_ARGUMENT, "no body 999");
}

static void ask_bad_batches(ElbowroomChecker *checker) {
    double rows[6] = {0.0, 0.0, NAN, 0.0, 9.0, 0.1};
    ElbowroomVerdict verdicts[3];
    ElbowroomInterval intervals[3];
    EXPECT(elbowroom_checker_test_batch(checker, rows, 5, NULL, 0, verdicts, 3), BAD_ARGUMENT, "5 joint");
    EXPECT(elbowroom_checker_test_batch(checker, rows, 6, NULL, 0, NULL, 3), NULL_POINTER, "verdicts");
    EXPECT(elbowroom_checker_test_batch(checker, NULL, 6, NULL, 0, verdicts, 3), NULL_POINTER, "rows");
    EXPECT(elbowroom_checker_test_batch(checker, rows, 6, NULL, 5000, verdicts, 3), BAD_ARGUMENT, "1024");
    EXPECT(elbowroom_checker_test_batch(checker, NULL, 0, NULL, 0, NULL, 0), OK, NULL);
    EXPECT(elbowroom_checker_test_batch(checker, rows, 6, NULL, 2, verdicts, 3), POSE_REFUSED, "pose 1: ");
    EXPECT_TRUE(strstr(elbowroom_last_error(), "pose 2: ") != NULL);
    EXPECT_TRUE(verdicts[0] == ELBOWROOM_VERDICT_CLEAR && verdicts[1] == ELBOWROOM_VERDICT_UNKNOWN);
    EXPECT(elbowroom_checker_nearest_batch(checker, rows, 6, NULL, 0, intervals, 3), POSE_REFUSED,
           "pose 1: ");
    EXPECT_TRUE(intervals[0].lower > 0.0 && isinf(intervals[1].lower) && intervals[2].pair == ELBOWROOM_NONE);
    ElbowroomEdge edge;
    EXPECT(elbowroom_checker_edge(checker, rows, rows + 2, 2, NULL, &edge), POSE_REFUSED, "NaN");
    EXPECT(elbowroom_checker_edge(checker, rows, rows, 1, NULL, &edge), POSE_REFUSED, "1 joint values");
    EXPECT(elbowroom_checker_edge(checker, rows, NULL, 2, NULL, &edge), NULL_POINTER, "to is null");
    EXPECT(elbowroom_checker_edge(checker, rows, rows, 2, NULL, NULL), NULL_POINTER, "edge is null");
    EXPECT(elbowroom_checker_verify_edge(checker, rows, rows, 1, NULL), NOT_PROVED, NULL);
    EXPECT(elbowroom_checker_verify_edge(checker, rows, rows + 2, 2, NULL), NOT_PROVED, NULL);
    const double nan = NAN;
    const ElbowroomEdgeOptions odd = {.margin = &nan, .resolution = &nan, .work = 100};
    EXPECT(elbowroom_checker_edge(checker, rows, rows, 2, &odd, &edge), OK, NULL);
    EXPECT_TRUE(edge.result == ELBOWROOM_EDGE_RESULT_UNKNOWN);
}

static void change_nonsense(const ElbowroomWorld *world, ElbowroomChecker *checker) {
    uint32_t wall = elbowroom_world_find_body(world, "world/wall");
    uint32_t part = elbowroom_world_find_body(world, "world/part");
    uint32_t place = elbowroom_world_find_body(world, "world/found");
    uint32_t scan = elbowroom_world_find_body(world, "world/scan");
    uint32_t tip = elbowroom_world_find_body(world, "arm/forearm");
    ElbowroomPose pose = elbowroom_pose_identity();
    EXPECT(elbowroom_checker_place(checker, wall, &pose), CHANGE_REFUSED, "world/wall");
    EXPECT(elbowroom_checker_place(checker, 999, &pose), CHANGE_REFUSED, "999");
    pose.rotation[0][0] = NAN;
    EXPECT(elbowroom_checker_place(checker, part, &pose), CHANGE_REFUSED, "world/part");
    memset(&pose, 0, sizeof pose);
    EXPECT(elbowroom_checker_place(checker, part, &pose), CHANGE_REFUSED, "world/part");
    EXPECT(elbowroom_checker_detach(checker, part), CHANGE_REFUSED, "world/part");
    EXPECT(elbowroom_checker_attach(checker, part, part, NULL, NULL, 0), CHANGE_REFUSED, "world/part");
    EXPECT(elbowroom_checker_attach(checker, part, tip, NULL, NULL, 2), NULL_POINTER, "touch");
    const uint32_t unknown[1] = {12345};
    EXPECT(elbowroom_checker_attach(checker, part, tip, NULL, unknown, 1), CHANGE_REFUSED, "12345");
    EXPECT(elbowroom_checker_show(checker, part), CHANGE_REFUSED, "not hidden");
    EXPECT(elbowroom_checker_set_door(checker, part, 0.1), CHANGE_REFUSED, "world/part");
    EXPECT(elbowroom_checker_remove_obstacle(checker, place), CHANGE_REFUSED, "empty");
    EXPECT(elbowroom_checker_insert_obstacle(checker, place, NULL), NULL_POINTER, "shape");
    EXPECT(elbowroom_checker_allow_contact(checker, wall, wall), CHANGE_REFUSED, NULL);
    EXPECT(elbowroom_checker_check_again(checker, wall, tip), CHANGE_REFUSED, NULL);
    EXPECT(elbowroom_checker_update_cloud(checker, scan, NULL, 0), CHANGE_REFUSED, "world/scan");
    const double bad[1][3] = {{0.0, NAN, 0.0}}, good[1][3] = {{5.0, 5.0, 5.0}};
    EXPECT(elbowroom_checker_update_cloud(checker, scan, bad, 1), CHANGE_REFUSED, "world/scan");
    EXPECT(elbowroom_checker_update_cloud(checker, part, good, 1), CHANGE_REFUSED, "world/part");
    EXPECT(elbowroom_checker_update_cloud(checker, scan, good, SIZE_MAX / 8), BAD_ARGUMENT, "points");
    EXPECT(elbowroom_checker_update_cloud(checker, scan, good, 1), OK, NULL);
}

static void make_bad_shapes(const ElbowroomWorld *world, ElbowroomChecker *checker) {
    ElbowroomShape *shape = (ElbowroomShape *)1, *cube = NULL;
    EXPECT(elbowroom_shape_sphere(-1.0, 0.0, &shape), SHAPE_REFUSED, NULL);
    EXPECT_TRUE(shape == NULL);
    EXPECT(elbowroom_shape_sphere(NAN, 0.0, &shape), SHAPE_REFUSED, NULL);
    EXPECT(elbowroom_shape_box(1.0, 1.0, 1.0, -1.0, &shape), SHAPE_REFUSED, NULL);
    EXPECT(elbowroom_shape_box(1.0, 1.0, 1.0, 0.0, NULL), NULL_POINTER, "shape is null");
    EXPECT(elbowroom_shape_convex(NULL, 0, 0.0, &shape), SHAPE_REFUSED, NULL);
    EXPECT(elbowroom_shape_convex(NULL, 4, 0.0, &shape), NULL_POINTER, "points");
    const double corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const uint32_t beyond[1][3] = {{0, 1, 7}}, folded[2][3] = {{0, 1, 2}, {0, 2, 3}};
    EXPECT(elbowroom_shape_mesh(corners, 4, beyond, 1, 0.0, &shape), SHAPE_REFUSED, NULL);
    EXPECT(elbowroom_shape_mesh(corners, 4, NULL, 0, 0.0, &shape), SHAPE_REFUSED, NULL);
    EXPECT_TRUE(shape == NULL);
    EXPECT(elbowroom_shape_mesh(corners, 4, folded, 2, 0.0, &shape), OK, NULL);
    EXPECT(elbowroom_shape_box(1.0, 1.0, 1.0, 0.0, &cube), OK, NULL);
    ElbowroomPose pose = elbowroom_pose_identity();
    ElbowroomClearance clearance;
    pose.translation[2] = NAN;
    EXPECT(elbowroom_shape_distance(shape, NULL, cube, &pose, &clearance), SHAPE_REFUSED, "second shape");
    EXPECT(elbowroom_shape_distance(shape, NULL, NULL, NULL, &clearance), NULL_POINTER, "b is null");
    EXPECT(elbowroom_shape_distance(shape, NULL, cube, NULL, NULL), NULL_POINTER, "clearance is null");
    // An open mesh is no hull, and a shape of many corners has no room.
    uint32_t place = elbowroom_world_find_body(world, "world/found");
    EXPECT(elbowroom_checker_insert_obstacle(checker, place, shape), SHAPE_REFUSED, NULL);
    elbowroom_shape_free(shape);
    double ring[64][3];
    for (int i = 0; i < 64; i++)
        ring[i][0] = cos(0.1 * i), ring[i][1] = sin(0.1 * i), ring[i][2] = i % 2 ? 0.1 : -0.1;
    EXPECT(elbowroom_shape_convex((const double(*)[3])ring, 64, 0.0, &shape), OK, NULL);
    EXPECT(elbowroom_checker_insert_obstacle(checker, place, shape), CHANGE_REFUSED, "corners");
    EXPECT(elbowroom_checker_insert_obstacle(checker, place, cube), OK, NULL);
    // The checker keeps its share of a shape that is freed.
    elbowroom_shape_free(cube);
    elbowroom_shape_free(shape);
    ElbowroomAnswer answer;
    EXPECT(elbowroom_checker_nearest(checker, NULL, &answer), OK, NULL);
    const double zero[4] = {0.0, 0.0, 0.0, 0.0};
    EXPECT(elbowroom_pose_from_xyz_quat_wxyz(zero, zero, &pose), BAD_ARGUMENT, "quat_wxyz");
    EXPECT(elbowroom_pose_from_xyz_rpy(NULL, NULL, &pose), NULL_POINTER, "xyz");
}

static void guard_nonsense(const char *path) {
    ElbowroomWorld *world = NULL;
    ElbowroomGuard *guard = (ElbowroomGuard *)1;
    EXPECT(elbowroom_world_load(path, NULL, &world), OK, NULL);
    EXPECT(elbowroom_guard_load(NULL, path, &guard), NULL_POINTER, "world is null");
    EXPECT_TRUE(guard == NULL);
    EXPECT(elbowroom_guard_from_text(world, CELL, strlen(CELL), path, &guard), FILE_REFUSED, "[guard]");
    EXPECT(elbowroom_guard_load(world, path, &guard), OK, NULL);
    ElbowroomCommand command;
    memset(&command, 0, sizeof command);
    EXPECT(elbowroom_guard_step(guard, NULL, &command), NULL_POINTER, "state is null");
    EXPECT_TRUE(command.action == ELBOWROOM_ACTION_STOP && command.category == ELBOWROOM_CATEGORY_ZERO);
    memset(&command, 0, sizeof command);
    EXPECT(elbowroom_guard_step(NULL, NULL, &command), NULL_POINTER, "guard is null");
    EXPECT_TRUE(command.action == ELBOWROOM_ACTION_STOP && command.speed == 0.0);
    EXPECT(elbowroom_guard_step(guard, NULL, NULL), NULL_POINTER, "command is null");
    double q[2] = {0.0, 0.0};
    ElbowroomState state = {.t = 0.0, .arm = ELBOWROOM_NONE, .count = 1, .positions = q};
    EXPECT(elbowroom_guard_step(guard, &state, &command), OK, NULL);
    EXPECT_TRUE(command.action == ELBOWROOM_ACTION_STOP &&
                strcmp(command.reasons[0].word, "wrong_count") == 0);
    EXPECT(elbowroom_guard_reset(guard, NAN), GUARD_REFUSED, NULL);
    EXPECT(elbowroom_guard_reset(guard, 0.0), OK, NULL);
    state.count = 2, state.arm = 77;
    EXPECT(elbowroom_guard_step(guard, &state, &command), OK, NULL);
    EXPECT_TRUE(command.action == ELBOWROOM_ACTION_STOP);
    state.arm = ELBOWROOM_NONE, q[1] = NAN;
    EXPECT(elbowroom_guard_step(guard, &state, &command), OK, NULL);
    EXPECT_TRUE(command.action == ELBOWROOM_ACTION_STOP);
    EXPECT(elbowroom_guard_step_without(guard, NAN, &command), OK, NULL);
    EXPECT_TRUE(command.action == ELBOWROOM_ACTION_STOP);
    EXPECT(elbowroom_guard_hide(guard, 1.0, 999), GUARD_REFUSED, NULL);
    EXPECT(elbowroom_guard_place(guard, 1.0, 0, NULL, false), NULL_POINTER, "body_in_world");
    EXPECT(elbowroom_guard_attach(guard, 1.0, 0, 1, NULL, 3), NULL_POINTER, "touch");
    EXPECT(elbowroom_guard_see(guard, 1.0, 999, NULL, 0), GUARD_REFUSED, NULL);
    EXPECT(elbowroom_guard_mean_pick(guard, 1.0, 99, 999, 998, 2.0), GUARD_REFUSED, NULL);
    EXPECT(elbowroom_guard_mean_place(guard, 1.0, ELBOWROOM_NONE, 999, 998, NAN), GUARD_REFUSED, NULL);
    EXPECT(elbowroom_guard_insert_obstacle(guard, 1.0, 0, NULL), NULL_POINTER, "shape");
    elbowroom_world_free(world);
    elbowroom_guard_free(guard);
}

// A child of fork has no threads of the library. It must get a status, and not wait for ever.
static void fork_once(ElbowroomChecker *checker, const char *arm) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        failures = 0;
        const double rows[2] = {0.0, 0.0};
        ElbowroomVerdict verdict;
        ElbowroomAnswer answer;
        ElbowroomWorld *world = NULL;
        ElbowroomShape *ball = NULL;
        EXPECT(elbowroom_checker_test_batch(checker, rows, 2, NULL, 0, &verdict, 1), FORKED, "forked");
        EXPECT(elbowroom_checker_test_batch(checker, rows, 2, NULL, 2, &verdict, 1), FORKED, "forked");
        EXPECT(elbowroom_world_load(arm, NULL, &world), FORKED, "forked");
        EXPECT(elbowroom_shape_sphere(0.1, 0.0, &ball), FORKED, "forked");
        EXPECT(elbowroom_checker_set(checker, rows, 2), OK, NULL);
        EXPECT(elbowroom_checker_nearest(checker, NULL, &answer), OK, NULL);
        fflush(stdout);
        _exit(failures > 0);
    }
    int status = 1;
    EXPECT_TRUE(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

int main(int count, char **words) {
    if (count != 3) return 2;
    // A cell as a text, beside the URDF that it names.
    const char *arm = words[1];
    char cell[4096];
    const char *name = strrchr(arm, '/');
    snprintf(cell, sizeof cell, "%.*s/cell.toml", (int)(name - arm), arm);
    load_nonsense(arm);
    ask_nothing();
    ElbowroomWorld *world = NULL;
    ElbowroomChecker *checker = NULL, *copy = NULL;
    EXPECT(elbowroom_world_from_text(CELL, strlen(CELL), cell, NULL, &world), OK, NULL);
    EXPECT(elbowroom_checker_new(world, &checker), OK, NULL);
    change_nonsense(world, checker);
    set_nonsense(world, checker);
    ask_bad_batches(checker);
    make_bad_shapes(world, checker);
    EXPECT(elbowroom_checker_clone(checker, NULL), NULL_POINTER, "copy is null");
    EXPECT(elbowroom_checker_clone(checker, &copy), OK, NULL);
    guard_nonsense(words[2]);
    fork_once(checker, arm);
    // What is made of a world keeps a share of it.
    elbowroom_world_free(world);
    elbowroom_checker_free(checker);
    ElbowroomAnswer answer;
    EXPECT(elbowroom_checker_nearest(copy, NULL, &answer), OK, NULL);
    elbowroom_checker_free(copy);
    printf("%d calls, %d failures\n", calls, failures);
    return failures > 0;
}
