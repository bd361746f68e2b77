import { createHash } from 'node:crypto'
import { compile, type MathNode, parse as parseMath } from 'mathjs'
import { z } from 'zod'
import { OPTION_LETTERS, type OptionLetter } from '../../platform/options.ts'
import { formatNumber, readPattern, writeNumber } from '../../practice/cases/number-pattern.ts'
import { FIRST_VARIANT_ID, VARIANTS_PER_FAMILY } from '../../practice/family/variants.ts'
import type { ContentQuestion } from '../../practice/server/content/content.ts'

// A family is one computation with changing numbers (product 3.12.1). Its variants are built here, with the content.
// The product only reads them.

/** Maximum number of combinations that are examined. */
const COMBINATIONS_LIMIT = 6_000
/** Maximum ratio of the largest to the smallest option. */
const SIZES_WITHIN = 5

const text = z.string().trim().min(1)
const slug = z.string().regex(/^[a-z0-9-]+$/, { error: 'must be lower case with hyphens' })
const expression = z.union([z.string(), z.number().transform(String)])

/** A file of content/families/, as described in content/families/README.md. */
export const familySchema = z.strictObject({
  family: slug,
  /** the bank's question whose place in its test the variants take, and its values */
  base: z.strictObject({ id: z.int().positive(), values: z.record(z.string(), z.number()) }),
  /** id of the first variant; the others follow */
  first: z.int().min(FIRST_VARIANT_ID).max(89_999),
  /** `first` of earlier draws, whose ids are neither served nor used again */
  retired: z.array(z.int().min(FIRST_VARIANT_ID).max(89_999)).default([]),
  vars: z.record(z.string(), z.array(z.number()).min(1)),
  where: z.string().default('true'),
  let: z.record(z.string(), expression).default({}),
  question: text,
  answer: expression,
  /** how the four options are written: '$0.0 million' */
  format: text,
  distractors: z
    .array(z.strictObject({ value: expression, mistake: slug, why: text }))
    .min(3, { error: 'at least three; five or six let the key have each rank' }),
  explanation: text,
  /** whether options of 0 and below are intended */
  negative: z.boolean().default(false),
  /** minimum difference between two options, as a share of the larger */
  apart: z.number().positive().default(0.004),
  /** maximum value of an option, such as 100% for a share of rooms */
  most: z.number().optional(),
  /** another number draws other variants, if the cell needs keys in another order */
  draw: z.int().default(0),
})
export type Family = z.infer<typeof familySchema>

/** One combination of values, with all results. */
interface Combination {
  values: Record<string, number>
  key: number
  /** the distractors that can accompany the key, in the family's order */
  distractors: { value: number; mistake: string; why: string }[]
}

/** A family with its variants, or the problems that prevent them. */
interface Expansion {
  /** how many combinations fulfill the condition, and how many of them make a good question */
  combinations: number
  usable: number
  variants: ContentQuestion[]
  problems: string[]
}

/**
 * All variants of a family, deterministic: examines every combination and picks eleven that differ strongly, with the
 * key's ranks spread evenly.
 * @param base the bank's question, which counts as the first
 */
export function expandFamily(family: Family, base: ContentQuestion): Expansion {
  const maths = compileFamily(family)
  const problems: string[] = []
  const all = listCombinations(family.vars)
  if (all.length > COMBINATIONS_LIMIT) {
    return { combinations: all.length, usable: 0, variants: [], problems: ['has too many values'] }
  }
  const fulfilling = all.flatMap((values) => {
    const scope = maths.scopeOf(values)
    return maths.fulfils(scope) ? [maths.combine(values, scope)] : []
  })
  const own = maths.combine(family.base.values, maths.scopeOf(family.base.values))
  problems.push(...compareWithBase(family, base, own, maths))
  const usable = fulfilling.filter((one) => isUsable(one, family) && !isSameAs(one, own))
  const chosen = choose(usable, family, OPTION_LETTERS.indexOf(base.answer))
  if (chosen.length < VARIANTS_PER_FAMILY - 1) {
    problems.push(
      `only ${chosen.length} of ${VARIANTS_PER_FAMILY - 1} variants can be made from ${usable.length} usable combinations`,
    )
  }
  const variants = chosen.map((pick, index) =>
    writeVariant(family, base, pick, family.first + index, maths),
  )
  return { combinations: fulfilling.length, usable: usable.length, variants, problems }
}

