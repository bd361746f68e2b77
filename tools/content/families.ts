import { createHash } from 'node:crypto'
import { compile, type MathNode, parse as parseMath } from 'mathjs'
import { z } from 'zod'
import { OPTION_LETTERS, type OptionLetter } from '../../platform/options.ts'
import { formatNumber, readPattern, writeNumber } from '../../practice/cases/number-pattern.ts'
import { FIRST_VARIANT_ID, VARIANTS_PER_FAMILY } from '../../practice/family/variants.ts'
import type { ContentQuestion } from '../../practice/server/content/content.ts'

// A family is one computation with changing numbers (product 3.12.1): this is where its variants are made,
// when content is built. The product only ever reads the variants.

/** More combinations than this are not looked through. */
const COMBINATIONS_LIMIT = 6_000
/** How far apart the largest and the smallest option may be. */
const SIZES_WITHIN = 5

const text = z.string().trim().min(1)
const slug = z.string().regex(/^[a-z0-9-]+$/, { error: 'must be lower case with hyphens' })
const expression = z.union([z.string(), z.number().transform(String)])

/** A file of content/families/, as content/families/README.md explains it. */
export const familySchema = z.strictObject({
  family: slug,
  /** the question of the bank whose place in its test the variants take, with the values it has */
  base: z.strictObject({ id: z.int().positive(), values: z.record(z.string(), z.number()) }),
  /** id of the first variant; the others follow */
  first: z.int().min(FIRST_VARIANT_ID).max(89_999),
  /** `first` of earlier draws: what had other numbers keeps its ids, which are served no more and never used again */
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
    .min(3, { error: 'three at the least; five or six let the key have each rank' }),
  explanation: text,
  /** options of 0 and below are meant */
  negative: z.boolean().default(false),
  /** two options differ by more than this share of the larger */
  apart: z.number().positive().default(0.004),
  /** no option is above it: a share of rooms stays below 100% */
  most: z.number().optional(),
  /** another number draws other variants, where the cell asks for keys in another order */
  draw: z.int().default(0),
})
export type Family = z.infer<typeof familySchema>

/** One choice of values, with all that follows from it. */
interface Combination {
  values: Record<string, number>
  key: number
  /** the distractors that are of use beside the key, in the family's order */
  distractors: { value: number; mistake: string; why: string }[]
}

/** A family with its variants, or what keeps it from having them. */
interface Expansion {
  /** the choices of values that fulfil the condition, and of these the ones that make a good question */
  combinations: number
  usable: number
  variants: ContentQuestion[]
  problems: string[]
}

/**
 * All variants of a family, the same at each call: every choice of values is looked at, and eleven are taken
 * that are far from each other, so that the key has each rank equally often.
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
      `only ${chosen.length} of ${VARIANTS_PER_FAMILY - 1} variants come of ${usable.length} usable choices of values`,
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

/** Whether a wrong value can stand beside the key: a number, of its size, and another one when written. */
function isGoodBeside(value: number, key: number, family: Family): boolean {
  if (!Number.isFinite(value) || (!family.negative && value <= 0)) return false
  if (value > (family.most ?? Number.POSITIVE_INFINITY)) return false
  return areApart(value, key, family) && areOfOneSize([value, key])
}

function areApart(one: number, other: number, { format, apart }: Family): boolean {
  if (writeNumber(one, format) === writeNumber(other, format)) return false
  return Math.abs(one - other) > apart * Math.max(Math.abs(one), Math.abs(other))
}

/** Zero is of every size. */
function areOfOneSize(values: readonly number[]): boolean {
  const sizes = values.map(Math.abs).filter((size) => size > 0)
  return Math.max(...sizes) <= SIZES_WITHIN * Math.min(...sizes)
}

/** Whether a choice makes a good question: a key that reads well and is no matter of rounding. */
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

/** Eleven that differ in as much as they can, with ranks of the key spread evenly; fewer where there are no more. */
function choose(usable: readonly Combination[], family: Family, baseRank: number): Pick[] {
  const inOrder = [...usable].sort((a, b) => orderOf(family, a).localeCompare(orderOf(family, b)))
  const wanted = OPTION_LETTERS.map((_, rank) => 3 - (rank === baseRank ? 1 : 0))
  const possible = new Map(
    inOrder.map((one) => [one, OPTION_LETTERS.map((_, rank) => pickWrong(one, rank, family))]),
  )
  /** ranks that few choices can have come first, so that no other rank takes these away */
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
  // What a rank could not have, another gets.
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

/** The first three distractors, by the family's order, with which the key has a rank; null without such. */
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

/** An order that looks like chance and is the same each time. */
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

/** The answer's expression with numbers for its names, so that a variant is proved like any other question. */
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

/** A text with its braces filled: {name} as it is, {name|$0.0 million} as written behind the bar. */
function fill(template: string, scope: Record<string, number>): string {
  return template
    .replace(/\{([^{}|]+)(?:\|([^{}]+))?\}/g, (_, body: string, pattern?: string) => {
      const value = compile(body).evaluate(scope) as number
      return pattern === undefined ? formatNumber(value) : writeNumber(value, pattern)
    })
    .replace(/\s+/g, ' ')
    .trim()
}

/** That the bank's question is one of the family: the same words, options and key at the values it has. */
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
    found.push(`the stem at the values of ${base.id} is another: ${fill(family.question, scope)}`)
  }
  if (!maths.fulfils(scope)) found.push(`${base.id} does not fulfil the condition`)
  if (writeNumber(own.key, family.format) !== base.options[base.answer]) {
    found.push(`the key of ${base.id} would be ${writeNumber(own.key, family.format)}`)
  }
  // Where two mistakes lead to one figure, the first of the family is the one that is told.
  const byText = new Map(
    own.distractors
      .map(({ value, mistake }) => [writeNumber(value, family.format), mistake] as const)
      .reverse(),
  )
  for (const letter of OPTION_LETTERS) {
    if (letter === base.answer) continue
    const mistake = byText.get(base.options[letter])
    if (mistake === undefined) {
      found.push(`${base.options[letter]} of ${base.id} is no distractor of the family`)
    } else if (base.slips?.[letter] !== mistake) {
      found.push(`${base.id} should say slips: {${letter}: ${mistake}}`)
    }
  }
  return found
}
