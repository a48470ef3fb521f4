//! The search on threads under a scheduler that draws which thread goes on at every channel operation.
//!
//! The transport of the real threads over the channels of `shuttle`: no clock decides, an empty reply is
//! asked again after so many looks into the channel.

use elbowroom::Checker;
use elbowroom_lab::henrich97::parallel::message::Message;
use elbowroom_lab::henrich97::parallel::transport::{Envelope, Lost, Transport};
use elbowroom_lab::henrich97::parallel::worker::Waits;
use elbowroom_lab::henrich97::parallel::{Policy, Resume, Worker};
use elbowroom_lab::henrich97::{Answer, SearchNode, Stop, System};
use elbowroom_lab::puma::Puma;
use elbowroom_testkit::robots::robots_folder;
use shuttle::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::Arc;

struct Channels {
    rank: usize,
    others: Vec<Sender<Envelope>>,
    inbox: Receiver<Envelope>,
    looks: f64,
}

impl Transport for Channels {
    fn send_message(&mut self, to: usize, search: u32, message: Message<SearchNode>) -> Result<(), Lost> {
        self.others[to].send(Envelope { from: self.rank, search, message }).map_err(|_| Lost::Gone(to))
    }
    fn try_receive(&mut self) -> Result<Option<Envelope>, Lost> {
        self.looks += 1.0;
        match self.inbox.try_recv() {
            Ok(envelope) => Ok(Some(envelope)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(Lost::Gone(self.rank)),
        }
    }
    fn now_us(&self) -> f64 {
        self.looks
    }
}

impl Waits for Channels {
    fn wait_until(&mut self, _: f64) -> Result<(), Lost> {
        shuttle::thread::yield_now();
        Ok(())
    }
}

#[test]
fn every_drawn_order_of_threads_finds_the_same() {
    let puma = Arc::new(Puma::load_bottleneck(Some(&robots_folder())).unwrap());
    let tree = puma.best_hierarchy().unwrap();
    let system = Arc::new(System::new(&puma.bottleneck, &puma.parts, &tree, true).unwrap());
    // A few poses of each kind, one search after the other, so that late messages meet the next search.
    let poses: Vec<Vec<f64>> = puma.path.iter().step_by(40).cloned().collect();
    let alone: Vec<Answer> = {
        let (mut system, mut checker) = (System::clone(&system), Checker::new(&puma.world));
        let mut detect = |q: &Vec<f64>| {
            checker.set(q).unwrap();
            system.detect_collision(&checker, Stop::Distance)
        };
        poses.iter().map(&mut detect).collect()
    };
    let by_token = Policy { resume: Resume::NextToken, ..Policy::from_paper() };
    for (count, policy) in [
        (2, Policy::from_paper()),
        (3, Policy::with_shared_bounds()),
        (3, Policy::from_paper()),
        (3, by_token),
    ] {
        let (puma, system, poses, alone) =
            (puma.clone(), system.clone(), Arc::new(poses.clone()), Arc::new(alone.clone()));
        let search = move || {
            let (others, inboxes): (Vec<_>, Vec<_>) = (0..count).map(|_| channel()).unzip();
            let threads: Vec<_> = inboxes
                .into_iter()
                .enumerate()
                .map(|(rank, inbox)| {
                    let (puma, mut system) = (puma.clone(), System::clone(&system));
                    let (poses, alone, others) = (poses.clone(), alone.clone(), others.clone());
                    shuttle::thread::spawn(move || {
                        let mut channels = Channels { rank, others, inbox, looks: 0.0 };
                        let mut worker = Worker::new(rank, count, policy, 3);
                        let mut checker = Checker::new(&puma.world);
                        for (q, alone) in poses.iter().zip(alone.iter()) {
                            checker.set(q).unwrap();
                            worker.begin_search(&mut system, &checker);
                            let found = worker.search_to_end(&mut system, Stop::Distance, &mut channels);
                            assert_eq!(found, Ok(*alone));
                        }
                        // Its channel stays open until all are done: late words may come.
                        channels
                    })
                })
                .collect();
            let open: Vec<Channels> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
            drop(open);
        };
        shuttle::check_random(search, 300);
    }
}
