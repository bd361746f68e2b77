import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { all, create } from 'mathjs'
import { describe, expect, it } from 'vitest'
import TRICKS from '../../content/tricks.json' with { type: 'json' }
import { sized } from '../../tests/setup/size.ts'
import { areEqual, parseAnswer } from './fraction.ts'
import {
  type AskedSum,
  GENERATOR_VERSION,
  MOST_RETURNING,
  sumsAnswered,
  sumsOf,
  withReturning,
} from './generator.ts'
import { countSums, DRILLS, DRILLS_OF_ONE_KIND, getPreset, type Preset } from './presets.ts'
import { isRight } from './report.ts'
import { HIGHEST_SEED, type Sum } from './sum.ts'

const ALL = [...DRILLS, ...DRILLS_OF_ONE_KIND]
const seeds = fc.integer({ min: 0, max: HIGHEST_SEED })
/** Seeds differ on every run. npm run test:full tries more of them. */
const runs = (atFull: number) => ({ numRuns: sized(atFull, 1) })
const RUNS = runs(4)

const make = (preset: Preset, seed: number): Sum[] => {
  const sums = sumsOf(preset, GENERATOR_VERSION, seed)
  if (!sums) throw new Error('the current version makes no sums')
  return sums
}
const preset = (id: string): Preset => {
  const found = getPreset(id)
  if (!found) throw new Error(`no preset ${id}`)
  return found
}

describe.each(ALL.map((one) => [one.id, one] as const))('the questions of drill %s', (_, one) => {
  it('are the same for the same seed, and as many as the preset says', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const sums = make(one, seed)
        expect(make(one, seed)).toEqual(sums)
        expect(sums).toHaveLength(countSums(one))
      }),
      runs(3),
    )
  })

  it('have four options with four values, one of them the key, and none is a negative zero', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        for (const sum of make(one, seed)) {
          const values = sum.options.map((option) => {
            const value = parseAnswer(option)
            if (!value) throw new Error(`${sum.prompt}: ${option} is no number`)
            return value
          })
          expect(values).toHaveLength(4)
          for (const [index, value] of values.entries()) {
            expect(values.slice(index + 1).some((other) => areEqual(other, value))).toBe(false)
          }
          expect(sum.options.filter((option) => isRight(sum, option))).toEqual([sum.key])
          expect(sum.options.join(' ')).not.toMatch(/(^| )[−-]0( |$)/)
        }
      }),
      RUNS,
    )
  })

  it('have no repeats, and each has a shortcut', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const sums = make(one, seed)
        expect(new Set(sums.map((sum) => sum.prompt)).size).toBe(sums.length)
        for (const sum of sums) expect(TRICKS[sum.trick]).toBeDefined()
      }),
      runs(3),
    )
  })
})

