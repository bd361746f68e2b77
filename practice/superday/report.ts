import { clockTime } from '../../platform/durations.ts'
import { RATING_NAMES } from '../aloud/spoken-prompt.ts'
import type { Category } from '../categories.ts'
import { type Evening, PARTS, type Part, TEST_SECONDS } from '../contract/superday.ts'
import { getPreset } from '../drill/presets.ts'
import { median } from '../drill/report.ts'

// Writes the report of a mock superday session (product 3.15.7 to 3.15.9). Every sentence has a figure, and nothing is
// reported from too few answers.

/** The test needs this share of right answers. */
const TEST_SHARE = 0.7
/** A case needs this many right answers out of five. */
export const CASE_RIGHT = 4
/** A spoken answer needs this many points out of six, and a rating of Good or Fluent. */
export const ALOUD_POINTS = 5
const ALOUD_RATING = 3
/** A median needs at least this many earlier drills. */
const FEWEST_DRILLS = 3
const FEW_RIGHT = 2
const FEWEST_ANSWERED = 4

export interface Finding {
  part: Part
  /** 'The test', 'Walk me through a DCF.' */
  what: string
  figure: string | null
  why: string[]
}

export interface Report {
  carries: Finding[]
  stops: Finding[]
  missing: Finding[]
}

export function reportOf(evening: Evening): Report {
  const all = PARTS.flatMap((part) => FINDINGS[part](evening))
  const of = (verdict: Judged['verdict']) =>
    all.filter((one) => one.verdict === verdict).map(({ verdict: _, ...finding }) => finding)
  return { carries: of('carries'), stops: of('stops'), missing: of('missing') }
}

interface Judged extends Finding {
  verdict: 'carries' | 'stops' | 'missing'
}

const missing = (part: Part, what: string, why: string): Judged => ({
  ...{ part, what, figure: null, why: [why], verdict: 'missing' },
})
const judged = (part: Part, what: string, figure: string, carries: boolean, why: string[]) => ({
  ...{ part, what, figure, why },
  verdict: carries ? ('carries' as const) : ('stops' as const),
})

const FINDINGS: Record<Part, (evening: Evening) => Judged[]> = {
  test: ({ test: { result } }) => {
    if (!result) return [missing('test', 'The test', "You didn't submit it.")]
    const { right, total, answered, strikes, reason, tookSeconds } = result
    const needed = Math.ceil(total * TEST_SHARE)
    const isEnded = reason === 'violations'
    const why = [
      isEnded
        ? `The third strike ended the test after ${answered} ${answered === 1 ? 'answer' : 'answers'}, as in an assessment.`
        : `${percent(right, total)} (70% needed: ${needed} of ${total}).`,
    ]
    if (answered > 0 && answered < total && !isEnded) {
      const seconds = Math.round(tookSeconds / answered)
      why.push(
        `${total - answered} not reached: you took ${seconds} s a question, not ${TEST_SECONDS / total} s.`,
      )
    } else if (!isEnded && answered > 0) {
      why.push(`${clockTime(tookSeconds)} of ${clockTime(TEST_SECONDS)} used.`)
    }
    if (strikes > 0 && !isEnded) why.push(`${strikes} of 3 strikes.`)
    return [judged('test', 'The test', `${right} of ${total}`, !isEnded && right >= needed, why)]
  },

  case: ({ case: { title, result } }) => {
    const what = `The case: ${title}`
    if (!result) return [missing('case', what, "You didn't finish it.")]
    const { right, total } = result
    const carries = right >= CASE_RIGHT
    const why = `${CASE_RIGHT} of ${total} needed.`
    return [judged('case', what, `${right} of ${total}`, carries, [why])]
  },

  aloud: ({ aloud }) =>
    aloud.map(({ prompt, result }) => {
      if (!result) return missing('aloud', prompt, "You didn't answer it.")
      const { pointsSaid, rating } = result
      const carries = pointsSaid >= ALOUD_POINTS && rating >= ALOUD_RATING
      const why = [
        `You rated ${RATING_NAMES[rating]}. ${ALOUD_POINTS} of 6 points needed, and Good or Fluent.`,
      ]
      return judged('aloud', prompt, `${pointsSaid} of 6 points`, carries, why)
    }),

  drill: ({ drill: { preset: id, result, earlierNets } }) => {
    const preset = getPreset(id)
    const what = `The drill: ${preset?.short ?? id}`
    if (!result) return [missing('drill', what, "You didn't do it.")]
    const { right, wrong } = result
    const net = right - wrong
    const passMark = preset?.passMark ?? 0
    const why = [`${right} right, ${wrong} wrong. The reported pass mark is ${passMark}.`]
    if (earlierNets.length >= FEWEST_DRILLS) {
      const usual = median(earlierNets)
      why.push(`The median of your last ${earlierNets.length} was ${signed(usual)}.`)
    }
    return [judged('drill', what, `Net ${signed(net)}`, net >= passMark, why)]
  },
}

export function fewRight({ test: { result } }: Evening): {
  category: Category
  right: number
  answered: number
}[] {
  return (result?.categories ?? [])
    .filter(({ right, answered }) => answered >= FEWEST_ANSWERED && right <= FEW_RIGHT)
    .sort((a, b) => a.right - b.right)
}

/** Returns the mistake patterns made twice in this session, or made in it and before. */
export function recurringSlips({ slips }: Evening): Evening['slips'] {
  return slips.filter(({ tonight, before }) => tonight >= 2 || before >= 1)
}

const percent = (right: number, total: number) => `${Math.round((right / total) * 100)}%`
const signed = (value: number) => (value < 0 ? `\u2212${-value}` : String(value))
