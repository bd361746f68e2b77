import { countOf, numberWord } from '../../../platform/words.ts'
import type { ListedAssessment } from '../../access/server/assessments.ts'
import type { AssessmentState } from '../../kit/assessment-state.ts'
import { CHECKLIST_ROWS, type ChecklistLink } from '../../setup/checklist.ts'
import { type Checklist, missingOf } from './checklist.ts'
import { whenWords } from './window.ts'

/** What the sentences are about. */
export interface Told extends ListedAssessment {
  state: AssessmentState
  /** 'Morning' */
  name: string
  /** null where it is over, or the member is a candidate of it */
  checklist: Checklist | null
  isCandidate: boolean
}

interface Next {
  /** what needs attention */
  look: string | null
  text: string
  link: ChecklistLink | null
}

const isOrAre = (count: number) => (count === 1 ? 'is' : 'are')
const missingThings = (count: number, more = '') =>
  `${numberWord(count)}${more} ${count === 1 ? 'thing' : 'things'} ${isOrAre(count)} missing.`
const takenWords = ({ submittedCount, candidateCount }: Told): string =>
  submittedCount === 0
    ? 'No one took it.'
    : `${submittedCount} of ${candidateCount} candidates took it.`
const DRAFT = 'Candidates see nothing of it until it is published.'

/** What is next, in one sentence with one link (product 7.8.7). */
export function nextOf(told: Told): Next {
  const { state, runningCount } = told
  const plain = (text: string): Next => ({ look: null, text, link: null })
  if (told.isCandidate) return plain('You are a candidate of it, so you have no role in it.')
  if (state === 'closed') return plain(takenWords(told))
  if (state === 'running') {
    const inside =
      runningCount > 0
        ? `${countOf(runningCount, 'candidate is', 'candidates are')} taking the test.`
        : 'No one is taking the test.'
    return plain(told.closesAt ? inside : `${inside} It can be started at any time.`)
  }
  const missing = told.checklist ? missingOf(told.checklist) : []
  const [first] = missing
  if (!first) {
    const link = state === 'draft' ? ({ page: '', label: 'Publish it' } as const) : null
    return { look: null, text: 'Everything is ready.', link }
  }
  if (first.state === 'todo') return { look: null, text: first.finding, link: first.link }
  if (missing.length === 1) return { look: first.finding, text: '', link: first.link }
  return {
    look: first.finding,
    text: missingThings(missing.length - 1, ' more'),
    link: { page: '', label: 'Open the checklist' },
  }
}

/** 'Four of six are ready.' */
function readyWords(checklist: Checklist): string {
  const ready = CHECKLIST_ROWS.length - missingOf(checklist).length
  return ready === 0
    ? 'Nothing is ready yet.'
    : `${numberWord(ready)} of six ${isOrAre(ready)} ready.`
}

/** The headline of a test's overview, and the sentence below it. */
export function overviewWords(told: Told, now: Date): { headline: string; sentence: string } {
  const { state, opensAt, runningCount } = told
  if (state === 'closed') {
    return { headline: `It is over. ${takenWords(told)}`, sentence: 'No one can start anymore.' }
  }
  if (state === 'running') {
    return {
      headline:
        runningCount === 0
          ? 'Open, and no one is taking the test.'
          : `${numberWord(runningCount)} ${isOrAre(runningCount)} taking the test.`,
      sentence: `${told.submittedCount} of ${told.candidateCount} have finished.`,
    }
  }
  const checklist = told.checklist as Checklist
  const missing = missingOf(checklist)
  const opens = opensAt ? `It opens ${whenWords(opensAt, told.timeZone, now)}.` : ''
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

/** The headline of the list: what runs, or what opens next, or what is a draft. */
export function listHeadline(all: readonly Told[], now: Date): string {
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
