#!/usr/bin/env python3
"""A controller's loop beside `elbowroom monitor`: put your drives in the place of Arm, and keep the rest."""
import argparse, collections, json, math, select, socket, sys, time

START = (0.2, -0.3, -0.7, 0.0, 1.0, 0.0)  # rad
ALONG = (1.0, 0.1, -0.2, 0.0, 0.1, 0.3)  # the speeds of the joints, as parts of that of the first
LENGTH = 2.0  # of the way, at the first joint (rad)
RAMP = 1.0  # rad/s^2: `profile` in cell.toml
REST = 0.1  # s: from any speed it rests within this time, `brake` in cell.toml


class Arm:
    """A simulated arm on a straight way. Its drive knows when a command ends, and brakes then by itself."""

    def __init__(self, speed):
        self.speed, self.way, self.part = speed, 0.0, 0.0  # rad/s; rad; which part of the speed it has
        self.time, self.command, self.until = time.monotonic(), 0.0, 0.0

    def obey(self, part, until):
        """Goes on with this part of the speed, at most until then (s). Until 0: it brakes now."""
        self.advance(time.monotonic())
        self.command, self.until = part, until

    def wish(self):
        """The part of the speed with which it would go on: at the end of the way it rests."""
        return min(1.0, math.sqrt(2.0 * RAMP * max(0.0, LENGTH - self.way)) / self.speed)

    def advance(self, now):
        for end, part in (min(now, self.until), min(self.command, self.wish())), (now, 0.0):
            span = end - self.time
            if span > 0.0:
                rate = RAMP / self.speed if part > 0.0 else 1.0 / REST
                change = max(-rate * span, min(rate * span, part - self.part))
                self.way += self.speed * (span * (self.part + change) - 0.5 * change * abs(change) / rate)
                self.part, self.time = self.part + change, end

    def state(self):
        """Positions and velocities as measured, and the velocities with which it would go on."""
        q = [start + self.way * along for start, along in zip(START, ALONG)]
        qd, asked = ([self.speed * part * along for along in ALONG] for part in (self.part, self.wish()))
        return {"t": self.time, "q": q, "qd": qd, "asked": asked}


class Client:
    def __init__(self, options):
        self.o, self.arm, self.link, self.rest = options, Arm(options.speed), connect(options.address), b""
        self.waiting = collections.deque()  # the times of the states whose answers have not come yet
        self.count, self.worst, self.said, self.over = collections.Counter(), 0.0, None, None

    def stop(self, why):
        """For good: from here on the arm only brakes."""
        self.over = self.over or why
        self.arm.obey(0.0, 0.0)

    def lose(self, what):
        self.link = None
        self.stop(f"stopped by itself: {what}")

    def send(self, state):
        data = json.dumps(state).encode() + b"\n"
        self.waiting.append(state["t"])
        self.count["states"] += 1
        try:
            if self.link.send(data) < len(data):
                self.lose("the monitor does not read")
        except OSError as e:
            self.lose(f"the monitor does not read, or has gone: {e}")

    def heed(self, answer):
        """A command holds until the next one, at most `late` after the state that it answers."""
        command, silence = answer["command"], answer.get("silence", False)
        self.count["silences" if silence or not self.waiting else command] += 1
        if silence or not self.waiting:
            self.arm.obey(0.0, 0.0)  # nobody asked: a stop, and the answer is still to come
        else:
            t = self.waiting.popleft()
            self.worst = max(self.worst, time.monotonic() - t)
            moves = command in ("permit", "slow") and 0.0 <= answer["speed"] <= 1.0 and not self.over
            self.arm.obey(answer["speed"], t + self.o.late) if moves else self.arm.obey(0.0, 0.0)
        # With category 0 power goes now, with 1 at rest, with 2 it stays: tell your drives here.
        if command != self.said:
            why = "".join(f": {reason['kind']}: {reason['text']}" for reason in answer["reasons"][:1])
            print(f"{command} {answer['speed']:.2f}{why}", flush=True)
        self.said = command

    def read(self, until):
        """Waits for lines, at most until then. Each is obeyed as it comes."""
        wait = max(0.0, until - time.monotonic())
        if self.link is None:
            return time.sleep(wait)
        try:
            if select.select([self.link], [], [], wait)[0]:
                data = self.link.recv(1 << 16)
                *lines, self.rest = (self.rest + data).split(b"\n")
                for line in lines:
                    self.heed(json.loads(line))
                if not data:
                    self.lose("the monitor has closed the connection")
        except OSError as e:
            self.lose(f"the monitor has closed the connection: {e}")
        except (ValueError, KeyError, TypeError) as e:
            self.lose(f"an answer is unreadable: {e}")

    def run(self):
        begin = tick = time.monotonic()
        while not (self.over and self.arm.part == 0.0):
            self.arm.advance(time.monotonic())
            if self.arm.time - begin > self.o.seconds:
                self.stop("the time is over")
            if self.link:
                once = self.o.reset and self.count["states"] == 2  # taken while states come
                self.send(self.arm.state() | ({"reset": {}} if once else {}))
            # The next state is due a period later. One that is due already is sent at once, and none twice.
            tick, now = max(tick + self.o.period, time.monotonic()), begin
            while now < tick:
                self.read(min(tick, self.arm.until or tick))
                now = time.monotonic()
                if 0.0 < self.arm.until < now:
                    self.stop("stopped by itself: no answer in time for the last permitted state")
        end = time.monotonic() + self.o.late
        while self.waiting and self.link and time.monotonic() < end:
            self.read(end)


def connect(address):
    kind, _, place = address.partition(":")
    if kind == "unix":
        link = socket.socket(socket.AF_UNIX)
        link.connect(place)
    else:
        host, _, port = place.rpartition(":")
        link = socket.create_connection((host, int(port)))
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    link.setblocking(False)
    return link


options = argparse.ArgumentParser(description=__doc__)
options.add_argument("address", help="unix:PATH or tcp:HOST:PORT")
options.add_argument("--period", type=float, default=0.002, help="as in [guard] (s)")
options.add_argument("--late", type=float, default=0.02, help="as in [guard] (s)")
options.add_argument("--seconds", type=float, default=4.0, help="how long to move")
options.add_argument("--speed", type=float, default=0.5, help="of the first joint (rad/s)")
options.add_argument("--reset", action="store_true", help="the operator has seen to the fault")
client = Client(options.parse_args())
client.run()
n, answers = client.count, sum(client.count[word] for word in ("permit", "slow", "stop"))
print(client.over)
print(
    f"summary: {n['states']} states, {answers} answers: {n['permit']} permit, {n['slow']} slow, "
    f"{n['stop']} stop; {n['silences']} silences; worst round trip {1e3 * client.worst:.2f} ms; "
    f"moved {client.arm.way:.4f} rad"
)
sys.exit(client.over != "the time is over")
