import {
  type AttemptLog,
  type Choice,
  countUntil,
  fieldOf,
  groupBy,
  type Incident,
  isOpening,
  type LoggedEvent,
} from '../../../assessments/attempt-log.ts'
import { browserOf, browserText } from '../../../assessments/rehearsal.ts'
import { listOf } from '../../../platform/words.ts'
import type { LateAnswer } from './late-answers.ts'

/** These event kinds get no line. */
const UNTOLD = ['saved', 'ready', 'heartbeat']
/** The maximum number of lines, because a script may have produced thousands of events. */
const MOST = 1_000
/** The maximum number of changes that one line lists; the rest is a count. */
const MOST_CHANGES = 20

interface About {
  incidents: readonly Pick<Incident, 'kind' | 'atMs' | 'events'>[]
  late: readonly LateAnswer[]
  startedAt: Date
  /** Letters are shown only to members who can read answers. */
  seesAnswers: boolean
  /** Formats a timestamp as local time. */
  timeOf: (at: Date) => string
}

/** Describes an attempt's starts, pages, answers, time changes and ends, one line each. */
export function momentsOf(log: AttemptLog, about: About): { at: Date; text: string }[] {
  const { incidents, late, startedAt } = about
  const gathered = new Set(
    incidents.filter(({ kind }) => kind !== 'take_over').flatMap(({ events }) => events),
  )
  const told = [
    ...log.events
      .filter(({ id, kind }) => !UNTOLD.includes(kind) && !gathered.has(id))
      .map((event) => ({
        // Credentials entered before the start have no time relative to the attempt.
        atMs: event.kind === 'verified' ? event.heardMs : event.atMs,
        text: eventText(event, log, about),
      })),
    ...late.map((one) => ({
      atMs: one.receivedAt.getTime() - startedAt.getTime(),
      text: lateText(one, log, about),
    })),
  ]
  // All answers between two other events share one line.
  const apart = [...told, ...incidents].map(({ atMs }) => atMs).sort((a, b) => a - b)
  const groups = groupBy(log.choices, ({ atMs }) => String(countUntil(apart, atMs, Number)))
  const answers = [...groups.values()].map((group) => ({
    atMs: group[0]?.atMs ?? 0,
    text: answersText(group, log, about),
  }))
  const moments = [...told, ...answers]
    .filter(({ text }) => text !== '')
    .sort((a, b) => a.atMs - b.atMs)
    .map(({ atMs, text }) => ({ at: new Date(startedAt.getTime() + atMs), text }))
  const last = moments[MOST - 1]
  if (!last || moments.length === MOST) return moments
  const text = `And ${moments.length - MOST + 1} more events.`
  return [...moments.slice(0, MOST - 1), { ...last, text }]
}

const TEXTS: Readonly<Record<string, string>> = {
  started: 'Started.',
  taken_over: 'The test was opened in a new page.',
  'submitted candidate': 'The candidate submitted the test.',
  'submitted violations': 'The third strike ended the test.',
  'submitted deadline': 'The test was closed with the answers saved by then.',
  submitted: 'The test was closed.',
  ended: 'The society ended the test.',
  verified: 'The username and password were entered.',
  page_visible: 'The candidate returned to the page.',
  online: 'The connection was restored.',
  reload: 'The page was reloaded.',
  page_left: 'The page was closed, reloaded or left.',
  leave_prompt: 'The browser asked whether to leave the page.',
  focus_lost: 'The page lost focus.',
  fullscreen_enter: 'Fullscreen began.',
  fullscreen_exit: 'Fullscreen ended.',
  drag: 'Dragging text was blocked.',
  help: 'The candidate asked for help',
  help_read: 'An organizer read the request.',
  events_dropped: 'The page reported more events than are kept.',
  extra_time: 'The society changed the planned extra time.',
  extended: 'The society changed the end of the test.',
  reopened: 'The society reopened the test.',
}

function eventText(event: LoggedEvent, { numbers }: AttemptLog, { timeOf }: About): string {
  const { kind, agent } = event
  if (kind === 'late_accepted') {
    const number = numbers.get(Number(fieldOf(event, 'questionId')))
    return `The society accepted the late answer to question ${number}.`
  }
  const text = TEXTS[`${kind} ${fieldOf(event, 'reason')}`] ?? TEXTS[kind]
  const asked = kind === 'help' ? fieldOf(event, 'text') : null
  if (kind === 'help') return `${text}${typeof asked === 'string' ? `: “${asked}”` : '.'}`
  const browser = isOpening(event) && agent !== null ? ` ${browserText(browserOf(agent))}.` : ''
  const endsAt = fieldOf(event, 'deadlineAt')
  const isMoved = kind !== 'ended' && typeof endsAt === 'string'
  const end = isMoved ? ` It ends at ${timeOf(new Date(endsAt))}.` : ''
  return `${text ?? `${kind.replaceAll('_', ' ')}.`}${browser}${end}`
}

function lateText(one: LateAnswer, { numbers }: AttemptLog, { seesAnswers }: About): string {
  const letter = seesAnswers ? `, ${one.choice},` : ''
  const when =
    one.isInTime === null
      ? "It isn't known when it was chosen."
      : one.isInTime
        ? 'By the page’s clock, it was chosen in time.'
        : 'It was chosen too late.'
  return `An answer to question ${numbers.get(one.itemId)}${letter} arrived after the end. ${when}`
}

function answersText(
  group: readonly Choice[],
  { numbers }: AttemptLog,
  { seesAnswers, startedAt, timeOf }: About,
): string {
  const numberOf = ({ item }: Choice) => numbers.get(item) ?? 0
  const first = group.filter(({ was }) => was === undefined).map(numberOf)
  const changes = group.filter(({ choice, was }) => was !== undefined && was !== choice)
  const changed = changes.slice(0, MOST_CHANGES).map((one) => {
    const letters = seesAnswers ? ` from ${one.was} to ${one.choice}` : ''
    return `question ${numberOf(one)}${letters}`
  })
  const more = changes.length - changed.length
  if (more > 0) changed.push(`${more} more answers`)
  const lastMs = group.at(-1)?.atMs ?? 0
  const isLong = lastMs - (group[0]?.atMs ?? 0) >= 1_000 && first.length + changed.length > 0
  const questions = first.length === 1 ? 'question' : 'questions'
  return [
    first.length > 0 && `Answered ${questions} ${rangesOf(first)}.`,
    changed.length > 0 && `Changed ${listOf(changed)}.`,
    isLong && `The last one at ${timeOf(new Date(startedAt.getTime() + lastMs))}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** Example: '1 to 6 and 9'. */
function rangesOf(numbers: readonly number[]): string {
  const ranges: number[][] = []
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last?.at(-1) === number - 1) last.push(number)
    else ranges.push([number])
  }
  return listOf(
    ranges.flatMap((range) =>
      range.length < 3 ? range.map(String) : [`${range[0]} to ${range.at(-1)}`],
    ),
  )
}
