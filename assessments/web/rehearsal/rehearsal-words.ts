import type { Finding } from '../../rehearsal.ts'
import type { RehearsalState } from './rehearsal-state.ts'

export interface CheckShown {
  name: string
  sentence: string
  isTrouble: boolean
}

/** What was checked, in the order in which it is mended: each a sentence, with what to do where it is a trouble. */
export function checksOf(
  state: Pick<RehearsalState, 'timesLeft' | 'wasFullscreen' | 'loss'> & {
    outcome: NonNullable<RehearsalState['outcome']>
  },
): CheckShown[] {
  const { outcome, timesLeft, wasFullscreen, loss } = state
  const { browser, clockOffsetMs, roundTripMs } = outcome
  const has = (finding: Finding) => outcome.findings.includes(finding)
  const check = (name: string, finding: Finding | null, bad: string, good: string): CheckShown => {
    const isTrouble = finding !== null && has(finding)
    return { name, isTrouble, sentence: isTrouble ? bad : good }
  }
  return [
    check(
      'Browser',
      'browser',
      `${browser} is not one that this test is known to work in. Install the newest Chrome, Firefox, Edge or Safari, or update yours.`,
      `${browser} is known to work.`,
    ),
    check(
      'Clock',
      'clock',
      `your device's clock is ${offsetText(clockOffsetMs)}. Have it set the time by itself (settings, date and time). The test goes by our clock, so it is you who would be misled.`,
      `your device's clock is ${offsetText(clockOffsetMs)}. The test goes by ours.`,
    ),
    check(
      'Connection',
      'slow',
      `a call takes ${roundTripMs} ms. Sit nearer to the access point, use a cable, and close what else loads.`,
      `a call takes ${roundTripMs} ms.`,
    ),
    check(
      'Short loss of the network',
      'connection',
      'an answer that was given while the connection was cut had not come through at the end. Rehearse again, and give it ten seconds after the line about the connection is gone.',
      loss === 'survived'
        ? 'your answer was kept and saved as soon as the connection was back. In the real test, too: stay on the page.'
        : 'it was not tried, because few questions were answered. Rehearse again if you like to see it.',
    ),
    check(
      'Storage',
      'storage',
      'your browser keeps nothing on this device, so answers would be lost with the page. Leave private browsing, or allow site data for this address.',
      'answers stay on this device when the page is closed.',
    ),
    check(
      'Screen',
      null,
      '',
      has('phone')
        ? `${outcome.screenWidth} by ${outcome.screenHeight}: this is a phone. The test works on it; a computer has more room, and nobody calls it.`
        : `${outcome.screenWidth} by ${outcome.screenHeight}, with room for everything.`,
    ),
    check(
      'Fullscreen',
      null,
      '',
      has('no_fullscreen')
        ? 'this device has none for pages. The test goes without.'
        : wasFullscreen
          ? 'it worked.'
          : 'it is there; you went without.',
    ),
    check(
      'The page',
      null,
      '',
      timesLeft === 0
        ? 'it was never left.'
        : `it was left ${timesLeft === 1 ? 'once' : `${timesLeft} times`}. In the real test each of these is a violation, and the third ends it. Switch off notifications and close other programs before you start.`,
    ),
  ]
}

/** 'right to the second', '40 s ahead of ours', '3 min behind ours' */
function offsetText(offsetMs: number): string {
  const seconds = Math.round(Math.abs(offsetMs) / 1_000)
  if (seconds === 0) return 'right to the second'
  const length =
    seconds < 100
      ? `${seconds} s`
      : seconds < 7_200
        ? `${Math.round(seconds / 60)} min`
        : `${Math.round(seconds / 3_600)} h`
  return `${length} ${offsetMs > 0 ? 'ahead of' : 'behind'} ours`
}