function compileFamily(family: Family) {
  const lets = Object.entries(family.let).map(([name, body]) => ({ name, code: compile(body) }))
  const condition = compile(family.where)
  const answer = compile(family.answer)
  const wrong = family.distractors.map((one) => ({ ...one, code: compile(one.value) }))
  return {
    scopeOf(values: Record<string, number>): Record<string, number> {
      const scope = { ...values }
      for (const { name, code } of lets) scope[name] = code.evaluate(scope)
      return scope
    },
    fulfils: (scope: Record<string, number>) => condition.evaluate(scope) === true,
    combine(values: Record<string, number>, scope: Record<string, number>): Combination {
      const key = answer.evaluate(scope) as number
      return {
        values,
        key,
        distractors: wrong
          .map(({ code, mistake, why }) => ({
            value: code.evaluate(scope) as number,
            mistake,
            why: fill(why, scope),
          }))
          .filter(({ value }) => isGoodBeside(value, key, family)),
      }
    },
  }
}
type Maths = ReturnType<typeof compileFamily>

function listCombinations(vars: Family['vars']): Record<string, number>[] {
  return Object.entries(vars).reduce<Record<string, number>[]>(
    (combinations, [name, values]) =>
      combinations.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  )
}

/** Whether a wrong value can accompany the key: a number of similar size that differs when written. */
function isGoodBeside(value: number, key: number, family: Family): boolean {
  if (!Number.isFinite(value) || (!family.negative && value <= 0)) return false
  if (value > (family.most ?? Number.POSITIVE_INFINITY)) return false
  return areApart(value, key, family) && areOfOneSize([value, key])
}

function areApart(one: number, other: number, { format, apart }: Family): boolean {
  if (writeNumber(one, format) === writeNumber(other, format)) return false
  return Math.abs(one - other) > apart * Math.max(Math.abs(one), Math.abs(other))
}

/** Zero matches any size. */
function areOfOneSize(values: readonly number[]): boolean {
  const sizes = values.map(Math.abs).filter((size) => size > 0)
  return Math.max(...sizes) <= SIZES_WITHIN * Math.min(...sizes)
}

/** Whether a combination makes a good question: the key is readable and doesn't depend on rounding. */
function isUsable({ key, distractors }: Combination, family: Family): boolean {
  if (!Number.isFinite(key) || (!family.negative && key <= 0)) return false
  if (distractors.length < 3) return false
  const unit = 10 ** -readPattern(family.format).decimals
  const rest = Math.abs(key / unit) % 1
  if (Math.abs(rest - 0.5) < 0.001) return false
  return Math.abs(key) >= 2 * unit && Math.abs(key) < 10 ** 7
}

const isSameAs = (one: Combination, other: Combination) =>
  Object.keys(one.values).every((name) => one.values[name] === other.values[name])

interface Pick {
  combination: Combination
  wrong: Combination['distractors']
}

/** Picks eleven that differ as much as possible, with the key's ranks spread evenly, or fewer if there aren't more. */
function choose(usable: readonly Combination[], family: Family, baseRank: number): Pick[] {
  const inOrder = [...usable].sort((a, b) => orderOf(family, a).localeCompare(orderOf(family, b)))
  const wanted = OPTION_LETTERS.map((_, rank) => 3 - (rank === baseRank ? 1 : 0))
  const possible = new Map(
    inOrder.map((one) => [one, OPTION_LETTERS.map((_, rank) => pickWrong(one, rank, family))]),
  )
  /** ranks with few possible combinations come first, so that other ranks don't take those */
  const ranks = OPTION_LETTERS.map((_, rank) => rank).sort(
    (a, b) => countPossible(possible, a) - countPossible(possible, b) || a - b,
  )
  const picks: Pick[] = []
  const keys = new Set<string>()
  const take = (rank: number, isStrict: boolean): boolean => {
    for (const [combination, byRank] of possible) {
      const wrong = byRank[rank]
      const key = writeNumber(combination.key, family.format)
      if (!wrong || keys.has(key)) continue
      const isFar = picks.every((pick) => differences(pick.combination, combination) >= 2)
      if (isStrict && !isFar) continue
      if (picks.some((pick) => pick.combination === combination)) continue
      picks.push({ combination, wrong })
      keys.add(key)
      return true
    }
    return false
  }
  for (const rank of ranks) {
    for (let left = wanted[rank] as number; left > 0; left -= 1) {
      if (!take(rank, true)) take(rank, false)
    }
  }
  // Other ranks fill up what a rank lacks.
  for (const rank of [...ranks].reverse()) {
    while (picks.length < VARIANTS_PER_FAMILY - 1 && take(rank, true)) {}
  }
  return picks.sort((a, b) =>
    orderOf(family, a.combination, 'order').localeCompare(orderOf(family, b.combination, 'order')),
  )
}

function countPossible(possible: ReadonlyMap<Combination, unknown[]>, rank: number): number {
  return [...possible.values()].filter((byRank) => byRank[rank]).length
}

