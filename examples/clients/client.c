/* A controller's loop beside `elbowroom monitor`: put your drives in the place of struct arm, and keep the
 * rest. Nothing is allocated, and nothing waits but for the next state.
 *
 *     cc -std=c99 -O2 -o client client.c -lm
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { JOINTS = 6, WAITING = 4096, BYTES = 1 << 16 };

static const double START[JOINTS] = {0.2, -0.3, -0.7, 0.0, 1.0, 0.0}; /* rad */
static const double ALONG[JOINTS] = {1.0, 0.1, -0.2, 0.0, 0.1, 0.3};  /* speeds, as parts of the first */
static const double LENGTH = 2.0; /* of the way, at the first joint (rad) */
static const double RAMP = 1.0;   /* rad/s^2: `profile` in cell.toml */
static const double REST = 0.1;   /* s: from any speed it rests within this time, `brake` in cell.toml */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A simulated arm on a straight way. Its drive knows when a command ends, and brakes then by itself. */
struct arm {
    double speed, way, part;     /* rad/s; rad; which part of the speed it has */
    double time, command, until; /* s; the part that is permitted; until when (s; 0: it brakes now) */
};

/* The part of the speed with which it would go on: at the end of the way it rests. */
static double wish(const struct arm *arm) {
    return fmin(1.0, sqrt(2.0 * RAMP * fmax(0.0, LENGTH - arm->way)) / arm->speed);
}

static void advance_to(struct arm *arm, double end, double part) {
    double span = end - arm->time, rate = part > 0.0 ? RAMP / arm->speed : 1.0 / REST;
    if (span <= 0.0) return;
    double change = fmax(-rate * span, fmin(rate * span, part - arm->part));
    arm->way += arm->speed * (span * (arm->part + change) - 0.5 * change * fabs(change) / rate);
    arm->part += change;
    arm->time = end;
}

static void advance(struct arm *arm, double to) {
    advance_to(arm, fmin(to, arm->until), fmin(arm->command, wish(arm)));
    advance_to(arm, to, 0.0);
}

static void obey(struct arm *arm, double part, double until) {
    advance(arm, now());
    arm->command = part;
    arm->until = until;
}

struct client {
    struct arm arm;
    double late, sent[WAITING], worst; /* when states were measured whose answers have not come yet (s) */
    long states, answers, permits, slows, stops, silences;
    int link;                          /* -1: lost */
    size_t held;                       /* bytes of lines that are not complete yet */
    char bytes[BYTES], said[8];
    const char *over;                  /* why the arm only brakes from here on */
};

static void stop(struct client *c, const char *why) {
    if (!c->over) c->over = why;
    obey(&c->arm, 0.0, 0.0);
}

static void lose(struct client *c, const char *why) {
    if (c->link >= 0) close(c->link);
    c->link = -1;
    stop(c, why);
}

static void send_state(struct client *c, int reset) {
    char line[1024];
    const struct arm *arm = &c->arm;
    const double parts[2] = {arm->part, wish(arm)};
    const char *names[2] = {"qd", "asked"};
    int n = snprintf(line, sizeof line, "{\"t\": %.9f, \"q\": [", arm->time);
    for (int i = 0; i < JOINTS; i++)
        n += snprintf(line + n, sizeof line - (size_t)n, "%s%.9f", i ? ", " : "",
                      START[i] + arm->way * ALONG[i]);
    for (int k = 0; k < 2; k++) {
        n += snprintf(line + n, sizeof line - (size_t)n, "], \"%s\": [", names[k]);
        for (int i = 0; i < JOINTS; i++)
            n += snprintf(line + n, sizeof line - (size_t)n, "%s%.9f", i ? ", " : "",
                          arm->speed * parts[k] * ALONG[i]);
    }
    n += snprintf(line + n, sizeof line - (size_t)n, "]%s}\n", reset ? ", \"reset\": {}" : "");
    if (c->states - c->answers == WAITING) {
        lose(c, "stopped by itself: the monitor does not answer");
        return;
    }
    c->sent[c->states++ % WAITING] = arm->time;
    if (write(c->link, line, (size_t)n) != n)
        lose(c, "stopped by itself: the monitor does not read, or has gone");
}

/* What stands behind a key. In a string a quotation mark has a backslash before it: none looks like a key. */
static const char *value(const char *line, const char *key) {
    const char *at = strstr(line, key);
    return at ? at + strlen(key) + strspn(at + strlen(key), " ") : "";
}

