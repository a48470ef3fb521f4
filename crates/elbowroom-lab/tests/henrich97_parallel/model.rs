//! Every schedule of a small search: the rules of the real protocol, over work that is only counted.
//!
//! A state is what all processors know, their work, and the messages under way. From each state every message
//! that is first in its channel may arrive, and every processor may take any step that the rules let it: do a
//! piece of work, ask anybody, send the token. So every delay, every order between channels and every slow
//! processor is among the paths. A search ends too early if a processor is told that it is over while work is
//! left anywhere, or on its way. It hangs if there is a state from which no end can be reached, although the
//! master may send the further tokens that an end may take ([`tokens_to_end`]): how many tokens there may be
//! is bounded, or there would be no last state.

use elbowroom_lab::henrich97::parallel::message::Message;
use elbowroom_lab::henrich97::parallel::protocol::{Ended, MASTER, Protocol, Resume, Rules, Work};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::fmt::Write;

/// So many pieces of work.
#[derive(Clone, Debug)]
struct Pieces(u8);

impl Work for Pieces {
    type Node = ();

    fn is_done(&self) -> bool {
        self.0 == 0
    }

    fn give_nodes(&mut self) -> Vec<()> {
        let given = self.0 / 2;
        self.0 -= given;
        vec![(); usize::from(given)]
    }

    fn take_nodes(&mut self, nodes: Vec<()>) {
        self.0 += u8::try_from(nodes.len()).unwrap();
    }

    fn known_distance(&self) -> f64 {
        1.0
    }

    /// What is left is behind every bound.
    fn lower_best(&mut self, _: f64) {
        self.0 = 0;
    }
}

/// What a piece of work may find, besides nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Finds {
    Nothing,
    Collisions,
    Bounds,
}

#[derive(Clone, Debug)]
struct State {
    processors: Vec<(Protocol, Pieces)>,
    /// By sender and receiver.
    channels: Vec<Vec<VecDeque<Message<()>>>>,
    /// Tokens that the master has sent.
    tokens: u32,
    collided: bool,
}

impl State {
    fn new(work: &[u8], rules: Rules) -> State {
        let count = work.len();
        let processor = |(rank, pieces): (usize, &u8)| (Protocol::new(rank, count, rules), Pieces(*pieces));
        State {
            processors: work.iter().enumerate().map(processor).collect(),
            channels: vec![vec![VecDeque::new(); count]; count],
            tokens: 0,
            collided: false,
        }
    }

    fn send(&mut self, from: usize, out: Vec<(usize, Message<()>)>) {
        for (to, message) in out {
            self.channels[from][to].push_back(message);
        }
    }

    /// Lets the first message of a channel arrive.
    fn deliver(&mut self, from: usize, to: usize) {
        let message = self.channels[from][to].pop_front().unwrap();
        let (mut out, (protocol, work)) = (Vec::new(), &mut self.processors[to]);
        protocol.receive_message(from, message, work, &mut out);
        self.send(to, out);
    }

    /// Lets a processor do a piece of work.
    fn work(&mut self, rank: usize) {
        let (mut out, (protocol, work)) = (Vec::new(), &mut self.processors[rank]);
        work.0 -= 1;
        protocol.answer_requests(work, &mut out);
        self.send(rank, out);
    }

    /// Lets a processor ask another.
    fn ask(&mut self, rank: usize, donor: usize) {
        let mut out = Vec::new();
        self.processors[rank].0.ask_donor(donor, &mut out);
        self.send(rank, out);
    }

    /// Lets the master send its token.
    fn send_token(&mut self) {
        let (mut out, (protocol, work)) = (Vec::new(), &mut self.processors[MASTER]);
        assert!(protocol.may_send_token(work));
        protocol.send_token(work, &mut out);
        self.tokens += 1;
        self.send(MASTER, out);
    }

    /// Work that is left, on its way too.
    fn work_left(&self) -> usize {
        let here: usize = self.processors.iter().map(|(_, work)| usize::from(work.0)).sum();
        let flying = self.channels.iter().flatten().flatten().map(|message| match message {
            Message::Reply(nodes) => nodes.len(),
            _ => 0,
        });
        here + flying.sum::<usize>()
    }

