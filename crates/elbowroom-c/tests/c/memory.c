// A million calls, good ones and refused ones, with objects that are made and freed. Memory must stay flat.
#define _POSIX_C_SOURCE 200809L
#include <elbowroom.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void check(ElbowroomStatus status) {
    if (status == ELBOWROOM_STATUS_OK) return;
    fprintf(stderr, "%s: %s\n", elbowroom_status_word(status), elbowroom_last_error());
    exit(2);
}

// Resident memory (bytes).
static long resident(void) {
    long size = 0, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%ld %ld", &size, &pages) != 2) exit(3);
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

static long calls = 0;

// What a round does: sixteen calls on one checker, and now and then an object that comes and goes.
static void run_round(const ElbowroomWorld *world, ElbowroomChecker *checker, ElbowroomShape *box,
                      long round) {
    const uint32_t part = elbowroom_world_find_body(world, "world/part");
    const uint32_t place = elbowroom_world_find_body(world, "world/found");
    const double turn = 0.5 * sin(0.1 * (double)round), pose[2] = {turn, -turn}, wrong[2] = {NAN, 9.0};
    ElbowroomAnswer answer;
    ElbowroomPose at = elbowroom_pose_identity();
    at.translation[0] = 2.0 + turn;
    for (int i = 0; i < 3; i++) {
        check(elbowroom_checker_set(checker, pose, 2));
        check(elbowroom_checker_test(checker, NULL, &answer));
        if (elbowroom_checker_set(checker, wrong, 2) != ELBOWROOM_STATUS_POSE_REFUSED) exit(4);
        if (elbowroom_checker_detach(checker, part) != ELBOWROOM_STATUS_CHANGE_REFUSED) exit(4);
    }
    check(elbowroom_checker_place(checker, part, &at));
    check(elbowroom_checker_insert_obstacle(checker, place, box));
    check(elbowroom_checker_remove_obstacle(checker, place));
    check(elbowroom_checker_nearest(checker, NULL, &answer));
    calls += 16;
    if (round % 500 == 0) {
        ElbowroomChecker *copy = NULL;
        ElbowroomShape *ball = NULL;
        ElbowroomWorld *none = NULL;
        ElbowroomEdge edge;
        ElbowroomVerdict verdicts[2];
        const double rows[4] = {0.0, 0.0, turn, turn};
        check(elbowroom_checker_clone(checker, &copy));
        check(elbowroom_shape_sphere(0.1, 0.0, &ball));
        check(elbowroom_checker_insert_obstacle(copy, place, ball));
        check(elbowroom_checker_edge(copy, pose, rows, 2, NULL, &edge));
        check(elbowroom_checker_test_batch(copy, rows, 4, NULL, 0, verdicts, 2));
        if (elbowroom_world_load("no/such.urdf", NULL, &none) != ELBOWROOM_STATUS_FILE_REFUSED) exit(4);
        elbowroom_shape_free(ball);
        elbowroom_checker_free(copy);
        calls += 8;
    }
}

int main(int count, char **words) {
    if (count != 3) return 2;
    const long wanted = atol(words[2]);
    ElbowroomWorld *world = NULL;
    ElbowroomChecker *checker = NULL;
    ElbowroomShape *box = NULL;
    check(elbowroom_world_load(words[1], NULL, &world));
    check(elbowroom_checker_new(world, &checker));
    check(elbowroom_shape_box(0.1, 0.1, 0.1, 0.0, &box));
    long round = 0, before = 0;
    while (calls < wanted) {
        run_round(world, checker, box, round++);
        if (before == 0 && calls > wanted / 5) before = resident();
    }
    const long grown = resident() - before;
    elbowroom_shape_free(box);
    elbowroom_checker_free(checker);
    elbowroom_world_free(world);
    printf("%ld calls, %ld bytes more\n", calls, grown);
    return grown > 256 * 1024;
}
