import {
  type AttemptLog,
  type Choice,
  countUntil,
  fieldOf,
  groupBy,
  type Incident,
  type LoggedEvent,
} from '../../../assessments/attempt-log.ts'
import { browserOf, browserText } from '../../../assessments/rehearsal.ts'
import { listOf } from '../../../platform/words.ts'

/** A line of what happened that is no incident (product 7.16.2). */
export interface Moment {
  /** milliseconds since the start */
  atMs: number
  text: string
}

/** Kinds that get no line of their own. */
const UNTOLD = ['saved', 'ready', 'heartbeat']
/** Lines at most: a script may have left thousands of events. */
const MOST = 1_000
/** Changes that one line names; the rest is a number. */
const MOST_CHANGES = 20

/** An answer that came in when the attempt was closed. */
export interface LateMoment {
  itemId: number
  choice: string
  receivedAt: Date
  /** by the page's clock; null: not told */
  isInTime: boolean | null
}

interface About {
  incidents: readonly Pick<Incident, 'kind' | 'atMs' | 'events'>[]
  late: readonly LateMoment[]
  startedAt: Date
  /** letters show only to members who may read answers */
  seesAnswers: boolean
  /** the clock's time of a moment */
  timeOf: (at: Date) => string
}

/**
 * Starts, pages, answers, times and ends of an attempt, a line each. With the incidents, which are gathered from
 * the other events, it is all that was recorded but heartbeats.
 */
export function momentsOf(log: AttemptLog, about: About): Moment[] {
  const { incidents, late, startedAt } = about
  const gathered = new Set(
    incidents.filter(({ kind }) => kind !== 'take_over').flatMap(({ events }) => events),
  )
  const told = [
    ...log.events
      .filter(({ id, kind }) => !UNTOLD.includes(kind) && !gathered.has(id))
      .map((event) => ({
        // Entered before the start, credentials have no time of the attempt.
        atMs: event.kind === 'verified' ? event.heardMs : event.atMs,
        text: eventText(event, log, about),
      })),
    ...late.map((one) => ({
      atMs: one.receivedAt.getTime() - startedAt.getTime(),
      text: lateText(one, log, about),
    })),
  ]
  // Answers get one line for all between two other things that happened.
  const apart = [...told, ...incidents].map(({ atMs }) => atMs).sort((a, b) => a - b)
  const groups = groupBy(log.choices, ({ atMs }) => String(countUntil(apart, atMs, Number)))
  const answers = [...groups.values()].map((group) => ({
    atMs: group[0]?.atMs ?? 0,
    text: answersText(group, log, about),
  }))
  const moments = [...told, ...answers.filter(({ text }) => text !== '')].sort(
    (a, b) => a.atMs - b.atMs,
  )
  const last = moments[MOST - 1]
  if (!last || moments.length === MOST) return moments
  const text = `And ${moments.length - MOST + 1} more of such lines.`
  return [...moments.slice(0, MOST - 1), { atMs: last.atMs, text }]
}

const TEXTS: Readonly<Record<string, string>> = {
  verified: 'The username and password were entered.',
  page_visible: 'The page was in front again.',
  online: 'The connection was back.',
  reload: 'The page was reloaded.',
  page_left: 'The page was closed, reloaded or left.',
  leave_prompt: 'The browser asked whether to leave the page.',
  focus_lost: 'The page lost the focus.',
  fullscreen_enter: 'Fullscreen began.',
  fullscreen_exit: 'Fullscreen ended.',
  drag: 'Dragging text was blocked.',
  events_dropped: 'The page reported more events than are kept.',
  extra_time: 'The society changed the planned extra time.',
  extended: 'The society moved the end of the test.',
  reopened: 'The society opened the test again.',
}

const ENDS: Readonly<Record<string, string>> = {
  candidate: 'The candidate handed the test in.',
  violations: 'The third strike ended the test.',
  deadline: 'The test was closed at its deadline.',
}

function eventText(event: LoggedEvent, { numbers }: AttemptLog, { timeOf }: About): string {
  const { kind, agent } = event
  const browser = agent === null ? '' : ` ${browserText(browserOf(agent))}.`
  const endsAt = fieldOf(event, 'deadlineAt')
  const end = typeof endsAt === 'string' ? ` It ends at ${timeOf(new Date(endsAt))}.` : ''
  switch (kind) {
    case 'started':
      return `Started.${browser}`
    case 'taken_over':
      return `The test was opened in a new page.${browser}`
    case 'submitted':
      return ENDS[String(fieldOf(event, 'reason'))] ?? 'The test was closed.'
    case 'ended':
      return 'The society ended the test.'
    case 'late_accepted':
      return `The society counted the answer to question ${numbers.get(Number(fieldOf(event, 'questionId')))} that came late.`
    default:
      return `${TEXTS[kind] ?? `${kind.replaceAll('_', ' ')}.`}${end}`
  }
}

function lateText(one: LateMoment, { numbers }: AttemptLog, { seesAnswers }: About): string {
  const letter = seesAnswers ? `, ${one.choice},` : ''
  const when =
    one.isInTime === null
      ? 'Nobody knows when it was chosen.'
      : one.isInTime
        ? 'By the clock of the page it was chosen in time.'
        : 'It was chosen too late.'
  return `An answer to question ${numbers.get(one.itemId)}${letter} came in after the end. ${when}`
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
  return [
    ...(first.length > 0
      ? [`Answered ${first.length === 1 ? 'question' : 'questions'} ${rangesOf(first)}.`]
      : []),
    ...(changed.length > 0 ? [`Changed ${listOf(changed)}.`] : []),
    ...(isLong ? [`The last one at ${timeOf(new Date(startedAt.getTime() + lastMs))}.`] : []),
  ].join(' ')
}

/** '1 to 6 and 9' */
function rangesOf(numbers: readonly number[]): string {
  const ranges: { from: number; to: number }[] = []
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && number === last.to + 1) last.to = number
    else ranges.push({ from: number, to: number })
  }
  return listOf(
    ranges.flatMap(({ from, to }) => {
      if (from === to) return [String(from)]
      return to === from + 1 ? [String(from), String(to)] : [`${from} to ${to}`]
    }),
  )
}
