import { evaluate } from 'mathjs'
import { z } from 'zod'
import { OPTION_LETTERS } from '../../platform/options.ts'
import { readPattern } from '../../practice/cases/number-pattern.ts'
import { type CaseContent, parseCase, toStoredCase } from '../../practice/server/cases/content.ts'
import type { Slip } from '../../practice/server/slips-store.ts'
import { agrees, readNumber, type ShownNumber } from '../../societies/kit/number-shown.ts'
import type { Problem } from './check.ts'
import { checkItem } from './check-item.ts'

// Requirements for a case (product 3.12.9): statements tie, keys follow from its own cells, and a figure that is
// carried forward is the one that was shown.

type Question = CaseContent['questions'][number]
type Exhibit = CaseContent['exhibits'][number]
/** Figures by name: a table's rows by column, a chart's series, a note's values, q1 to q5. */
type Scope = Record<string, unknown>

/** Checks all cases and reports all problems together. */
export function checkCases(
  files: readonly { name: string; text: string }[],
  slips: ReadonlyMap<string, Slip>,
): { problems: Problem[]; cases: CaseContent[] } {
  const problems: Problem[] = []
  const cases: CaseContent[] = []
  const places = new Map<number, string>()
  for (const { name, text } of files) {
    const tell = (message: string) => problems.push({ file: name, message })
    let content: CaseContent
    try {
      content = parseCase(text)
    } catch (error) {
      const messages =
        error instanceof z.ZodError
          ? error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
          : [`is not YAML: ${(error as Error).message}`]
      messages.forEach(tell)
      continue
    }
    cases.push(content)
    if (name !== `cases/${content.case}.yaml`) tell("case: must be the file's name")
    const other = places.get(content.place)
    if (other) tell(`place ${content.place} is already taken by ${other}`)
    places.set(content.place, name)
    const found = [...checkCase(content, slips)]
    found.forEach(tell)
    if (found.length === 0) toStoredCase(content, slips)
  }
  const keys = cases.flatMap(({ questions }) => questions.map(keyIndex))
  OPTION_LETTERS.forEach((letter, index) => {
    const share = keys.filter((key) => key === index).length / (keys.length || 1)
    // With fifteen keys in three cases, shares can't be closer to a quarter than a few points.
    if (cases.length >= 3 && (share < 0.13 || share > 0.34)) {
      problems.push({
        file: 'cases/',
        message: `the key is ${letter} in ${Math.round(share * 100)} % of the questions`,
      })
    }
  })
  return { problems, cases }
}

/** The problems of one case, each a sentence. */
function checkCase(content: CaseContent, slips: ReadonlyMap<string, Slip>): string[] {
  const found: string[] = []
  const scope: Scope = {}
  for (const exhibit of content.exhibits) {
    if (exhibit.id in scope) found.push(`two exhibits are named ${exhibit.id}`)
    scope[exhibit.id] = cellsOf(exhibit)
    found.push(...checkExhibit(exhibit).map((message) => `${exhibit.id}: ${message}`))
  }
  content.questions.forEach((question, index) => {
    const number = index + 1
    const { messages, figure } = checkCaseQuestion(question, number, scope, content)
    found.push(...messages.map((message) => `question ${number}: ${message}`))
    for (const { slip } of question.options) {
      if (slip !== undefined && !slips.has(slip)) {
        found.push(`question ${number}: slip '${slip}' is not in slips.yaml`)
      }
    }
    if (figure !== null) scope[`q${number}`] = figure
  })
  if (content.kind === 'error' && !content.ties.some((tie) => tie.includes('!='))) {
    found.push('no tie proves the planted mistake with !=')
  }
  // This comes after the questions, because an equation may use their figures.
  for (const tie of content.ties) {
    const holds = tryEvaluate(tie, scope)
    if (holds !== true) found.push(`does not tie: ${tie}${holds === false ? '' : ` (${holds})`}`)
  }
  return found
}

function cellsOf(exhibit: Exhibit): unknown {
  if (exhibit.kind === 'note') return exhibit.values
  if (exhibit.kind === 'chart') {
    return Object.fromEntries(exhibit.series.map(({ id, values }) => [id, values]))
  }
  return Object.fromEntries(
    exhibit.rows.map((row) => [
      row.id,
      Object.fromEntries(
        exhibit.columns.flatMap(({ id }, index) => {
          const value = row.values[index]
          return typeof value === 'number' ? [[id, value]] : []
        }),
      ),
    ]),
  )
}

