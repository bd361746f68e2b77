import type { CardContent, CardPart } from '../../contract/card.ts'
import { coefficient, decimal, points } from '../../statistics/figures.ts'
import {
  measurementErrorWords,
  reliabilityMeaning,
  uncertainReliabilityWords,
} from '../../statistics/words.ts'
import { capital, counted, dayOf, inWords, listed } from './numbers-in-words.ts'

/*
 * What a fairness card says, made of its content alone: each question a figure and a few sentences
 * (product 7.21.4).
 */

/** One of a card's seven questions. */
export interface CardRow {
  part: CardPart
  title: string
  figure: string
  unit: string
  sentences: string[]
}

/** How the parts are called where versions are compared. */
export const PART_WORDS: Record<CardPart, string> = {
  lead: 'who sat it',
  reliability: 'how sure a score is',
  sessions: 'how alike the sessions were',
  keys: 'the keys',
  incidents: 'incidents',
  time: 'extra time',
  people: 'who decided',
  kept: 'how long it is kept',
}

/** 'differs in incidents and the keys' */
export const differsWords = (parts: readonly CardPart[]): string =>
  parts.length === 0 ? 'says the same' : `differs in ${listed(parts.map((one) => PART_WORDS[one]))}`

/** '25 November 2026', '3 to 5 November 2026' as two dates */
export function daysWords({ firstDay, lastDay }: CardContent): string {
  if (firstDay === null || lastDay === null) return ''
  return firstDay === lastDay ? dayOf(firstDay) : `${dayOf(firstDay)} to ${dayOf(lastDay)}`
}

/** Who sat what, in how many sessions. */
export function leadWords(content: CardContent): string {
  const { sat, sessions, groups, firstDay, lastDay } = content
  const questions = [...new Set(groups.map((group) => group.questions))].sort((a, b) => a - b)
  const minutes = [...new Set(groups.map((group) => group.minutes))].sort((a, b) => a - b)
  const range = (numbers: number[]) =>
    numbers.length === 1 ? `${numbers[0]}` : `${numbers[0]} to ${numbers.at(-1)}`
  const when = firstDay === lastDay ? 'on one day' : 'on more than one day'
  const one = sat === 1 ? 'One person' : `${sat} people`
  return (
    `${one} sat a test of ${range(questions)} questions in ${range(minutes)} minutes, ` +
    `in ${counted(sessions, 'session')} ${when}. ` +
    'This page says how good the test was, what went wrong, and what was done about it.'
  )
}

/** The seven questions in their order. */
export const cardRows = (content: CardContent): CardRow[] => [
  reliabilityRow(content),
  sessionsRow(content),
  keysRow(content),
  incidentsRow(content),
  timeRow(content),
  peopleRow(content),
  keptRow(content),
]

const NOTHING = '–'
const TOO_FEW =
  'Fewer than 15 people sat it. Figures on the test are left out: they could be told whose they are.'

function reliabilityRow({ groups }: CardContent): CardRow {
  const title = 'How sure is a score?'
  const part = 'reliability'
  const told = groups.flatMap(({ name, questions, reliability }) =>
    reliability ? [{ ...reliability, name, questions }] : [],
  )
  const untold = groups.filter(({ reliability, sat }) => reliability === null && sat < 15)
  const left =
    told.length > 0 && untold.length > 0
      ? [`Of ${listed(untold.map(nameOf))} nothing is said: fewer than 15 people sat it.`]
      : []
  if (told.length === 0) {
    const why = untold.length > 0 ? TOO_FEW : 'All had the same score, so nothing can be computed.'
    return { part, title, figure: NOTHING, unit: '', sentences: [why] }
  }
  const shown = told.filter(({ said }) => said === 'shown')
  const least = told.reduce((a, b) => (b.kr20 < a.kr20 ? b : a))
  if (shown.length === 0) {
    return {
      ...{ part, title, unit: 'reliability' },
      figure: coefficient(least.kr20),
      sentences: [
        ...told.map((one) => `${before(one, told)}${uncertainReliabilityWords(one.kr20, one)}`),
        'With fewer than 30 people no more is said.',
        ...left,
      ],
    }
  }
  const worst = shown.reduce((a, b) => (b.error > a.error ? b : a))
  const about = Math.max(1, Math.round(worst.error))
  return {
    ...{ part, title, figure: `± ${about}`, unit: `points of ${worst.questions}` },
    sentences: [
      `Had everybody sat it again, most scores would have moved by no more than ${points(about)}.`,
      measurementErrorWords(worst.error),
      reliabilityMeaning(least.kr20),
      ...left,
    ],
  }
}