    fn all_ended(&self) -> bool {
        self.processors.iter().all(|(protocol, _)| protocol.found_end().is_some())
    }

    /// What is wrong with an end that somebody was told of.
    fn wrong_end(&self) -> bool {
        self.processors.iter().any(|(protocol, _)| match protocol.found_end() {
            Some(Ended::Apart(_)) => self.work_left() > 0 || self.collided,
            _ => false,
        })
    }

    /// All states that may come next.
    fn next_states(&self, finds: Finds) -> Vec<State> {
        let mut next = Vec::new();
        let count = self.processors.len();
        for to in 0..count {
            if self.processors[to].0.found_end().is_some() {
                continue;
            }
            for from in 0..count {
                if self.channels[from][to].is_empty() {
                    continue;
                }
                let mut state = self.clone();
                state.deliver(from, to);
                next.push(state);
            }
            let (protocol, work) = &self.processors[to];
            if work.0 > 0 {
                let mut state = self.clone();
                state.work(to);
                next.push(state);
                if finds == Finds::Bounds {
                    let (mut state, mut out) = (self.clone(), Vec::new());
                    state.processors[to].0.tell_all(&mut out, || Message::Bound(0.5));
                    state.send(to, out);
                    state.work(to);
                    next.push(state);
                }
                if finds == Finds::Collisions {
                    let (mut state, mut out) = (self.clone(), Vec::new());
                    state.processors[to].0.tell_collision(&mut out);
                    state.collided = true;
                    state.send(to, out);
                    next.push(state);
                }
            }
            if protocol.may_send_token(work) {
                let mut state = self.clone();
                state.send_token();
                next.push(state);
            }
            if protocol.may_ask(work) {
                for donor in (0..count).filter(|donor| *donor != to) {
                    let mut state = self.clone();
                    state.ask(to, donor);
                    next.push(state);
                }
            }
        }
        next
    }
}

impl State {
    /// A number for each state: 128 bits of what its words hash to, so that no two states of a run share one.
    fn digest(&self) -> [u64; 2] {
        let mut words = String::with_capacity(4096);
        write!(words, "{self:?}").unwrap();
        let (whole, rest) = words.as_bytes().as_chunks();
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        let mut sums = [0; 2];
        for chunk in whole.iter().chain([&last]) {
            let word = u64::from_le_bytes(*chunk);
            for (sum, factor) in sums.iter_mut().zip([0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93]) {
                *sum = (u64::rotate_left(*sum, 23) ^ word).wrapping_mul(factor);
            }
        }
        sums
    }
}

/// What looking at every schedule found.
#[derive(Debug)]
struct Explored {
    states: usize,
    /// States with an end that came too early.
    early: usize,
    /// States from which no right end of all can be reached, though the master may send as many further
    /// tokens as that may take.
    hanging: usize,
    ends: usize,
}

/// How many further tokens an end may take once one came back black: one, or two if the first of them is for
/// releasing, and black again.
fn tokens_to_end(resume: Resume) -> u32 {
    match resume {
        Resume::GoOn => 1,
        Resume::NextToken => 2,
    }
}

