import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Lets those who come in the same moment go on one in each turn of the event loop: what comes in between, as the
 * save of a candidate, waits for one of them and not for all.
 * @returns waits until it is one's turn, at most some microseconds for each who came before
 */
export function oneATurn(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.then(() => nextTurn())
    return last
  }
}
