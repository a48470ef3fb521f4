// The clearance of an arm at a pose: load a world, set joint values, ask.
#include <elbowroom.h>
#include <stdio.h>
#include <stdlib.h>

// What to do where a call fails: here the program ends.
static void check(ElbowroomStatus status) {
    if (status == ELBOWROOM_STATUS_OK) return;
    fprintf(stderr, "%s: %s\n", elbowroom_status_word(status), elbowroom_last_error());
    exit(2);
}

int main(int count, char **words) {
    if (count != 2) {
        fprintf(stderr, "usage: %s WORLD (a .toml, or a .urdf)\n", words[0]);
        return 2;
    }
    ElbowroomWorld *world = NULL; // for all threads
    check(elbowroom_world_load(words[1], NULL, &world));
    fputs(elbowroom_world_warnings(world), stderr);

    ElbowroomChecker *checker = NULL; // one for each thread
    check(elbowroom_checker_new(world, &checker));

    size_t dofs = elbowroom_world_dof_count(world);
    double *values = calloc(dofs, sizeof *values); // radians and metres
    check(elbowroom_world_neutral(world, values, dofs));
    if (dofs > 0) values[0] = 1.0;
    check(elbowroom_checker_set(checker, values, dofs));

    ElbowroomAnswer answer;
    check(elbowroom_checker_nearest(checker, NULL, &answer));
    printf("%s: %.17g to %.17g m\n", elbowroom_verdict_word(answer.verdict), answer.lower, answer.upper);
    if (answer.pair != ELBOWROOM_NONE)
        printf("between %s and %s\n", elbowroom_world_body_name(world, answer.body_a),
               elbowroom_world_body_name(world, answer.body_b));
    if (answer.has_points) {
        const double *a = answer.point_a, *b = answer.point_b;
        printf("from %.17g %.17g %.17g to %.17g %.17g %.17g\n", a[0], a[1], a[2], b[0], b[1], b[2]);
    }

    free(values);
    elbowroom_checker_free(checker);
    elbowroom_world_free(world);
    return answer.verdict == ELBOWROOM_VERDICT_CLEAR ? 0 : 1;
}
