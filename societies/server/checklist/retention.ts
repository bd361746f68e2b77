import type { Row } from '../../checklist.ts'
import { zoneDay } from '../../zone-time.ts'
import { WARNING_DAYS } from '../seasons/retention.ts'
import type { About } from './about.ts'

/** Until when it is kept: nothing to do is a right answer here (product 7.21.1). */
export function retentionRow(until: Date | null, { timeZone, now }: About): Row {
  const link = { page: 'settings', label: 'Change the day' } as const
  if (until === null) {
    return {
      state: 'ready',
      word: 'Kept',
      finding: 'Kept until an owner deletes it.',
      rest: 'Without a last moment to start there is no day from which it is counted.',
      ...{ missing: null, link },
    }
  }
  return {
    state: 'ready',
    word: 'Set',
    finding: `Answers and names are deleted on ${zoneDay(until, timeZone, now.getTime())}.`,
    rest: `Owners are told ${WARNING_DAYS} days before. Numbers without names stay, and so does the log.`,
    ...{ missing: null, link },
  }
}