describe('the key of a drill question', () => {
  /** Fractions are exact: 0.1 + 0.2 is 0.3. */
  const exact = create(all ?? {}, { number: 'Fraction' })
  const worthOf = (text: string) =>
    exact.evaluate(
      text
        .replaceAll('×', '*')
        .replaceAll('÷', '/')
        .replaceAll('−', '-')
        .replace(/^(\S+) is what % of (\S+)$/, '$1 / $2 * 100')
        .replace(/(\S+) plus (\S+)%/, '$1 * (100 + $2) / 100')
        .replace(/(\S+) less (\S+)%/, '$1 * (100 - $2) / 100')
        .replace(/(\S+)% of (\S+)/, '$1 * $2 / 100')
        .replace(/(\S+) of (\S+)/, '($1) * $2'),
    )

  const ARITHMETIC = [
    '80-in-8',
    '80-in-8-typed',
    'sprint',
    'two-minutes-fractions',
    'two-minutes-percentages',
  ]
  it.each(ARITHMETIC)('in %s agrees with an independent calculation', (id) => {
    fc.assert(
      fc.property(seeds, (seed) => {
        for (const { prompt, key } of make(preset(id), seed)) {
          const [left = '', right = key] = prompt.includes('?')
            ? prompt
                .replace('?', `(${key})`)
                .replace(/% of \((.*)\)/, '% of $1')
                .split(' = ')
            : [prompt]
          expect(`${prompt} → ${exact.format(worthOf(left))}`).toBe(
            `${prompt} → ${exact.format(worthOf(right))}`,
          )
        }
      }),
      RUNS,
    )
  })

  it('that asks for an estimate is the nearest of the four options, and no other is close', () => {
    const rough = create(all ?? {}, {})
    fc.assert(
      fc.property(seeds, (seed) => {
        for (const { prompt, key, options } of make(preset('estimation'), seed)) {
          const value = rough.evaluate(
            prompt
              .replace('√', 'sqrt ')
              .replace(/^sqrt (\S+)/, 'sqrt($1)')
              .replaceAll('×', '*')
              .replaceAll('÷', '/')
              .replace(/(\S+)% of (\S+)/, '$1 * $2 / 100'),
          )
          const off = (option: string) => Math.abs(Math.log(Number(option) / value))
          const [nearest, other = ''] = [...options].sort((a, b) => off(a) - off(b))
          expect(nearest).toBe(key)
          expect([prompt, options, off(other) > 0.12]).toEqual([prompt, options, true])
          expect(off(key)).toBeLessThan(0.06)
        }
      }),
      RUNS,
    )
  })

  const financeSums = Array.from({ length: 60 }, (_, seed) => make(preset('finance'), seed)).flat()

  it.each([
    [/^(\S+) \$(\d+) m → \$(\d+) m: change$/, (was: number, is: number) => (is / was - 1) * 100],
    [
      /^EV \$(\d+) m, EBITDA \$(\d+) m: EV\/EBITDA$/,
      (value: number, ebitda: number) => value / ebitda,
    ],
    [
      /^Equity \$(\d+) m, net debt \$(\d+) m, EBITDA \$(\d+) m: EV\/EBITDA$/,
      (equity: number, debt: number, ebitda: number) => (equity + debt) / ebitda,
    ],
    [
      /^(\d+)× EBITDA of \$(\d+) m, net debt \$(\d+) m: equity$/,
      (multiple: number, ebitda: number, debt: number) => multiple * ebitda - debt,
    ],
    [
      /^Revenue \$(\d+) m, EBITDA \$(\d+) m: margin$/,
      (revenue: number, ebitda: number) => (ebitda / revenue) * 100,
    ],
    [
      /^Revenue \$(\d+) m, costs \$(\d+) m: margin$/,
      (revenue: number, costs: number) => (1 - costs / revenue) * 100,
    ],
    [
      /^Margin (\d+)%, EBITDA \$(\d+) m: revenue$/,
      (margin: number, ebitda: number) => (ebitda / margin) * 100,
    ],
    [
      /^Income \$(\d+) m \+ \$(\d+) m, shares (\d+) m \+ (\d+) m: EPS change$/,
      (income: number, more: number, shares: number, issued: number) =>
        (((income + more) / (shares + issued)) * (shares / income) - 1) * 100,
    ],
    [
      /^Duration (\d+), yields ([+−]\d+) bp: price change$/,
      (duration: number, points: number) => (-duration * points) / 100,
    ],
    [
      /^Duration (\d+), yields ([+−]\d+) bp, worth \$(\d+) m: gain$/,
      (duration: number, points: number, worth: number) => (-duration * points * worth) / 10_000,
    ],
    [/^(\d+)% a year: years to double$/, (rate: number) => 72 / rate],
    [/^Doubled in (\d+) years: growth a year$/, (years: number) => 72 / years],
    [
      /^\$(\d+) m for (\d+) years at (\d+)%$/,
      (amount: number, years: number, rate: number) => amount * 2 ** ((years * rate) / 72),
    ],
  ] as [RegExp, (...figures: number[]) => number][])(
    'in a finance question like %s agrees with an independent calculation',
    (form, compute) => {
      const found = financeSums.filter(({ prompt }) => form.test(prompt))
      expect(found.length).toBeGreaterThan(5)
      for (const { prompt, key } of found) {
        const figures = (form.exec(prompt) ?? [])
          .slice(1)
          .map((text) => Number(text.replace('−', '-')))
        expect(Number(key.replace('−', '-'))).toBeCloseTo(
          compute(...figures.filter((one) => !Number.isNaN(one))),
          6,
        )
      }
    },
  )
  it('in a finance question matches one of the forms above', () => {
    const forms =
      /: (change|margin|revenue|equity|EPS change|price change|gain|EV\/EBITDA|years to double|growth a year)$|years at/
    for (const { prompt } of make(preset('finance'), 3)) expect(prompt).toMatch(forms)
  })
})

