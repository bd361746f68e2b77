import { lengthText } from '../platform/durations.ts'
import { listOf } from '../platform/words.ts'
import type { Incident, Strike } from './attempt-log.ts'
import type { SubmitReason } from './deadline.ts'

/** The input for the sentences. `changed` has no letters for members who can't read answers. */
type WordedIncident = Pick<
  Incident,
  'kind' | 'lengthMs' | 'act' | 'takeOver' | 'waited' | 'missing' | 'unheard'
> & { changed: { question: number; from?: string; to?: string; afterMs: number }[] }

/** Describes an incident in sentences, for organizers and the candidate (product 7.16.2, 6.10.8). */
export function incidentWords(
  one: WordedIncident,
  timeOf: (ms: number) => string,
): { lead: string; rest: string[] } {
  const length = one.lengthMs === null ? '' : ` for ${lengthText(one.lengthMs)}`
  switch (one.kind) {
    case 'away':
      return {
        lead: one.lengthMs === null ? 'Away. The return was not reported.' : `Away${length}.`,
        rest: one.changed.map(describeChange),
      }
    case 'act':
      return describeAct(one)
    case 'offline':
      return {
        lead: one.lengthMs === null ? 'Offline. The end was not reported.' : `Offline${length}.`,
        rest: one.waited
          ? [
              `${countWords(one.waited.answers, 'answer')} waited in the page and ${one.waited.answers === 1 ? 'had' : 'all had'} arrived by ${timeOf(one.waited.heardMs)}.`,
            ]
          : [],
      }
    case 'take_over':
      return describeTakeOver(one)
    case 'accounts':
      return {
        lead: 'The credentials were entered from another account.',
        rest: ['That account answered no questions.'],
      }
    case 'unmonitored':
      return {
        lead: one.missing === null ? `Unmonitored answers${length}.` : `Not monitored${length}.`,
        rest: [
          one.missing === null && 'The page never confirmed monitoring.',
          !!one.missing && `${countWords(one.missing, 'event')} from the page never arrived.`,
          one.unheard > 0 &&
            `${countWords(one.unheard, 'save')} arrived while the page reported nothing.`,
        ].filter((text) => text !== false),
      }
    case 'pace':
      return {
        lead: `${countWords(one.act?.times ?? 0, 'question')} answered in ${lengthText(one.lengthMs ?? 0)}.`,
        rest: [
          'No one reads them that fast. Guessing at the end, or reading everything first, can look like this.',
        ],
      }
    case 'report':
      return { lead: 'A helper wrote:', rest: [] }
  }
}

function describeChange(change: WordedIncident['changed'][number]): string {
  const { question, from, to, afterMs } = change
  const letters = from && to ? ` from ${from} to ${to}` : ''
  return `${lengthText(afterMs)} after the return, the answer to question ${question} was changed${letters}.`
}

const DONE: Record<string, string> = {
  copy: 'Copied',
  cut: 'Cut',
  paste: 'Pasted',
  context_menu: 'Right-clicked',
  print_screen: 'Pressed print screen',
}

function describeAct({ act }: WordedIncident): { lead: string; rest: string[] } {
  const name =
    DONE[act?.kind ?? ''] ?? (act?.key ? `Pressed ${act.key}` : 'Pressed a blocked shortcut')
  const times = act?.times ?? 1
  const rest = act?.kind === 'copy' || act?.kind === 'cut' ? ['Its destination is unknown.'] : []
  return { lead: `${name}, ${times === 1 ? 'once' : `${times} times`}.`, rest }
}

function describeTakeOver({ takeOver, lengthMs }: WordedIncident) {
  const lead = takeOver?.isOtherAccount
    ? 'Another account took over.'
    : takeOver?.isOtherBrowser
      ? 'Another computer or browser took over.'
      : takeOver?.isOtherAddress
        ? 'The test continued from another network.'
        : 'The test was opened in a new page.'
  const same = [
    !takeOver?.isOtherAccount && 'account',
    !takeOver?.isOtherAddress && 'network',
    !takeOver?.isOtherBrowser && 'browser',
  ].filter((text) => text !== false)
  const rest = [
    same.length > 0 && `The same ${listOf(same)}.`,
    !!lengthMs && `Not monitored for ${lengthText(lengthMs)} before that.`,
  ].filter((text) => text !== false)
  return { lead, rest }
}

const countWords = (count: number, one: string) => (count === 1 ? `One ${one}` : `${count} ${one}s`)

/** How many of the others in the same room were away. */
export interface Company {
  /** Null if the candidate has no room. */
  room: string | null
  away: number
  of: number
}

/** Formats 'In the same minute 34 of the 37 others in room 2.11 were away.' */
export function companyWords(company: Company | null): string {
  if (!company) return ''
  const where = company.room === null ? '' : ` in room ${company.room}`
  if (company.of === 0) return `Nobody else${where} was taking the test then.`
  if (company.away === 0) return `Nobody else${where || ' there'} was away.`
  return `In the same minute ${company.away} of the ${company.of === 1 ? 'one other' : `${company.of} others`}${where} ${company.away === 1 ? 'was' : 'were'} away.`
}

/** Names the subject of a member's report, for use after 'Ben wrote'. */
export const REPORT_OF = {
  candidate: '',
  room: ' about the whole room',
  all: ' about all candidates',
} as const

/** Describes how a finished attempt ended. Members check this first when they defend a verdict. */
export function endWords(attempt: {
  submitReason: SubmitReason | null
  endedBySociety: boolean
}): string {
  if (attempt.submitReason === 'violations') return 'ended by strikes'
  if (attempt.submitReason === 'candidate') return 'submitted'
  return attempt.endedBySociety ? 'ended by an organizer' : 'time ran out'
}

/** Shown above all entries. */
export const NOT_THE_PERSON =
  'Monitoring covers the page, not the person. It can’t tell why something happened.'

const MEANINGS = {
  Away: 'The page was not in front. Clicking a notification, a system dialog and another tab all look the same.',
  Copied:
    'Text was selected and copied. The entry doesn’t show where it went or whether it was used.',
  'Pasted, pressed':
    'A key or a menu was used. The questions have no field to paste into, so a paste added nothing. A key that opens the browser’s tools doesn’t show that anyone used them.',
  Offline: 'The network failed. This is not something the candidate did.',
  'Took over':
    'The same credentials were used on another page or computer. The page can’t tell who used them.',
}

/** Explains what each kind of entry does not prove (product 7.16.9). @param unseenMs total unmonitored time */
export function entryMeanings(unseenMs: number): { term: string; text: string }[] {
  const unseen = unseenMs > 0 ? `: ${lengthText(unseenMs)} of the test were not monitored` : ''
  const all = { ...MEANINGS, Nothing: `The lack of an entry proves nothing either${unseen}.` }
  return Object.entries(all).map(([term, text]) => ({ term, text }))
}

const STANDINGS = { stands: 'counts', taken_back: 'taken back', exempt: 'now exempt' }

/** Whether and how an incident counts, in one line. */
export function standingWords(one: {
  strike: Pick<Strike, 'number' | 'standing' | 'endedTest'> | null
}): string {
  if (!one.strike) return 'not a strike'
  const { number, standing, endedTest } = one.strike
  return `strike ${number}${endedTest ? ', which ended the test' : ''}, ${STANDINGS[standing]}`
}
