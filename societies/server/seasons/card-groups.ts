import type { CardContent } from '../../contract/card.ts'
import { analyse } from '../../statistics/analysis.ts'
import { compareSessions } from '../../statistics/forms/comparison.ts'
import type { Choice, Responses } from '../../statistics/responses.ts'
import { mayBeSaid, whyHidden } from '../../statistics/what-may-be-said.ts'
import type { AnswerTable, TableItem, TableRow } from '../results/answer-table.ts'

type Group = CardContent['groups'][number]
type Comparison = CardContent['comparisons'][number]

/** Below it no statistic of a group is public: it could be told whose it is. */
export const LEAST_GROUP = 15
/** Half of a 95% interval, in standard errors. */
const Z = 1.96
/** Of the bootstrap, whose interval the card does not show: the same answers give the same card. */
const SEED = 1

/** Candidates who had the same questions: of a session, or of one of its forms. */
export interface CardGroup {
  name: string | null
  code: string
  minutes: number
  /** those that everybody in it was asked */
  items: { item: TableItem; at: number }[]
  rows: TableRow[]
}

/** @returns the session's one group, or one for each form that was dealt */
export function groupsOf(
  { items, rows }: AnswerTable,
  { code, name, minutes }: Pick<CardGroup, 'code' | 'name' | 'minutes'>,
): CardGroup[] {
  const forms = [...new Set(rows.map(({ form }) => form))].sort()
  return forms.map((form) => ({
    ...{ code, minutes },
    name: form === null ? name : name === null ? `Form ${form}` : `${name}, form ${form}`,
    items: items
      .map((item, at) => ({ item, at }))
      .filter(({ item }) => item.form === null || item.form === form),
    rows: rows.filter((row) => row.form === form),
  }))
}

const choiceOf = (letter: string): Choice => 'ABCD'.indexOf(letter) as Choice

function responsesOf({ items, rows }: CardGroup): Responses {
  const where = (is: (item: TableItem) => boolean) =>
    items.flatMap(({ item }, at) => (is(item) ? [at] : []))
  return {
    choices: rows.map(({ choices }) =>
      items.map(({ at }) => {
        const letter = choices[at]
        return letter ? choiceOf(letter) : null
      }),
    ),
    keys: items.map(({ item }) => item.keys.map(choiceOf)),
    voidItems: where(({ isVoid }) => isVoid),
    fullMarksItems: where(({ isFullMarks }) => isFullMarks),
  }
}

/** What a group's answers say of the test, as far as the group is large enough (product 7.21.4). */
export function describeGroup(group: CardGroup): Group {
  const { name, minutes, items, rows } = group
  const sat = rows.length
  const said = sat < LEAST_GROUP ? 'hidden' : mayBeSaid('reliability', sat)
  const reliability = said === 'hidden' ? null : analyse(responsesOf(group))?.reliability
  return {
    ...{ name, sat, minutes },
    questions: items.filter(({ item }) => !item.isVoid).length,
    reliability:
      said === 'hidden' || !reliability
        ? null
        : {
            said,
            kr20: rounded(reliability.kr20, 4),
            low: rounded(reliability.interval.low, 4),
            high: rounded(reliability.interval.high, 4),
            error: rounded(reliability.error, 4),
          },
  }
}

/** The later group beside the earlier one, by the questions that both had. */
export function compareGroups(earlier: CardGroup, later: CardGroup): Comparison {
  const pairs = commonOf(earlier, later)
  const all = earlier.rows.length + later.rows.length
  const smaller = Math.min(earlier.rows.length, later.rows.length)
  const compared = {
    ...{ earlier: earlier.name, later: later.name, common: pairs.length },
    areForms: earlier.code === later.code,
  }
  const said = mayBeSaid('anchor-difference', all)
  if (pairs.length === 0) {
    return { ...compared, found: null, why: 'They had no question in common to compare by.' }
  }
  if (smaller < LEAST_GROUP) {
    const why = `Fewer than ${LEAST_GROUP} people sat one of them, so nothing is said of it.`
    return { ...compared, found: null, why }
  }
  if (said === 'hidden') {
    return { ...compared, found: null, why: whyHidden('anchor-difference', all) }
  }
  const [before, after] = [
    sessionOf(
      earlier,
      pairs.map(([at]) => at),
    ),
    sessionOf(
      later,
      pairs.map(([, at]) => at),
    ),
  ]
  const { meanShift, say } = compareSessions(before, after, SEED)
  const difference = meanShift.shift * pairs.length
  const half = Z * meanShift.error * pairs.length
  return {
    ...compared,
    found: {
      said,
      difference: rounded(difference, 3),
      low: rounded(difference - half, 3),
      high: rounded(difference + half, 3),
      isWarning: say === 'leak-warning',
    },
    why: null,
  }
}

/** Places of the questions that both were asked in the same words, with the same key, and that count in both. */
function commonOf(earlier: CardGroup, later: CardGroup): [number, number][] {
  const counts = ({ item }: CardGroup['items'][number]) => !item.isVoid && !item.isFullMarks
  return earlier.items.flatMap((one, at): [number, number][] => {
    const other = later.items.findIndex(({ item }) => item.questionId === one.item.questionId)
    const same = later.items[other]
    if (!same || !counts(one) || !counts(same)) return []
    return wordsOf(one.item) === wordsOf(same.item) ? [[at, other]] : []
  })
}

const wordsOf = ({ question, options, keys }: TableItem) =>
  JSON.stringify([question, options.A, options.B, options.C, options.D, keys.toSorted()])

/** Everybody's total, and right answers on the common questions. */
function sessionOf(group: CardGroup, common: readonly number[]) {
  const isRight = ({ choices }: TableRow, { item, at }: CardGroup['items'][number]) => {
    const choice = choices[at]
    return item.isFullMarks || (choice != null && item.keys.includes(choice)) ? 1 : 0
  }
  const counting = group.items.filter(({ item }) => !item.isVoid)
  return {
    totals: group.rows.map((row) =>
      counting.reduce((sum: number, item) => sum + isRight(row, item), 0),
    ),
    anchors: group.rows.map((row) =>
      common.map((at) => isRight(row, group.items[at] as CardGroup['items'][number])),
    ),
  }
}

/** So that a card is the same on every machine. */
function rounded(value: number, digits: number): number {
  const text = Number(value.toFixed(digits))
  return text === 0 ? 0 : text
}
