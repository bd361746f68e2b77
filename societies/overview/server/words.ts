import { countOf, numberWord } from '../../../platform/words.ts'
import type { AssessmentState } from '../../kit/assessment-state.ts'
import { mayOf } from '../../kit/role-words.ts'
import { zoneDay, zoneTime } from '../../kit/zone-time.ts'
import { CHECKLIST_ROWS, type Listed, type Row } from '../../setup/contract-overview.ts'
import { type Checklist, missingOf, type Surveyed } from './checklist.ts'
import { whenWords } from './rows.ts'

const isOrAre = (count: number) => (count === 1 ? 'is' : 'are')
const missingThings = (count: number, more = '') =>
  `${numberWord(count)}${more} ${count === 1 ? 'thing' : 'things'} ${isOrAre(count)} missing.`
const takenWords = ({ submittedCount, candidateCount }: Surveyed): string =>
  submittedCount === 0
    ? 'No one took it.'
    : `${submittedCount} of ${candidateCount} candidates took it.`
const DRAFT = 'Candidates can’t see it until it’s published.'
const OVER = 'No one can start anymore.'

interface Words {
  headline: string
  sentence: string
}

/** Describes the next step in one sentence with one link (product 7.8.7). */
export function nextOf(test: Surveyed): Listed['next'] {
  const { state, runningCount } = test
  const plain = (text: string) => ({ look: null, text, link: null })
  if (test.isCandidate) {
    return plain(
      'You’re a candidate in this test or one with the same questions, so you have no role here.',
    )
  }
  if (state === 'closed') return plain(takenWords(test))
  if (state === 'running') {
    const inside =
      runningCount > 0
        ? `${countOf(runningCount, 'candidate is', 'candidates are')} taking the test.`
        : 'No one is taking the test.'
    return plain(test.closesAt ? inside : `${inside} It can be started at any time.`)
  }
  const [first, ...more] = test.checklist ? missingOf(test.checklist) : []
  if (!first) {
    const link = state === 'draft' ? ({ page: '', label: 'Publish it' } as const) : null
    return { look: null, text: 'Everything is ready.', link }
  }
  if (first.state === 'todo') return { look: null, text: first.finding, link: first.link }
  if (more.length === 0) return { look: first.finding, text: '', link: first.link }
  const text = missingThings(more.length, ' more')
  return { look: first.finding, text, link: { page: '', label: 'Open the checklist' } }
}

/** 'Four of six are ready.' */
function readyWords(checklist: Checklist): string {
  const ready = CHECKLIST_ROWS.length - missingOf(checklist).length
  return ready === 0
    ? 'Nothing is ready yet.'
    : `${numberWord(ready)} of six ${isOrAre(ready)} ready.`
}

export function overviewWords(test: Surveyed, now: Date): Words {
  const { state, opensAt, runningCount } = test
  if (state === 'closed') return { headline: `It is over. ${takenWords(test)}`, sentence: OVER }
  if (state === 'running') {
    return {
      headline:
        runningCount === 0
          ? 'Open, and no one is taking the test.'
          : `${numberWord(runningCount)} ${isOrAre(runningCount)} taking the test.`,
      sentence: `${test.submittedCount} of ${test.candidateCount} have finished.`,
    }
  }
  const checklist = test.checklist as Checklist
  const missing = missingOf(checklist)
  const opens = opensAt ? `It opens ${whenWords(opensAt, test.timeZone, now)}.` : ''
  if (missing.length === 0) {
    return state === 'draft'
      ? { headline: 'Ready. It is still a draft.', sentence: `${DRAFT} ${opens}`.trim() }
      : { headline: 'Ready.', sentence: opens }
  }
  const [first, ...others] = [
    ...missing.filter((row) => row.state === 'attention'),
    ...missing.filter((row) => row.state !== 'attention'),
  ].map(({ finding }) => finding)
  return {
    headline: `${readyWords(checklist)} ${first}`,
    sentence: [...others, state === 'draft' ? DRAFT : opens].join(' ').trim(),
  }
}

