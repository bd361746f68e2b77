import { evaluate } from 'mathjs'
import { OPTION_LETTERS } from '../../platform/options.ts'
import type { ContentQuestion } from '../../practice/server/content/content.ts'
import { agrees, readNumber } from '../../societies/kit/number-shown.ts'

// Checks a single item by itself (product 3.1.7).

/** The problems of one question by itself, each a sentence. */
export function checkQuestion(question: ContentQuestion): string[] {
  const found = checkItem(question)
  if (question.asOf && !question.source) found.push('asOf needs the source that was checked')
  for (const letter of OPTION_LETTERS) {
    if (letter === question.answer && question.why[letter]) {
      found.push(`why.${letter} is set for the key`)
    }
    if (letter !== question.answer && !question.why[letter]) {
      found.push(`why.${letter} is missing: which mistake leads to it?`)
    }
  }
  return found
}

/** Rules for questions, assessment items and brainteasers alike. */
export function checkItem(question: ContentQuestion): string[] {
  const found: string[] = []
  const options = OPTION_LETTERS.map((letter) => question.options[letter])
  if (new Set(options.map((option) => option.toLowerCase())).size < 4) {
    found.push('two options are the same')
  }
  for (const option of options) {
    if (/\b(all|none) of (the )?(above|these)\b|\bboth [A-D] and [A-D]\b/i.test(option)) {
      found.push(`forbidden option '${option}'`)
    }
  }
  for (const [name, text] of [
    ['explanation', question.explanation],
    ...OPTION_LETTERS.map((letter) => [`why.${letter}`, question.why[letter] ?? '']),
  ] as [string, string][]) {
    const named = namedLetter(text)
    if (named) found.push(`${name} names an option by its letter ('${named}')`)
  }
  const sentences = question.explanation.split(/[.!?](?:\s|$)/).filter((part) => part.trim()).length
  if (sentences < 2 || sentences > 6) {
    found.push(`the explanation has ${sentences} sentences; should be two to five`)
  }
  if (
    /\b(not|except)\b/i.test(question.question) &&
    /\bwhich\b.*\b(not|except)\b/.test(question.question)
  ) {
    found.push('NOT and EXCEPT must be in capitals')
  }
  for (const text of [
    question.question,
    ...options,
    question.explanation,
    ...OPTION_LETTERS.map((letter) => question.why[letter] ?? ''),
  ]) {
    for (const excerpt of findTypedSigns(text)) {
      found.push(`'${excerpt}' has a hyphen for − or the letter x for ×`)
    }
    for (const word of findBrokenWords(text)) found.push(`'${word}' is broken at its hyphen`)
  }
  found.push(...checkNumbers(question), ...checkWrong(question))
  return found
}

