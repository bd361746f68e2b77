import { describeDuration } from '../minutes.ts'
import { countOf } from '../number-words.ts'
import type { Loaded } from '../server/authoring/load-assessment.ts'
import { describeTime } from '../server/local-time.ts'

/** What was loaded, and when it can be started. */
export function describeLoaded(loaded: Loaded, now: Date): string {
  const { code, society, session, timeZone, windowBefore, demoAttemptsRemoved } = loaded
  const name = session ? `${society} - ${session}` : society
  return [
    loaded.isUnchanged
      ? `${code} is the same as in this file already. Nothing was changed.`
      : `${code} is loaded${loaded.isNew ? '' : ' again'}: ${name}, ${countOf(loaded.itemCount, 'question')}, ${describeDuration(loaded.durationSeconds)}, ${countOf(loaded.candidateCount, 'candidate')} on the list.`,
    ...(loaded.isDraft
      ? ['It is a draft: candidates see it once you publish it in the browser.']
      : []),
    describeWindow(loaded, now),
    ...(windowBefore
      ? [
          'The file changed these times. Before, they were:',
          describeWindow({ ...windowBefore, timeZone }, now),
        ]
      : []),
    ...(demoAttemptsRemoved > 0
      ? [`${countOf(demoAttemptsRemoved, 'demo attempt was', 'demo attempts were')} removed.`]
      : []),
  ].join('\n')
}

/** When a test can be started, on the clocks of its zone and in UTC. */
function describeWindow(
  window: { opensAt: Date | null; closesAt: Date | null; timeZone: string },
  now: Date,
): string {
  const { opensAt, closesAt, timeZone } = window
  const at = (time: Date) => describeTime(time, timeZone)
  if (!opensAt && !closesAt) return '  can be started at any time: it is open now'
  const isOver = closesAt !== null && now > closesAt
  const state = opensAt && now < opensAt ? 'not open yet' : isOver ? 'closed' : 'open'
  return [
    `  opens:  ${opensAt ? at(opensAt) : 'no limit'}`,
    `  closes: ${closesAt ? at(closesAt) : 'no limit'}${closesAt ? ' (candidates who have started by then keep their whole time)' : ''}`,
    `  now:    ${at(now)}, ${state}`,
  ].join('\n')
}
