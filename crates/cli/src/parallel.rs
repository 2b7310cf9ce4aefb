//! Independent work on several threads, with results in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use tesuji_arena::cancel;

use crate::failure::Outcome;

/// Does `work` for every number below `count` on `threads` threads. `see` gets the results in order, each as soon as it
/// and all before it are there; its failure ends everything.
pub(crate) fn in_order<T: Send>(
    count: usize,
    threads: usize,
    work: impl Fn(usize) -> T + Sync,
    mut see: impl FnMut(usize, T) -> Outcome,
) -> Outcome {
    if threads.min(count) <= 1 {
        return (0..count).try_for_each(|number| see(number, work(number)));
    }
    let next = AtomicUsize::new(0);
    let flag = cancel::current();
    thread::scope(|scope| {
        let (sender, receiver) = channel();
        for _ in 0..threads.min(count) {
            let (sender, flag) = (sender.clone(), flag.clone());
            let (next, work) = (&next, &work);
            scope.spawn(move || {
                cancel::with(flag, || {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        // A receiver that is gone has failed: nobody wants the rest.
                        if number >= count || sender.send((number, work(number))).is_err() {
                            break;
                        }
                    }
                });
            });
        }
        drop(sender);
        let (mut waiting, mut shown) = (BTreeMap::new(), 0);
        for (number, result) in receiver {
            waiting.insert(number, result);
            while let Some(result) = waiting.remove(&shown) {
                see(shown, result)?;
                shown += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::Failure;
    use tesuji_arena::InputError;

    #[test]
    fn results_come_in_order_until_one_fails() {
        for threads in [1, 4] {
            let mut seen = Vec::new();
            let square = |number: usize| number * number;
            in_order(20, threads, square, |number, result| {
                seen.push((number, result));
                Ok(())
            })
            .unwrap();
            assert_eq!(seen, (0..20).map(|number| (number, square(number))).collect::<Vec<_>>());
            let failed = in_order(20, threads, square, |number, _| match number {
                5 => Err(Failure::Fault(InputError::new("no"))),
                _ => Ok(()),
            });
            assert!(failed.is_err());
        }
    }
}
