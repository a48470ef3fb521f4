// A guard in a controller's own process: a step is a call. A simulated arm turns towards a wall.
#include <elbowroom.h>
#include <stdio.h>
#include <stdlib.h>

static void check(ElbowroomStatus status) {
    if (status == ELBOWROOM_STATUS_OK) return;
    fprintf(stderr, "%s: %s\n", elbowroom_status_word(status), elbowroom_last_error());
    exit(2);
}

int main(int count, char **words) {
    if (count != 2) {
        fprintf(stderr, "usage: %s WORLD (a .toml with [guard])\n", words[0]);
        return 2;
    }
    ElbowroomWorld *world = NULL;
    ElbowroomGuard *guard = NULL;
    check(elbowroom_world_load(words[1], NULL, &world));
    check(elbowroom_guard_load(world, words[1], &guard));
    elbowroom_world_free(world); // the guard has its share

    const double period = 0.01;
    double positions[2] = {0.0, 0.2}, velocities[2] = {0.5, 0.0};
    ElbowroomAction before = ELBOWROOM_ACTION_PERMIT;
    for (int step = 0; step < 250; step++) {
        double t = step * period;
        positions[0] = 0.5 * t;
        ElbowroomState state = {
            .t = t, .arm = ELBOWROOM_NONE, .count = 2, .positions = positions, .velocities = velocities};
        ElbowroomCommand command;
        // The command is written whatever the status is: where no step could be made, it is a stop.
        ElbowroomStatus status = elbowroom_guard_step(guard, &state, &command);
        if (status != ELBOWROOM_STATUS_OK) fprintf(stderr, "%s\n", elbowroom_last_error());
        if (command.action != before || step == 0) {
            const ElbowroomReason *why = command.reasons;
            printf("step %d action %d speed %.17g lower %.17g %s\n", step, (int)command.action, command.speed,
                   command.lower, command.reason_count > 0 ? why->word : "-");
        }
        before = command.action;
    }
    // Silence is a fault too: call this when `late` has passed since the last state.
    ElbowroomCommand command;
    check(elbowroom_guard_step_without(guard, 250 * period + 0.1, &command));
    printf("silence action %d category %d %s\n", (int)command.action, (int)command.category,
           command.reasons[command.reason_count - 1].word);
    elbowroom_guard_free(guard);
    return 0;
}