/** 'Next: decide 12 incidents', from the first open row of the checklist. */
export function afterWords(rows: readonly Row[], test: Surveyed): Words {
  const next = nextAfter(rows)
  const label = next?.link.label ?? ''
  return {
    headline: next
      ? `Next: ${label.charAt(0).toLowerCase()}${label.slice(1)}`
      : 'Everything is done.',
    sentence: next ? `${takenWords(test)} ${OVER}` : (rows.at(-1)?.finding ?? ''),
  }
}

export const nextAfter = (rows: readonly Row[]) => rows.find(({ state }) => state === 'attention')

/**
 * Says when and where an invigilator is needed, in the test's zone (product 7.8.10).
 * @param room null: all rooms
 * @param extraSeconds the longest extra time of any candidate
 */
export function helperWords(
  test: Pick<Surveyed, 'state' | 'opensAt' | 'closesAt' | 'timeZone' | 'durationSeconds'>,
  room: string | null,
  extraSeconds: number,
  now: Date,
): Words {
  const { state, opensAt, closesAt, timeZone } = test
  const where = `You ${mayOf('invigilator', room)}.`
  if (state === 'closed') return { headline: 'It is over. Thank you.', sentence: OVER }
  if (opensAt === null || closesAt === null) {
    return state === 'running'
      ? {
          headline: 'You are needed while the test is open.',
          sentence: `${where} It has no start deadline.`,
        }
      : { headline: 'The date isn’t set yet.', sentence: `${where} The date will appear here.` }
  }
  const timeOf = (at: Date) => zoneTime(at, timeZone)
  const dayOf = (at: Date) => zoneDay(at, timeZone, now.getTime())
  const end = new Date(closesAt.getTime() + (test.durationSeconds + extraSeconds) * 1_000)
  const until = dayOf(end) === dayOf(opensAt) ? timeOf(end) : `${dayOf(end)}, ${timeOf(end)}`
  if (state === 'running') {
    return {
      headline: `You are needed now, until ${until}.`,
      sentence: `${where} The start deadline is ${timeOf(closesAt)}.`,
    }
  }
  const when = whenWords(opensAt, timeZone, now)
  const today = when.startsWith('today') ? `That is ${when}. ` : ''
  return {
    headline: `You are needed on ${dayOf(opensAt)}, ${timeOf(opensAt)} to ${until}.`,
    sentence: `${today}${where} Candidates can start from ${timeOf(opensAt)} to ${timeOf(closesAt)}. The last one finishes by ${until}.`,
  }
}

/** The headline of the list: the running test, the next one, or the draft. */
export function listHeadline(all: readonly Surveyed[], now: Date): string {
  if (all.length === 0) return 'No assessment yet'
  const firstOf = (state: AssessmentState) =>
    all
      .filter((one) => one.state === state)
      .sort((a, b) => (a.opensAt?.getTime() ?? Infinity) - (b.opensAt?.getTime() ?? Infinity))[0]
  const running = all.filter(({ state }) => state === 'running')
  const runs = running.length === 1 ? `${running[0]?.name} is` : `${numberWord(running.length)} are`
  const inside = all.reduce((sum, { runningCount }) => sum + runningCount, 0)
  if (inside > 0) return `${runs} running, with ${countOf(inside, 'candidate')}.`
  const next = firstOf('preparing')
  if (next?.opensAt) {
    const opens = `${next.name} opens ${whenWords(next.opensAt, next.timeZone, now)}.`
    if (!next.checklist) return opens
    const missing = missingOf(next.checklist).length
    return `${opens} ${missing === 0 ? 'Everything is ready.' : missingThings(missing)}`
  }
  const draft = firstOf('draft')
  if (draft) {
    return `${draft.name} is a draft.${draft.checklist ? ` ${readyWords(draft.checklist)}` : ''}`
  }
  return running.length > 0 ? `${runs} open, and no one is taking the test.` : 'Nothing is planned.'
}
