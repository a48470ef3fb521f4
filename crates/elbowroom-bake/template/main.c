/* Asks a baked world about joint values given as arguments. Written by `elbowroom bake`.
 * Without arguments it reads lines of values from standard input. It answers each with a line: the verdict,
 * the pair, the bound in metres and its bits. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elbowroom_world.h"

static void answer(const float *values)
{
    uint16_t pair = 0;
    uint16_t nearest = 0;
    float metres = 0.0F;
    uint32_t bits = 0;
    const int verdict = elbowroom_test(values, &pair);
    const int bounded = elbowroom_lower_bound(values, &metres, &nearest);

    if (verdict == ELBOWROOM_FAULT || bounded == ELBOWROOM_FAULT) {
        printf("fault\n");
        return;
    }
    memcpy(&bits, &metres, sizeof bits);
    if (verdict == ELBOWROOM_CLEAR) {
        printf("clear - %u %.6f %08" PRIx32 "\n", (unsigned)nearest, (double)metres, bits);
    } else {
        printf("not-clear %u %u %.6f %08" PRIx32 "\n", (unsigned)pair, (unsigned)nearest, (double)metres,
               bits);
    }
}

int main(int argc, char **argv)
{
    float values[ELBOWROOM_VALUES];
    int i;

    if (elbowroom_fingerprint() != ELBOWROOM_FINGERPRINT) {
        fprintf(stderr, "the library is of another world than its header\n");
        return 2;
    }
    if (argc == ELBOWROOM_VALUES + 1) {
        for (i = 0; i < ELBOWROOM_VALUES; i++) {
            values[i] = strtof(argv[i + 1], NULL);
        }
        answer(values);
        return 0;
    }
    if (argc != 1) {
        fprintf(stderr, "give %d joint values (radians or metres), or none\n", ELBOWROOM_VALUES);
        return 2;
    }
    for (;;) {
        for (i = 0; i < ELBOWROOM_VALUES; i++) {
            if (scanf("%f", &values[i]) != 1) {
                return 0;
            }
        }
        answer(values);
    }
}