/** 'option B', 'answer (c)', 'choice D', or a single letter that isn't an article, grade or variable. */
function namedLetter(text: string): string | null {
  return (
    /\b(?:option|answer|choice|alternative)s?\s+\(?[A-D]\)?(?![\w'])/i.exec(text)?.[0] ??
    /(?<![\w$&'-])\(?[BCD]\)\s|^[A-D]\s+(?:is|was|forgets|uses)\b/.exec(text)?.[0] ??
    null
  )
}

/** Whether an item has text options: any option with four letters in a row (product 3.1.7), except units. */
export function isWorded(question: ContentQuestion): boolean {
  return OPTION_LETTERS.some((letter) => {
    const words = question.options[letter].replace(
      /\b(million|billion|trillion|thousand|percent|points?|basis|years?|days?|months?|hours?|minutes?|seconds?|weeks?|times|about|shares?|units?|dollars?|cents?|turns?|yuan|euros?|people|miles|bonds?|contracts?|quarters?|half|each|year|coins?|balls?|ways?|cups?|stores?|pieces?|cars?|gallons?|liters?|tons?)\b/gi,
      '',
    )
    return /[a-z]{4}/i.test(words)
  })
}

/** Whether an item's options are sorted numbers, so that its key has a rank. */
export const isNumeric = (question: ContentQuestion): boolean =>
  !isWorded(question) && OPTION_LETTERS.every((letter) => readNumber(question.options[letter]))

function checkNumbers(question: ContentQuestion): string[] {
  if (!isNumeric(question)) return question.compute ? checkComputed(question, question.compute) : []
  const shown = OPTION_LETTERS.map((letter) => readNumber(question.options[letter]))
  const found: string[] = []
  if (!question.compute) found.push('has numeric options but no compute expression')
  else found.push(...checkComputed(question, question.compute))
  const values = shown.map((number) => number?.value ?? 0)
  if (values.some((value, index) => index > 0 && value <= (values[index - 1] as number))) {
    found.push('numeric options must ascend from A to D')
  }
  if (new Set(shown.map((number) => number?.decimals)).size > 1) {
    found.push('numeric options have different precision')
  }
  return found
}

function checkComputed(question: ContentQuestion, expression: string): string[] {
  const key = readNumber(question.options[question.answer])
  if (!key) return ['has a compute expression but a key without a number']
  if (!/[-+*/^(]/.test(expression.trim().slice(1))) return ['compute is not a calculation']
  const value = calculated(expression)
  if (typeof value === 'string') return [`compute ${value}`]
  // A key with 'about' may be rounded more.
  if (!agrees(value, key)) {
    return [`compute gives ${value}, but the key shows ${key.value}`]
  }
  const sameAsKey = OPTION_LETTERS.filter((letter) => {
    const shown = readNumber(question.options[letter])
    return letter !== question.answer && shown && agrees(value, shown)
  })
  return sameAsKey.map((letter) => `option ${letter} matches the computed key too`)
}

/** Maximum relative deviation of a number with 'about'. */
const ROUNDED_BY = 0.03

/** A distractor must show the result of its mistake, as the key shows the result of the calculation. */
function checkWrong(question: ContentQuestion): string[] {
  return OPTION_LETTERS.flatMap((letter) => {
    const expression = question.wrong?.[letter]
    if (expression === undefined) return []
    if (letter === question.answer) return [`wrong.${letter} is set for the key`]
    const shown = readNumber(question.options[letter])
    if (!shown) return [`wrong.${letter} has an expression, but its option has no number`]
    const value = calculated(expression)
    if (typeof value === 'string') return [`wrong.${letter} ${value}`]
    const isRounded = /^about /i.test(question.options[letter])
    const isNear = isRounded && Math.abs(value / shown.value - 1) <= ROUNDED_BY
    return agrees(value, shown) || isNear
      ? []
      : [`wrong.${letter} gives ${value}, but its option shows ${shown.value}`]
  })
}

/** @returns the value, or the problem as text */
function calculated(expression: string): number | string {
  try {
    const value: unknown = evaluate(expression)
    return typeof value === 'number' && Number.isFinite(value) ? value : 'does not give a number'
  } catch (error) {
    return `can't be evaluated: ${(error as Error).message}`
  }
}

// Texts need real signs (product 10.6.2): − and × are as wide as +, and a screen reader says 'minus' and 'times', but
// skips a hyphen and reads x as a letter.

/** A hyphen before a figure, a bracket or a variable, or between two terms; not in 10-year or 805-30. */
const MINUS = /(?<=^|[\s(="'^×])-(?=[$€£]?[\d(]|[a-zA-Z]+[)\s])|(?<=\S\s+)-(?=\s+\S)/g

/** x between two terms. The variable is next to a word or an equals sign: 'the amount x', 'x = 600'. */
const TIMES =
  /(?<=\S\s+|^)x(?=\s+[\d($€£−-]|\s+[a-zA-Z]{1,2}(?:\d|\b(?!['’]))|\s+[a-zA-Z]+\b)(?!\s+(?:between|after|before|and|or|is|to|that|with|per|if|for|in|of)\b)/g

/** A word after which x is a variable. */
const NAMES_IT =
  /(?:^|\s)(?:meter|amount|satisfies|gives|sees|at|than|for|with|that|by|and|or|[+−/=-])\s+$/

/** Replaces them with real signs. Each is one character, so the length stays the same. */
export function fixSigns(text: string): string {
  return text
    .replace(TIMES, (sign, place: number) => (NAMES_IT.test(text.slice(0, place)) ? sign : '×'))
    .replace(MINUS, '−')
}

/** Finds hyphens used as minus and the letter x used as times, each with some context. */
export function findTypedSigns(text: string): string[] {
  const fixed = fixSigns(text)
  return [...text].flatMap((letter, place) =>
    letter === fixed[place] ? [] : [text.slice(Math.max(0, place - 8), place + 9)],
  )
}

/** Words that a folded line broke at their hyphen ('straight- line'); not 'second- and third-largest'. */
export function findBrokenWords(text: string): string[] {
  return text.match(/\b[a-z]+-\s+(?!(?:and|or|to)\b)[a-z]+/gi) ?? []
}

// Rules for items whose options are numbers (product 3.1.7).

/** Allowed share of each rank of the key among a cell's numeric items, in whole percent. */
const RANK_SHARE = { min: 20, max: 30 }

/** Counts numeric items by the rank of their key, from the lowest. */
export function ranksOf(questions: readonly ContentQuestion[]): number[] {
  const numeric = questions.filter(isNumeric)
  return OPTION_LETTERS.map((letter) => numeric.filter(({ answer }) => answer === letter).length)
}

/** Whether each wrong number of an item has an expression that computes its mistake. */
export function hasMistakes({ options, answer, wrong }: ContentQuestion): boolean {
  return OPTION_LETTERS.every(
    (letter) =>
      letter === answer || readNumber(options[letter]) === null || wrong?.[letter] !== undefined,
  )
}

/** Problems of a cell's numeric items: wrong numbers without a mistake, and unevenly spread ranks. */
export function checkNumeric(questions: readonly ContentQuestion[]): string[] {
  const numeric = questions.filter(isNumeric)
  const found = numeric
    .filter((question) => !hasMistakes(question))
    .map(({ id }) => `${id} has a wrong number without the expression of its mistake`)
  for (const [rank, count] of ranksOf(numeric).entries()) {
    const share = Math.round((100 * count) / (numeric.length || 1))
    if (numeric.length > 0 && (share < RANK_SHARE.min || share > RANK_SHARE.max)) {
      const name = ['lowest', 'second', 'third', 'highest'][rank]
      found.push(
        `the key is the ${name} number in ${share} % of ${numeric.length}; should be 20 to 30 %`,
      )
    }
  }
  return found
}
