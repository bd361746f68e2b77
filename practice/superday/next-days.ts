import { dayAfter } from '../../platform/local-day.ts'
import { aloudUrl, caseUrl, drillUrl, quizUrl, testsUrl, URLS } from '../../platform/urls.ts'
import { MENTAL_AGILITY, SHORT_NAMES } from '../categories.ts'
import type { Evening, Part } from '../contract/superday.ts'
import type { WeakTopic } from '../contract.ts'
import { isDayOff, type Plan, phaseOf } from '../schedule/plan.ts'
import { fewRight, type Report } from './report.ts'

interface Task {
  text: string
  to: string
}

interface NextDay {
  day: string
  tasks: Task[]
}

const DAYS = 3
const WEAK_TOPICS = 2

/** Plans the days until the interview, or the next three practice days if it's later, past or undated. */
export function nextDaysOf(
  evening: Evening,
  report: Report,
  of: {
    plan: Plan | null
    today: string
    weakTopics: readonly WeakTopic[]
    topicName: (topic: string) => string
  },
): NextDay[] {
  const { plan, today } = of
  if (plan && phaseOf(plan, today) === 'last-evening') {
    return [{ day: today, tasks: lastEvening(report, evening) }]
  }
  const days = daysLeft(plan, today)
  const tasks = tasksOf(evening, report, of)
  return days
    .map((day, n) => ({ day, tasks: tasks.filter((_, at) => at % days.length === n) }))
    .filter((one) => one.tasks.length > 0)
}

function daysLeft(plan: Plan | null, today: string): string[] {
  const isPast = plan !== null && phaseOf(plan, today) === 'past'
  const end = isPast ? null : (plan?.interviewOn ?? null)
  const days: string[] = []
  for (let ahead = 1; ahead <= 14 && days.length < DAYS; ahead += 1) {
    const day = dayAfter(today, ahead)
    if (end !== null && day >= end) break
    if (!plan || !isDayOff(plan, day)) days.push(day)
  }
  return days.length > 0 ? days : [dayAfter(today, 1)]
}

function tasksOf(
  evening: Evening,
  { stops, missing }: Report,
  { weakTopics, topicName }: { weakTopics: readonly WeakTopic[]; topicName: (t: string) => string },
): Task[] {
  const tasks: Task[] = []
  const { result } = evening.test
  const missed = (result ? result.answered - result.right : 0) + wrongInCase(evening)
  if (missed > 0) {
    tasks.push({ text: `Review your mistakes (${missed})`, to: URLS.due })
  }
  const weak = weakTopics.slice(0, WEAK_TOPICS)
  for (const { topic, right, answered, category, difficulty, testNumber } of weak) {
    const text = `${topicName(topic)}: ${right} of ${answered} right last time`
    tasks.push({ text, to: quizUrl(category, difficulty, testNumber) })
  }
  const few = fewRight(evening).find(
    ({ category }) => !weak.some((topic) => topic.category === category),
  )
  if (few) {
    const { category, right, answered } = few
    const difficulty = category === MENTAL_AGILITY ? 'Discover Finance' : 'Intern'
    const text = `${SHORT_NAMES[category]}: ${right} of ${answered} right in this mock superday`
    tasks.push({ text, to: testsUrl(category, difficulty) })
  }
  for (const { part, what, figure } of [...stops, ...missing]) {
    if (part === 'test') continue
    const to = placeOf(evening, part, slugOf(evening, what))
    tasks.push({ text: `${what} (${figure ?? 'not done'})`, to })
  }
  return tasks.length > 0 ? tasks : [{ text: 'Your due reviews, so nothing slips', to: URLS.due }]
}

function wrongInCase({ case: { result } }: Evening): number {
  return result ? result.total - result.right : 0
}

/** Returns the page where a part is done or repeated. Test questions come back through reviews and topics. */
export function placeOf(evening: Evening, part: Exclude<Part, 'test'>, prompt: string): string {
  if (part === 'case') return caseUrl(evening.case.slug)
  return part === 'aloud' ? aloudUrl(prompt) : drillUrl(evening.drill.preset)
}

/** A finding identifies its prompt by its text. */
const slugOf = ({ aloud }: Evening, what: string) =>
  aloud.find(({ prompt }) => prompt === what)?.slug ?? ''

/** The last evening has nothing new (product 3.16.2), only questions at risk, formulas and shaky spoken answers. */
function lastEvening({ stops }: Report, evening: Evening): Task[] {
  const aloud = stops.filter(({ part }) => part === 'aloud').slice(0, 2)
  return [
    { text: "The 30 you're most likely to forget", to: URLS.due },
    { text: 'The formula sheet', to: URLS.formulaSheet },
    ...(aloud.length > 0
      ? aloud.map(({ what }) => ({
          text: `Once more aloud: ${what}`,
          to: aloudUrl(slugOf(evening, what)),
        }))
      : [{ text: 'Two answers aloud', to: URLS.aloud }]),
  ]
}
