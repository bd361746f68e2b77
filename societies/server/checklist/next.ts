import type { AssessmentState } from '../../assessment-state.ts'
import { CHECKLIST_ROWS, type ChecklistLink } from '../../checklist.ts'
import { countOf, numberWord } from '../../number-words.ts'
import { type Checklist, missingOf } from './checklist.ts'
import { whenWords } from './moments.ts'

/** What the sentences are about. */
export interface Told {
  state: AssessmentState
  /** 'Morning' */
  name: string
  opensAt: Date | null
  closesAt: Date | null
  timeZone: string
  candidateCount: number
  runningCount: number
  submittedCount: number
  /** null where it is over, or not the member's */
  checklist: Checklist | null
  /** whoever looks is a candidate of it */
  isCandidate: boolean
}

export interface Next {
  /** what somebody should look at */
  look: string | null
  text: string
  link: ChecklistLink | null
}

const OPEN_CHECKLIST: ChecklistLink = { page: '', label: 'Open the checklist' }

/** What is next, in one sentence with one link (product 7.8.7). */
export function nextOf(told: Told): Next {
  const { state, runningCount } = told
  if (told.isCandidate) {
    return plain('You are a candidate of it, so you have no role in it.')
  }
  if (state === 'closed') return plain(satWords(told))
  if (state === 'running') {
    const inside =
      runningCount > 0
        ? `${countOf(runningCount, 'candidate is', 'candidates are')} inside.`
        : 'Nobody is inside.'
    return plain(told.closesAt ? inside : `${inside} It can be started at any time.`)
  }
  const missing = told.checklist ? missingOf(told.checklist) : []
  const [first] = missing
  if (!first) {
    return {
      look: null,
      text: 'Everything is ready.',
      link: state === 'draft' ? { page: '', label: 'Publish it' } : null,
    }
  }
  const sentence = first.missing ?? ''
  if (first.state === 'todo') return { look: null, text: sentence, link: first.link }
  if (missing.length === 1) return { look: sentence, text: '', link: first.link }
  return {
    look: sentence,
    text: `${numberWord(missing.length - 1)} more ${missing.length === 2 ? 'thing is' : 'things are'} missing.`,
    link: OPEN_CHECKLIST,
  }
}

const plain = (text: string): Next => ({ look: null, text, link: null })

function satWords({ submittedCount, candidateCount }: Told): string {
  return submittedCount === 0 ? 'Nobody sat it.' : `${submittedCount} of ${candidateCount} sat it.`
}

/** 'Four of six are ready.' */
export function readyWords(checklist: Checklist): string {
  const ready = CHECKLIST_ROWS.length - missingOf(checklist).length
  if (ready === 0) return 'Nothing is ready yet.'
  return `${numberWord(ready)} of six ${ready === 1 ? 'is' : 'are'} ready.`
}

/** The finding at the top of an assessment's overview, and the sentence below it. */
export function overviewWords(told: Told, now: Date): { headline: string; sentence: string } {
  const { state, timeZone, opensAt } = told
  if (state === 'closed') {
    return {
      headline: `Everybody is out. ${satWords(told)}`,
      sentence: 'Nobody can start any more.',
    }
  }
  if (state === 'running') {
    return {
      headline: `${told.runningCount === 0 ? 'Open, and nobody is inside' : `${numberWord(told.runningCount)} ${told.runningCount === 1 ? 'is' : 'are'} inside`}.`,
      sentence: `${told.submittedCount} of ${told.candidateCount} are done.`,
    }
  }
  const checklist = told.checklist as Checklist
  const missing = missingOf(checklist)
  const opens = opensAt ? `It opens ${whenWords(opensAt, timeZone, now)}.` : ''
  if (missing.length === 0) {
    return state === 'draft'
      ? {
          headline: 'Ready. It is still a draft.',
          sentence: `Candidates see nothing of it until it is published. ${opens}`.trim(),
        }
      : { headline: 'Ready.', sentence: opens }
  }
  const [first, ...others] = [
    ...missing.filter((row) => row.state === 'attention'),
    ...missing.filter((row) => row.state !== 'attention'),
  ].map((row) => row.missing ?? '')
  return {
    headline: `${readyWords(checklist)} ${first}`,
    sentence: [
      ...others,
      state === 'draft' ? 'Candidates see nothing of it until it is published.' : opens,
    ]
      .filter(Boolean)
      .join(' '),
  }
}

/** The finding at the top of the list: what runs, else what opens next, else what is being made. */
export function listHeadline(all: readonly Told[], now: Date): string {
  if (all.length === 0) return 'No assessment yet'
  const first = (state: AssessmentState) =>
    all
      .filter((one) => one.state === state)
      .sort((a, b) => (a.opensAt?.getTime() ?? Infinity) - (b.opensAt?.getTime() ?? Infinity))[0]
  const inside = all.reduce((sum, { runningCount }) => sum + runningCount, 0)
  const running = all.filter(({ state }) => state === 'running')
  if (inside > 0) {
    const where =
      running.length === 1
        ? `${running[0]?.name} is running`
        : `${numberWord(running.length)} are running`
    return `${where}: ${inside} inside.`
  }
  const next = first('preparing')
  if (next?.opensAt) {
    const missing = next.checklist ? missingOf(next.checklist).length : 0
    const opens = `${next.name} opens ${whenWords(next.opensAt, next.timeZone, now)}.`
    if (missing === 0) return `${opens} ${next.checklist ? 'Everything is ready.' : ''}`.trim()
    return `${opens} ${numberWord(missing)} ${missing === 1 ? 'thing is' : 'things are'} missing.`
  }
  const draft = first('draft')
  if (draft) {
    return `${draft.name} is a draft.${draft.checklist ? ` ${readyWords(draft.checklist)}` : ''}`
  }
  if (running.length > 0) {
    return running.length === 1
      ? `${running[0]?.name} can be started.`
      : `${numberWord(running.length)} can be started. Nobody is inside.`
  }
  return 'Nothing is planned.'
}