/* A command holds until the next one, at most `late` after the state that it answers. */
static void heed(struct client *c, const char *line) {
    const char *command = value(line, "\"command\":"), *speed = value(line, "\"speed\":");
    const char *why = value(line, "\"text\":");
    int permit = !strncmp(command, "\"permit\"", 8), slow = !strncmp(command, "\"slow\"", 6);
    int silence = !strncmp(value(line, "\"silence\":"), "true", 4) || c->answers == c->states;
    char *end, word[8];
    double part = strtod(speed, &end), until = 0.0;
    if (silence) {
        c->silences++; /* nobody asked: a stop, and the answer is still to come */
    } else {
        double t = c->sent[c->answers++ % WAITING];
        c->worst = fmax(c->worst, now() - t);
        *(permit ? &c->permits : slow ? &c->slows : &c->stops) += 1;
        if ((permit || slow) && end != speed && part >= 0.0 && part <= 1.0 && !c->over) until = t + c->late;
    }
    /* With category 0 power goes now, with 1 at rest, with 2 it stays: tell your drives here. */
    obey(&c->arm, until > 0.0 ? part : 0.0, until);
    snprintf(word, sizeof word, "%s", permit ? "permit" : slow ? "slow" : "stop");
    if (strcmp(word, c->said)) {
        size_t length = *why == '"';
        while (why[length] && (why[length] != '"' || why[length - 1] == '\\')) length++;
        printf("%s %.2f %.*s\n", word, part, (int)length + (why[length] == '"'), why);
        fflush(stdout);
        strcpy(c->said, word);
    }
}

/* Waits for lines, at most until then. Each is obeyed as it comes. */
static void read_lines(struct client *c, double until) {
    double wait = fmax(0.0, until - now());
    struct timespec time = {(time_t)wait, (long)(1e9 * (wait - floor(wait)))};
    fd_set set;
    FD_ZERO(&set);
    if (c->link >= 0) FD_SET(c->link, &set);
    if (pselect(c->link + 1, &set, NULL, NULL, &time, NULL) <= 0) return;
    ssize_t count = read(c->link, c->bytes + c->held, BYTES - 1 - c->held);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count <= 0) {
        lose(c, "stopped by itself: the monitor has closed the connection");
        return;
    }
    c->held += (size_t)count;
    c->bytes[c->held] = 0;
    char *line = c->bytes, *end;
    for (; (end = strchr(line, '\n')); line = end + 1) {
        *end = 0;
        heed(c, line);
    }
    c->held = strlen(line);
    memmove(c->bytes, line, c->held);
    if (c->held == BYTES - 1) lose(c, "stopped by itself: a line has no end");
}

static int connect_to(const char *address) {
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    errno = EINVAL;
    if (strncmp(address, "unix:", 5) || strlen(address + 5) >= sizeof to.sun_path) return -1;
    strcpy(to.sun_path, address + 5);
    int link = socket(AF_UNIX, SOCK_STREAM, 0);
    if (link < 0 || link >= FD_SETSIZE || connect(link, (struct sockaddr *)&to, sizeof to)) return -1;
    signal(SIGPIPE, SIG_IGN); /* write says it */
    return fcntl(link, F_SETFL, O_NONBLOCK) < 0 ? -1 : link;
}

int main(int count, char **words) {
    static struct client c;
    double period = 0.002, seconds = 4.0;
    int reset = 0, bad = count < 2;
    c.late = 0.02;
    c.arm.speed = 0.5;
    for (int i = 2; i < count; i++) {
        double *number = !strcmp(words[i], "--period")    ? &period
                         : !strcmp(words[i], "--late")    ? &c.late
                         : !strcmp(words[i], "--seconds") ? &seconds
                         : !strcmp(words[i], "--speed")   ? &c.arm.speed
                                                          : NULL;
        if (number && i + 1 < count) *number = strtod(words[++i], NULL);
        else if (!strcmp(words[i], "--reset")) reset = 1; /* the operator has seen to the fault */
        else bad = 1;
    }
    if (bad || !(period > 0.0 && c.late > 0.0 && seconds > 0.0 && c.arm.speed > 0.0)) {
        fprintf(stderr, "usage: %s unix:PATH [--period S] [--late S] [--seconds S] [--speed RAD/S] "
                        "[--reset]\n", words[0]);
        return 2;
    }
    if ((c.link = connect_to(words[1])) < 0) {
        perror(words[1]);
        return 2;
    }
    double begin = now(), tick = begin, time = begin;
    c.arm.time = begin;
    while (!(c.over && c.arm.part <= 0.0)) {
        advance(&c.arm, now());
        if (c.arm.time - begin > seconds) stop(&c, "the time is over");
        if (c.link >= 0) send_state(&c, reset && c.states == 2); /* taken while states come */
        /* The next state is due a period later. One that is due already is sent at once, and none twice. */
        tick = fmax(tick + period, now());
        do {
            read_lines(&c, c.arm.until > 0.0 ? fmin(tick, c.arm.until) : tick);
            time = now();
            if (c.arm.until > 0.0 && time > c.arm.until)
                stop(&c, "stopped by itself: no answer in time for the last permitted state");
        } while (time < tick);
    }
    double end = now() + c.late;
    while (c.answers < c.states && c.link >= 0 && now() < end) read_lines(&c, end);
    printf("%s\nsummary: %ld states, %ld answers: %ld permit, %ld slow, %ld stop; %ld silences; "
           "worst round trip %.2f ms; moved %.4f rad\n",
           c.over, c.states, c.answers, c.permits, c.slows, c.stops, c.silences, 1e3 * c.worst, c.arm.way);
    return strcmp(c.over, "the time is over") != 0;
}
