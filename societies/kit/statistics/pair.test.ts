import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../tests/rig/answered.ts'
import { comparePair, raschByProx, raschProbability } from './pair.ts'
import type { Choice, Responses } from './responses.ts'

describe('PROX', () => {
  it('matches its formula', () => {
    const marks = [
      [1, 1, 1, 0],
      [1, 1, 0, 0],
      [1, 0, 1, 1],
      [0, 1, 0, 0],
      [1, 1, 0, 0],
    ] as (0 | 1)[][]
    // Calculated by hand: the logits of each row and column, expanded by the other side's variance.
    const { abilities, difficulties } = raschByProx(marks)
    const near = (values: number[]) => values.map((value) => expect.closeTo(value, 9))
    expect(abilities).toEqual(near([1.045867775, 0, 1.045867775, -1.045867775, 0]))
    expect(difficulties).toEqual(near([-1.021319848, -1.021319848, 0.59272815, 1.449911545]))
  })

  it('ignores blank answers', () => {
    const model = raschByProx([
      [1, 0, 1],
      [0, 1, 0],
      [1, 1, null],
    ])
    // Two right out of two gives a higher ability than two out of three.
    expect(model.abilities[2]).toBeGreaterThan(model.abilities[0] as number)
    expect(raschByProx([[null], [null]]).abilities).toEqual([0, 0])
  })

  it('gives even odds when ability equals difficulty', () => {
    expect(raschProbability(0.7, 0.7)).toBe(0.5)
    expect(raschProbability(1, 0)).toBeCloseTo(0.731059, 6)
  })
})

describe('the answers of two candidates', () => {
  const group = simulated(40, 30, 5)

  it('are compared the same way in either order', () => {
    expect(comparePair(group, [7, 3])).toEqual(comparePair(group, [3, 7]))
  })

  it('agree about as often as expected when they are independent', () => {
    let [same, sameWrong, usual, usualWrong] = [0, 0, 0, 0]
    for (let one = 0; one < 40; one += 2) {
      const found = comparePair(group, [one, one + 1])
      same += found.same
      sameWrong += found.sameWrong
      usual += found.usual.same
      usualWrong += found.usual.sameWrong
    }
    expect(same / usual).toBeCloseTo(1, 0)
    expect(sameWrong / usualWrong).toBeCloseTo(1, 0)
  })

  it('agree far more often after one copied 70%', () => {
    const source = group.choices[3] ?? []
    const choices = group.choices.map((row, at) =>
      at === 7 ? row.map((choice, item) => (item < 21 ? (source[item] ?? null) : choice)) : row,
    )
    const found = comparePair({ ...group, choices }, [3, 7])
    expect(found.same).toBeGreaterThanOrEqual(21)
    expect(found.usual.same).toBeLessThan(found.same - 4)
    expect(found.sameWrong).toBe(
      source.filter((choice, item) => choice === choices[7]?.[item] && choice !== 0).length,
    )
    expect(found.usual.sameWrong).toBeLessThan(found.sameWrong)
  })

  it('do not agree on a question that both left blank', () => {
    const choices = group.choices.map((row, at) =>
      at === 3 || at === 7 ? row.map((choice, item) => (item < 20 ? choice : null)) : row,
    )
    expect(comparePair({ ...group, choices }, [3, 7]).answered).toBe(20)
  })

  it('leave out void questions and those with full marks for all', () => {
    const found = comparePair({ ...group, voidItems: [0, 1], fullMarksItems: [2] }, [3, 7])
    expect(found.answered).toBe(27)
  })
})

/** Simulates responses with key A, abilities from the Rasch model, and unevenly distributed wrong answers. */
function simulated(people: number, items: number, seed: number): Responses {
  const random = seededRandom(seed)
  const bell = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const difficulties = Array.from({ length: items }, () => bell())
  return {
    keys: difficulties.map((): Choice[] => [0]),
    choices: Array.from({ length: people }, () => {
      const ability = bell()
      return difficulties.map((difficulty): Choice => {
        if (random() < raschProbability(ability, difficulty)) return 0
        const drawn = random()
        return drawn < 0.5 ? 1 : drawn < 0.8 ? 2 : 3
      })
    }),
  }
}