it('the sprint preset stays within its number ranges', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      for (const { prompt, key } of make(preset('sprint'), seed)) {
        const [a = 0, sign = '', b = 0] = prompt
          .split(' ')
          .map((part, at) => (at === 1 ? part : Number(part)))
        const [x, y] = [Number(a), Number(b)]
        const within = {
          '+': x >= 2 && x <= 100 && y >= 2 && y <= 100,
          '−': y >= 2 && y <= 100 && Number(key) >= 2 && Number(key) <= 100,
          '×': x >= 2 && x <= 12 && y >= 2 && y <= 100,
          '÷': y >= 2 && y <= 12 && Number(key) >= 2 && Number(key) <= 100,
        }[sign]
        expect([prompt, within]).toEqual([prompt, true])
      }
    }),
    RUNS,
  )
})

it('typed answers are never negative or non-terminating decimals', () => {
  for (const one of ALL.filter(({ answering }) => answering === 'typed')) {
    for (const seed of [1, 2, 3, 4, 5]) {
      for (const { key } of make(one, seed)) expect(key).toMatch(/^\d+(\.\d{1,3})?$/)
    }
  }
})

describe('a wrong drill answer', () => {
  const eighty = preset('80-in-8')
  const returning: AskedSum[] = [3, 11, 40].map((place) => ({
    ...(make(eighty, 7)[place] as Sum),
    from: { seed: 7, place },
  }))

  it('returns after every four new questions and is regenerated from its source', () => {
    const asked = withReturning(make(eighty, 8), returning)
    expect(asked).toHaveLength(80)
    expect([asked[4], asked[9], asked[14]]).toEqual(returning)
    const answers = asked.slice(0, 20).map(({ from }) => ({ from }))
    expect(sumsAnswered(eighty, { version: GENERATOR_VERSION, seed: 8, answers })).toEqual(
      asked.slice(0, 20),
    )
  })

  it('is not regenerated from an unknown position or from more drills than allowed', () => {
    const remake = (answers: { from?: { seed: number; place: number } }[]) =>
      sumsAnswered(eighty, { version: GENERATOR_VERSION, seed: 8, answers })
    expect(remake([{ from: { seed: 7, place: 80 } }])).toBeNull()
    const many = Array.from({ length: MOST_RETURNING + 1 }, (_, seed) => ({
      from: { seed, place: 0 },
    }))
    expect(remake(many)).toBeNull()
    expect(remake(many.slice(1))).not.toBeNull()
    expect(remake(Array.from({ length: 81 }, () => ({})))).toBeNull()
  })
})

describe("the generator's version", () => {
  it('regenerates nothing when it is no longer supported', () => {
    expect(sumsOf(preset('sprint'), 99, 7)).toBeNull()
  })

  // Stored drills have only their seed. If this fails, raise GENERATOR_VERSION and update the digest.
  it('must be raised by any change to a question', () => {
    const sums = ALL.map((one) => [1, 7, 2_026].map((seed) => make(one, seed)))
    const asked = sums.flat(2).map(({ kind, prompt, key, options }) => [kind, prompt, key, options])
    const digest = createHash('sha256').update(JSON.stringify(asked)).digest('hex').slice(0, 16)
    expect([GENERATOR_VERSION, digest]).toEqual([1, 'c4fb3e143b93ff76'])
  })
})