const nameOf = ({ name }: { name: string | null }) => name ?? 'one session'
const before = ({ name }: { name: string | null }, all: readonly unknown[]) =>
  all.length > 1 && name !== null ? `${name}: ` : ''

function sessionsRow({ groups, comparisons, shifts, sessions }: CardContent): CardRow {
  const part = 'sessions'
  const what = sessions === 1 && groups.length > 1 ? 'forms' : 'sessions'
  const title =
    groups.length === 2
      ? `Were both ${what} alike?`
      : groups.length > 2
        ? `Were the ${what} alike?`
        : 'Was it the same test for all?'
  if (comparisons.length === 0) {
    return {
      ...{ part, title, figure: '1', unit: 'test for everybody' },
      sentences: ['Everybody had the same questions, so there is nothing to compare.'],
    }
  }
  const adjusted = shifts.map(
    ({ name, points: given, reason }) =>
      `${name ?? 'One session'} was given ${points(given)} for its questions.${reasonWords(reason)}`,
  )
  const first = comparisons.find(({ found }) => found)
  const apart = comparisons.flatMap(({ found }) => (found ? [Math.abs(found.difference)] : []))
  return {
    ...{ part, title },
    figure: first ? decimal(Math.max(...apart)) : NOTHING,
    unit: first ? `of ${points(first.common)} apart` : '',
    sentences: [
      ...comparisons.map((one) => comparisonWords(one, groups)),
      ...(adjusted.length > 0 ? adjusted : ['Nothing was adjusted.']),
    ],
  }
}

function comparisonWords(
  { earlier, later, areForms, common, found, why }: CardContent['comparisons'][number],
  groups: CardContent['groups'],
): string {
  const [a, b] = [earlier ?? 'the first', later ?? 'the second']
  if (found === null) return `${capital(a)} and ${b}: ${why}`
  const isSame = [earlier, later].every(
    (name) => groups.find((group) => group.name === name)?.questions === common,
  )
  const had = isSame
    ? `${capital(a)} and ${b} had the same questions.`
    : `${capital(a)} and ${b} had different questions, except ${inWords(common)}.`
  const { difference, low, high, isWarning, said } = found
  const way = difference < 0 ? 'fewer' : 'more'
  const isChance = low <= 0 && high >= 0
  const range = `${decimal(low)} to ${decimal(high)}`
  const chance = isChance ? `which is within chance (${range})` : `more than chance (${range})`
  const meaning =
    isWarning && !areForms
      ? ' Either stronger candidates or known questions: nothing tells which.'
      : ''
  const hint = said === 'indicative' ? ' With so few people this is a hint.' : ''
  return `${had} On those ${b} had ${decimal(Math.abs(difference))} ${way} right, ${chance}.${meaning}${hint}`
}

const RULED: Record<CardContent['rulings'][number]['kind'], string> = {
  replace: 'had a wrong key. It was replaced',
  accept: 'had another right answer. It was accepted too',
  void: 'was flawed. It was left out for everybody',
  full_marks: 'was flawed. It was counted as right for everybody',
}

function keysRow({ rulings, questions, groups }: CardContent): CardRow {
  const [part, title] = ['keys', 'Were all keys right?'] as const
  const ruledOn = new Set(rulings.map(({ name, question }) => `${question} ${name}`)).size
  const isReplaced = rulings.every(({ kind }) => kind === 'replace')
  const keys = ruledOn === 1 ? 'key replaced' : 'keys replaced'
  if (ruledOn === 0) {
    return {
      ...{ part, title, figure: '0', unit: `ruled on, of ${questions}` },
      sentences: ['No question was ruled on: all keys stand as they were written.'],
    }
  }
  const isOne = new Set(groups.map(({ name }) => name)).size === 1
  return {
    ...{ part, title, figure: `${ruledOn}` },
    unit: `${isReplaced ? keys : 'ruled on'}, of ${questions}`,
    sentences: rulings.map(({ name, question, kind, reason, changed, isBeforeNames }) => {
      const which =
        isOne || name === null ? `Question ${question}` : `Question ${question} of ${name}`
      const when = isBeforeNames ? ' before names were seen' : ' after names were seen'
      const scores = changed === null ? '' : `; ${counted(changed, 'score')} changed`
      return `${which} ${RULED[kind]}${when}${scores}.${reasonWords(reason)}`
    }),
  }
}

const reasonWords = (reason: string | null) =>
  reason === null
    ? ' The reason names somebody, and is left out.'
    : ` The reason: “${reason.replace(/[.\s]+$/, '')}”.`

