/* A Cortex-M4F asks the baked world about the poses of `poses.h`. Over semihosting it writes verdict, pair
 * and the bits of the bound of each. At last it writes how many bytes of stack were used, and the ticks of
 * all tests and of the longest. A tick is 40 ns: with `-icount shift=0` that is 40 instructions. */
#include <stdint.h>

#include "elbowroom_world.h"
#include "poses.h"

extern uint32_t stack_top[];
extern uint32_t stack_end[];
void start(void);

__attribute__((section(".vectors"), used)) static const uintptr_t vectors[2] = {
    (uintptr_t)stack_top,
    (uintptr_t)start,
};

static void semihost(uint32_t operation, const void *argument)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

static char line[40];
static int used;

/* What the stack was painted with before the first call. */
#define PAINT 0xa5a5a5a5U

#define TICKS (*(volatile uint32_t *)0xe000e018U)

static void put_line(void)
{
    line[used - 1] = '\n';
    line[used] = '\0';
    semihost(0x04, line);
    used = 0;
}

static void put_hex(uint32_t bits)
{
    int shift;

    for (shift = 28; shift >= 0; shift -= 4) {
        line[used++] = "0123456789abcdef"[(bits >> shift) & 15U];
    }
    line[used++] = ' ';
}

void start(void)
{
    union {
        float metres;
        uint32_t bits;
    } bound;
    volatile uint32_t *word;
    uint32_t all = 0;
    uint32_t longest = 0;
    uint32_t ticks;
    int32_t verdict;
    int i;

    for (word = stack_end; word < (volatile uint32_t *)__builtin_frame_address(0) - 64; word++) {
        *word = PAINT;
    }
    /* The floating-point unit is off at first. */
    *(volatile uint32_t *)0xe000ed88U |= 0xfU << 20;
    __asm__ volatile("dsb\nisb");
    /* SysTick counts down from its largest number. */
    *(volatile uint32_t *)0xe000e014U = 0xffffffU;
    *(volatile uint32_t *)0xe000e010U = 5U;
    for (i = 0; i < POSE_COUNT; i++) {
        uint16_t pair = 0xffff;
        uint16_t nearest = 0xffff;

        TICKS = 0;
        verdict = elbowroom_test(poses[i], &pair);
        ticks = 0xffffffU - TICKS;
        all += ticks;
        longest = ticks > longest ? ticks : longest;
        put_hex((uint32_t)verdict);
        put_hex(pair);
        (void)elbowroom_lower_bound(poses[i], &bound.metres, &nearest);
        put_hex(bound.bits);
        put_hex(nearest);
        put_line();
    }
    for (word = stack_end; *word == PAINT; word++) {
    }
    put_hex((uint32_t)((uintptr_t)stack_top - (uintptr_t)word));
    put_hex(all);
    put_hex(longest);
    put_line();
    semihost(0x18, (const void *)0x20026);
    for (;;) {
    }
}