function checkExhibit(exhibit: Exhibit): string[] {
  if (exhibit.kind === 'chart') {
    const lengths = exhibit.series.map(({ values }) => values.length)
    return [
      ...(exhibit.series.length > 2 ? ['has more than two series'] : []),
      ...(lengths.some((length) => length !== exhibit.labels.length)
        ? ['a series needs one value per label']
        : []),
    ]
  }
  if (exhibit.kind === 'note') {
    const numbers = new Set(
      (exhibit.text.match(/\d[\d,]*(?:\.\d+)?/g) ?? []).map((one) =>
        Number(one.replaceAll(',', '')),
      ),
    )
    return Object.entries(exhibit.values).flatMap(([name, value]) =>
      numbers.has(value) ? [] : [`${name} is ${value}, but its text does not say so`],
    )
  }
  const found: string[] = []
  const ids = exhibit.rows.map(({ id }) => id)
  if (new Set(ids).size < ids.length) found.push('two rows have the same id')
  if (exhibit.change && exhibit.columns.length < 2) found.push('has a change but only one column')
  for (const row of exhibit.rows) {
    if (row.values.length !== exhibit.columns.length) {
      found.push(`${row.id} has ${row.values.length} values for ${exhibit.columns.length} columns`)
      continue
    }
    exhibit.columns.forEach((column, index) => {
      const value = row.values[index]
      if (typeof value !== 'number') return
      const { decimals } = readPattern(row.format ?? column.format ?? exhibit.format)
      if (Math.abs(value * 10 ** decimals - Math.round(value * 10 ** decimals)) > 1e-6) {
        found.push(`${row.id} ${column.id}: ${value} has more digits than shown`)
      }
      if (row.sum === undefined) return
      const scope = Object.fromEntries(exhibit.rows.map((one) => [one.id, one.values[index]]))
      const sum = tryEvaluate(row.sum, scope)
      if (typeof sum !== 'number' || Math.abs(sum - value) > 1e-6) {
        found.push(`${row.id} ${column.id}: is ${value}, but its parts give ${sum}`)
      }
    })
  }
  return found
}

const keyIndex = ({ options }: Question) => options.findIndex(({ key }) => key)

function checkCaseQuestion(
  question: Question,
  number: number,
  scope: Scope,
  content: CaseContent,
): { messages: string[]; figure: number | null } {
  const messages: string[] = []
  const answer = keyIndex(question)
  if (question.options.filter(({ key }) => key).length !== 1) {
    return { messages: ['must have one key'], figure: null }
  }
  const [A, B, C, D] = question.options.map(({ text }) => text) as [string, string, string, string]
  const key = question.options[answer] as Question['options'][number]
  messages.push(
    ...checkItem({
      id: number,
      topic: 'case',
      question: question.ask,
      options: { A, B, C, D },
      answer: OPTION_LETTERS[answer] as 'A',
      // The figures are checked below, from the exhibit's cells.
      compute: key.value === undefined ? undefined : `1 * ${readNumber(key.text)?.value}`,
      explanation: question.explanation,
      why: {},
    }),
  )
  for (const option of question.options) {
    if (option.key && (option.slip || option.why)) messages.push('its key has a mistake')
    // In a work sample the wrong options are correct facts, so they have no mistake code.
    if (!option.key && !(option.why && (option.slip || content.kind === 'error'))) {
      messages.push(`'${option.text}' needs slip and why: which mistake leads to it?`)
    }
  }
  const used = new Set<number>()
  for (const { text, value } of question.options) {
    const shown = readNumber(text)
    if (value === undefined) {
      if (key.value !== undefined) messages.push(`'${text}' needs a value, because the key has one`)
      continue
    }
    for (const [, digit] of value.matchAll(/\bq(\d)\b/g)) used.add(Number(digit))
    messages.push(...checkFigure(text, shown, tryEvaluate(value, scope)))
  }
  for (const one of used) {
    if (!question.from.includes(one)) messages.push(`uses question ${one}, which is not in from`)
  }
  for (const one of question.from) {
    if (one >= number) messages.push(`can't build on question ${one}`)
    else if (key.value !== undefined && !used.has(one)) {
      messages.push(`says it builds on question ${one} but doesn't use it`)
    }
    if (content.questions[one - 1]?.carry === undefined) {
      messages.push(`question ${one} has no carry`)
    }
  }
  const isCarried = content.questions.some(({ from }) => from.includes(number))
  if (question.carry !== undefined && !isCarried) messages.push('its carry is never read')
  // The next question starts from the rounded figure that was shown.
  return { messages, figure: readNumber(key.text)?.value ?? null }
}

function checkFigure(text: string, shown: ShownNumber | null, value: unknown): string[] {
  if (shown === null) return [`'${text}' shows no number`]
  if (typeof value !== 'number' || !Number.isFinite(value))
    return [`'${text}' is not a number: ${value}`]
  return agrees(value, shown) ? [] : [`'${text}' evaluates to ${value}`]
}

function tryEvaluate(expression: string, scope: Scope): unknown {
  try {
    return evaluate(expression, { ...scope }) as unknown
  } catch (error) {
    return (error as Error).message
  }
}