/// Looks at every state that can be reached with at most `tokens` tokens, from so much work at each
/// processor.
fn explore(work: &[u8], rules: Rules, tokens: u32, finds: Finds) -> Explored {
    let mut known: HashMap<[u64; 2], usize> = HashMap::new();
    // By state: those before it, and whether there are tokens enough for an end.
    let (mut before, mut has_tokens): (Vec<Vec<usize>>, Vec<bool>) = (Vec::new(), Vec::new());
    let enough = |state: &State| state.tokens + tokens_to_end(rules.resume) <= tokens;
    let (mut early, mut ends) = (0, Vec::new());
    let start = State::new(work, rules);
    known.insert(start.digest(), 0);
    before.push(Vec::new());
    has_tokens.push(enough(&start));
    let mut work_list = vec![(0, start)];
    while let Some((number, state)) = work_list.pop() {
        if state.wrong_end() {
            early += 1;
            continue;
        }
        if state.all_ended() {
            ends.push(number);
            continue;
        }
        for next in state.next_states(finds).into_iter().filter(|next| next.tokens <= tokens) {
            let count = before.len();
            match known.entry(next.digest()) {
                Entry::Occupied(found) => before[*found.get()].push(number),
                Entry::Vacant(free) => {
                    free.insert(count);
                    before.push(vec![number]);
                    has_tokens.push(enough(&next));
                    work_list.push((count, next));
                }
            }
        }
    }
    // Backwards from all ends.
    let mut reaches = vec![false; before.len()];
    ends.iter().for_each(|&end| reaches[end] = true);
    let (count, mut back) = (ends.len(), ends);
    while let Some(number) = back.pop() {
        for &earlier in &before[number] {
            if !std::mem::replace(&mut reaches[earlier], true) {
                back.push(earlier);
            }
        }
    }
    let hanging = reaches.iter().zip(&has_tokens).filter(|(reaches, enough)| !**reaches && **enough).count();
    Explored { states: before.len(), early, hanging, ends: count }
}

/// Looks at every schedule of each case under each of the rules, and returns how many states there were.
fn check_schedules(all: &[Rules], cases: &[(&[u8], u32, Finds)]) -> usize {
    let check = |rules: Rules| {
        let mut states = 0;
        for &(work, tokens, finds) in cases {
            let tokens = tokens.max(tokens_to_end(rules.resume));
            let found = explore(work, rules, tokens, finds);
            println!("pieces {work:?}, {tokens} tokens, {finds:?}, {rules:?}: {found:?}");
            assert_eq!((found.early, found.hanging), (0, 0), "{work:?} {tokens} {rules:?} {found:?}");
            assert!(found.ends > 0);
            states += found.states;
        }
        states
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = all.iter().map(|&rules| scope.spawn(move || check(rules))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    })
}

#[test]
fn no_schedule_ends_too_early_and_none_hangs() {
    let cases: [(&[u8], u32, Finds); 12] = [
        (&[3], 1, Finds::Collisions),
        (&[3, 0], 3, Finds::Collisions),
        (&[3, 0], 3, Finds::Bounds),
        (&[5, 0], 3, Finds::Nothing),
        (&[0, 1, 2], 2, Finds::Nothing),
        (&[0, 1, 2], 1, Finds::Bounds),
        (&[0, 0, 2], 3, Finds::Nothing),
        (&[4, 0, 0], 1, Finds::Nothing),
        (&[2, 0, 0], 1, Finds::Collisions),
        (&[3, 0, 0], 1, Finds::Bounds),
        (&[0, 2, 1], 1, Finds::Collisions),
        (&[0, 0, 1, 2], 2, Finds::Nothing),
    ];
    let rules =
        [(false, Resume::GoOn), (true, Resume::GoOn), (false, Resume::NextToken), (true, Resume::NextToken)]
            .map(|(park_requests, resume)| Rules { park_requests, resume, ..Rules::default() });
    let states = check_schedules(&rules, &cases);
    assert!(states > 100_000, "{states}");
}

#[test]
fn a_token_that_waits_for_a_reply_ends_nothing_too_early_and_hangs_nothing() {
    let cases: [(&[u8], u32, Finds); 8] = [
        (&[3, 0], 3, Finds::Collisions),
        (&[3, 0], 3, Finds::Bounds),
        (&[5, 0], 3, Finds::Nothing),
        (&[0, 1, 2], 2, Finds::Nothing),
        (&[0, 0, 2], 2, Finds::Nothing),
        (&[0, 0, 2], 1, Finds::Bounds),
        (&[0, 2, 1], 1, Finds::Collisions),
        (&[0, 0, 1, 2], 1, Finds::Nothing),
    ];
    let rules = [
        (false, Resume::GoOn, 1),
        (true, Resume::GoOn, 1),
        (true, Resume::GoOn, 3),
        (true, Resume::NextToken, 2),
    ]
    .map(|(park_requests, resume, asks_before_token)| Rules {
        park_requests,
        resume,
        asks_before_token,
        keep_token: true,
        ..Rules::default()
    });
    let states = check_schedules(&rules, &cases);
    assert!(states > 100_000, "{states}");
}