function incidentsRow({ incidents }: CardContent): CardRow {
  const { cleared, upheld, waitForTalk, undecided, needsSecond, ofRooms = 0 } = incidents
  const all = cleared + upheld + waitForTalk + undecided
  const part = 'incidents'
  const title = 'What was seen, and decided'
  const who = needsSecond
    ? 'two reviewers had to agree on each'
    : 'a person decides on each, with a reason'
  return {
    ...{ part, title, figure: `${all}`, unit: all === 1 ? 'incident' : 'incidents' },
    sentences: [
      'An incident says that a page was left or something was copied.',
      `It is no proof; ${who}.`,
      ...(all === 0 ? ['None was recorded that asked for a decision.'] : []),
      ...(ofRooms === 0
        ? []
        : [
            `${ofRooms === 1 ? 'Once' : `${capital(inWords(ofRooms))} times`} something that happened to a whole room or to all, such as an alarm, was written down.`,
          ]),
    ],
  }
}

function timeRow({ time, sat }: CardContent): CardRow {
  const { planned, given, givenSeconds, reopened, takenBack } = time
  const each = givenSeconds !== null && givenSeconds % 60 === 0 ? givenSeconds / 60 : null
  const minutes = each === null ? 'more time' : `${counted(each, 'minute')} more`
  return {
    ...{ part: 'time', title: 'Extra time', figure: `${planned}`, unit: `planned, of ${sat}` },
    sentences: [
      planned === 0
        ? 'Nobody had extra time planned.'
        : `Planned for ${peopleWords(planned)} by agreement.`,
      given === 0
        ? 'Nobody was given more on the day.'
        : `${capital(peopleWords(given))} got ${minutes} because something happened.`,
      ...(takenBack === 0
        ? []
        : [`${capital(counted(takenBack, 'strike'))} ${wasWere(takenBack)} taken back.`]),
      ...(reopened === 0
        ? []
        : [`${capital(counted(reopened, 'test'))} ${wasWere(reopened)} opened again.`]),
    ],
  }
}

const peopleWords = (count: number) => (count === 1 ? 'one person' : `${inWords(count)} people`)
const wasWere = (count: number) => (count === 1 ? 'was' : 'were')

function peopleRow({ people, incidents, log }: CardContent): CardRow {
  const { gone, isAtKeyboard } = people
  const roles = (['owner', 'reviewer', 'author', 'invigilator'] as const)
    .filter((role) => people[role] > 0)
    .map((role) => counted(people[role], role))
  const all = people.owner + people.reviewer + people.author + people.invigilator + gone
  const who = [...roles, ...(gone > 0 ? [`${inWords(gone)} without a role by now`] : [])]
  const decided = incidents.cleared + incidents.upheld + incidents.waitForTalk
  const entries = counted(log.entries, 'entry', 'entries')
  return {
    ...{ part: 'people', title: 'Who decided', figure: `${all}` },
    unit: all === 1 ? 'person' : 'people',
    sentences: [
      ...(who.length > 0 ? [`${capital(listed(who))}.`] : []),
      ...(isAtKeyboard ? ['Whoever runs the server acted too.'] : []),
      ...(decided === 0
        ? []
        : [
            incidents.byReporter === 0
              ? 'Nobody decided on an incident of somebody whom they had reported.'
              : `${capital(counted(incidents.byReporter, 'verdict'))} came from who had reported the candidate.`,
          ]),
      'Nobody who sits a test has a role in it.',
      log.isWhole
        ? `The log has ${entries} about it${log.entries > 0 ? ', and none was changed' : ''}.`
        : `The log has ${entries} about it, and does not agree with itself: it was changed.`,
    ],
  }
}

function keptRow({ kept, lastDay }: CardContent): CardRow {
  const days = [...new Set(kept.until.map(({ day }) => day))]
  const only = days.length === 1 ? days[0] : undefined
  const sentences =
    only === null
      ? ['No day is set on which answers and names are deleted.']
      : only !== undefined
        ? [`Answers and names are deleted on ${dayOf(only)}.`]
        : kept.until.map(({ name, day }) =>
            day === null
              ? `Of ${name ?? 'one session'} no day is set.`
              : `Answers and names of ${name ?? 'one session'} are deleted on ${dayOf(day)}.`,
          )
  const latest = kept.until.some(({ isOwn }) => isOwn) ? days.toSorted().at(-1) : undefined
  const months = latest && lastDay ? monthsBetween(lastDay, latest) : kept.months
  return {
    ...{ part: 'kept', title: 'How long it is kept' },
    figure: only === null ? NOTHING : months < 1 ? '< 1' : `${months}`,
    unit: only === null ? '' : months <= 1 ? 'month' : 'months',
    sentences: [...sentences, 'This page stays.'],
  }
}

function monthsBetween(from: string, to: string): number {
  const daysOf = (day: string) => Date.parse(day) / 86_400_000
  return Math.round((daysOf(to) - daysOf(from)) / 30.44)
}