/** The first three distractors, in the family's order, that give the key a rank; null if none do. */
function pickWrong(
  { key, distractors }: Combination,
  rank: number,
  family: Family,
): Combination['distractors'] | null {
  const count = distractors.length
  for (let a = 0; a < count; a += 1) {
    for (let b = a + 1; b < count; b += 1) {
      for (let c = b + 1; c < count; c += 1) {
        const three = [distractors[a], distractors[b], distractors[c]] as Combination['distractors']
        const values = [...three.map(({ value }) => value), key]
        const isRank = values.filter((value) => value < key).length === rank
        if (!isRank || !areOfOneSize(values)) continue
        const areDistinct = values.every((one, index) =>
          values.slice(index + 1).every((other) => areApart(one, other, family)),
        )
        if (areDistinct) return three
      }
    }
  }
  return null
}

const differences = (one: Combination, other: Combination) =>
  Object.keys(one.values).filter((name) => one.values[name] !== other.values[name]).length

/** A pseudorandom order that is always the same. */
function orderOf(family: Family, { values }: Combination, salt = ''): string {
  return createHash('sha256')
    .update(`${family.family} ${family.draw} ${salt} ${JSON.stringify(values)}`)
    .digest('hex')
}

function writeVariant(
  family: Family,
  base: ContentQuestion,
  { combination, wrong }: Pick,
  id: number,
  maths: Maths,
): ContentQuestion {
  const scope = maths.scopeOf(combination.values)
  const inOrder = [...wrong, { value: combination.key, mistake: '', why: '' }].sort(
    (a, b) => a.value - b.value,
  )
  const options = {} as Record<OptionLetter, string>
  const why: Partial<Record<OptionLetter, string>> = {}
  const slips: Partial<Record<OptionLetter, string>> = {}
  let answer: OptionLetter = 'A'
  inOrder.forEach((option, index) => {
    const letter = OPTION_LETTERS[index] as OptionLetter
    options[letter] = writeNumber(option.value, family.format)
    if (option.mistake === '') answer = letter
    else {
      why[letter] = option.why
      slips[letter] = option.mistake
    }
  })
  return {
    id,
    topic: base.topic,
    thinking: 'compute',
    question: fill(family.question, scope),
    options,
    answer,
    compute: withNumbers(family, combination.values),
    explanation: fill(family.explanation, scope),
    why: why as ContentQuestion['why'],
    slips: slips as ContentQuestion['slips'],
    ...(base.source !== undefined && { source: base.source }),
    family: family.family,
  }
}

/** The answer's expression with numbers for names, so that a variant is checked like any other question. */
function withNumbers(family: Family, values: Record<string, number>): string {
  const bodies = new Map(Object.entries(family.let).map(([name, body]) => [name, parseMath(body)]))
  const replace = (node: MathNode): MathNode =>
    node.transform((part) => {
      if (!('isSymbolNode' in part) || !part.isSymbolNode) return part
      const name = (part as unknown as { name: string }).name
      const value = values[name]
      if (value !== undefined) return parseMath(String(value))
      const body = bodies.get(name)
      return body ? parseMath(`(${replace(body).toString()})`) : part
    })
  return replace(parseMath(family.answer)).toString({ parenthesis: 'auto' })
}

/** Fills a text's braces: {name} as it is, {name|$0.0 million} formatted as after the bar. */
function fill(template: string, scope: Record<string, number>): string {
  return template
    .replace(/\{([^{}|]+)(?:\|([^{}]+))?\}/g, (_, body: string, pattern?: string) => {
      const value = compile(body).evaluate(scope) as number
      return pattern === undefined ? formatNumber(value) : writeNumber(value, pattern)
    })
    .replace(/\s+/g, ' ')
    .trim()
}

/** Checks that the bank's question belongs to the family: the same words, options and key at its values. */
function compareWithBase(
  family: Family,
  base: ContentQuestion,
  own: Combination,
  maths: Maths,
): string[] {
  const found: string[] = []
  if (base.family !== family.family) found.push(`${base.id} does not name this family`)
  if (base.retired) found.push(`${base.id} is retired`)
  const scope = maths.scopeOf(family.base.values)
  if (fill(family.question, scope) !== base.question.replace(/\s+/g, ' ').trim()) {
    found.push(`the stem with the values of ${base.id} differs: ${fill(family.question, scope)}`)
  }
  if (!maths.fulfils(scope)) found.push(`${base.id} does not fulfill the condition`)
  if (writeNumber(own.key, family.format) !== base.options[base.answer]) {
    found.push(`the key of ${base.id} would be ${writeNumber(own.key, family.format)}`)
  }
  // If two mistakes lead to the same figure, the family's first one is shown.
  const byText = new Map(
    own.distractors
      .map(({ value, mistake }) => [writeNumber(value, family.format), mistake] as const)
      .reverse(),
  )
  for (const letter of OPTION_LETTERS) {
    if (letter === base.answer) continue
    const mistake = byText.get(base.options[letter])
    if (mistake === undefined) {
      found.push(`${base.options[letter]} of ${base.id} is not a distractor of the family`)
    } else if (base.slips?.[letter] !== mistake) {
      found.push(`${base.id} should say slips: {${letter}: ${mistake}}`)
    }
  }
  return found
}