#[test]
fn a_master_asks_as_often_as_its_rule_says() {
    for asks in [1, 3] {
        let rules = Rules { asks_before_token: asks, ..Rules::default() };
        let mut state = State::new(&[0, 0, 0], rules);
        let mut before = 0;
        loop {
            let (protocol, work) = &state.processors[MASTER];
            if protocol.may_send_token(work) {
                break;
            }
            state.ask(MASTER, 2);
            state.deliver(MASTER, 2);
            state.deliver(2, MASTER);
            before += 1;
        }
        assert_eq!(before, asks - 1);
    }
}

/// The fourth processor makes the first token black. The second token releases the second processor, whose
/// request to the fourth overtakes it. Were the token still white, the end would be told while there is work.
#[test]
fn a_next_token_that_stays_white_where_it_releases_ends_too_early() {
    let rules = Rules { resume: Resume::NextToken, blacken_where_released: false, ..Rules::default() };
    let found = explore(&[0, 0, 0, 2], rules, 2, Finds::Nothing);
    println!("{found:?}");
    assert!(found.early > 0, "the model does not see what the rule is for: {found:?}");
}

#[test]
fn asking_after_a_white_token_ends_too_early() {
    let rules = Rules { hold_after_white: false, ..Rules::default() };
    let found = explore(&[0, 0, 2], rules, 1, Finds::Nothing);
    println!("{found:?}");
    assert!(found.early > 0, "the model does not see what the rule is for: {found:?}");
}

/// A donor that a bound leaves without work answers at once: nobody waits for work that there is no more.
#[test]
fn a_bound_answers_the_requests_that_wait() {
    let mut state = State::new(&[1, 0, 1], Rules { park_requests: true, ..Rules::default() });
    state.ask(1, 2);
    state.deliver(1, 2);
    assert!(state.channels[2][1].is_empty(), "the donor has one piece and keeps it");
    let mut out = Vec::new();
    state.processors[0].0.tell_all(&mut out, || Message::Bound(0.5));
    state.send(0, out);
    state.deliver(0, 2);
    assert_eq!(state.channels[2][1], [Message::Reply(Vec::new())]);
}

/// The token and the word to go on come to a processor by different channels from the third one on, and a
/// request overtakes the token from the fifth: too many for every schedule, so here is one.
#[test]
fn a_late_word_to_go_on_ends_too_early_without_its_number() {
    for number_rounds in [true, false] {
        let mut state = State::new(&[0, 0, 1, 0, 2], Rules { number_rounds, ..Rules::default() });
        // The first token comes back black, because of the third processor, and all are told to go on.
        state.send_token();
        [1, 2, 3, 4, 0].into_iter().for_each(|to| state.deliver((to + 4) % 5, to));
        // The second hears of it, the third does not yet. The master asks once, in vain, and sends its
        // second.
        state.deliver(0, 1);
        state.ask(0, 1);
        state.deliver(0, 1);
        state.deliver(1, 0);
        state.send_token();
        state.deliver(0, 1);
        state.work(2);
        state.deliver(1, 2);
        // The third has passed the second token on, white. Now it is told to go on, because of the first.
        state.deliver(0, 2);
        let (protocol, work) = &state.processors[2];
        assert_eq!(protocol.may_ask(work), !number_rounds);
        if number_rounds {
            continue;
        }
        state.ask(2, 4);
        state.deliver(2, 4);
        state.deliver(4, 2);
        state.work(4);
        [3, 4, 0].into_iter().for_each(|to| state.deliver((to + 4) % 5, to));
        assert!(state.wrong_end() && state.work_left() == 1, "{state:?}");
    }
}
