import type { SlipMade } from '../../contract/sessions.ts'
import type { Question } from '../../question.ts'

export interface AnsweredQuestion {
  question: Pick<Question, 'correctOption' | 'slips'>
  selected: keyof Question['options'] | undefined
}

export function slipOf({ question, selected }: AnsweredQuestion): string | undefined {
  return selected && selected !== question.correctOption ? question.slips?.[selected] : undefined
}

export function ofTheLast(chances: readonly boolean[]): string {
  return `${chances.filter(Boolean).length} of your last ${chances.length}`
}

export function youDid({ name }: Pick<SlipMade, 'name'>): string {
  return `You ${name.charAt(0).toLowerCase()}${name.slice(1)}`
}

const SHOWN = 7

export function chancesWith(slip: SlipMade, answered: readonly AnsweredQuestion[]): boolean[] {
  const inThisTest = answered
    .filter(({ question }) => Object.values(question.slips ?? {}).includes(slip.code))
    .map((one) => slipOf(one) === slip.code)
  return [...slip.lastSix, ...inThisTest].slice(-SHOWN)
}

const ORDINALS = [
  ...['', '', 'second', 'third', 'fourth', 'fifth'],
  ...['sixth', 'seventh', 'eighth', 'ninth', 'tenth'],
]

export function mistakeTitle(title: string, thisMonth: number, earlier: number): string {
  const times = thisMonth + earlier + 1
  if (times < 2) return title
  const how = ORDINALS[times]
  return `${title} · ${how ? `${how} time` : `${times} times`} this month`
}

/** Returns the title of each answer's note, in order. `before` is undefined while loading. */
export function mistakeTitles(
  answered: readonly AnsweredQuestion[],
  before: readonly SlipMade[] | undefined,
  titleOf: (code: string | undefined) => string = () => 'The mistake',
): string[] {
  const thisMonth = new Map(before?.map((slip) => [slip.code, slip.thisMonth]))
  const earlier = new Map<string, number>()
  return answered.map((one) => {
    const code = slipOf(one)
    if (code === undefined || before === undefined) return titleOf(code)
    const times = earlier.get(code) ?? 0
    earlier.set(code, times + 1)
    return mistakeTitle(titleOf(code), thisMonth.get(code) ?? 0, times)
  })
}

/** Returns the test's most frequent mistake that is also in the six chances before (product 3.14.24). */
export function slipAgain(
  answered: readonly AnsweredQuestion[],
  before: readonly SlipMade[],
): { slip: SlipMade; times: number } | null {
  const times = new Map<string, number>()
  for (const one of answered) {
    const code = slipOf(one)
    if (code !== undefined) times.set(code, (times.get(code) ?? 0) + 1)
  }
  const most = Math.max(0, ...times.values())
  const madeBefore = ({ lastSix }: SlipMade) => lastSix.filter(Boolean).length
  const [slip] = before
    .filter((one) => times.get(one.code) === most && madeBefore(one) > 0)
    .sort((a, b) => madeBefore(b) - madeBefore(a))
  return slip ? { slip, times: most } : null
}

export function timesWord(times: number): string {
  if (times === 1) return 'once'
  return times === 2 ? 'twice' : `${times} times`
}
