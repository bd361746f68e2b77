import { describe, expect, it } from 'vitest'
import { chooseToday, countAhead, mixTopics, type NewFamily } from './today.ts'

const CATEGORY = 'Valuation & Corporate Finance'
const due = (count: number, topic = (index: number) => `t${index % 4}`) =>
  Array.from({ length: count }, (_, index) => ({
    family: `d${String(index).padStart(2, '0')}`,
    topic: topic(index),
  }))
const fresh = (count: number, change: (index: number) => Partial<NewFamily> = () => ({})) =>
  Array.from(
    { length: count },
    (_, index): NewFamily => ({
      family: `n${String(index).padStart(2, '0')}`,
      category: CATEGORY,
      topic: `t${index % 3}`,
      level: 0,
      ...change(index),
    }),
  )
const weights = { [CATEGORY]: 1 }
const choose = (options: Partial<Parameters<typeof chooseToday>[0]>) =>
  chooseToday({
    due: [],
    fresh: [],
    share: 0.7,
    weights,
    levels: {},
    seed: 'anna 2026-03-02 0',
    ...options,
  })
const howMany = (families: string[], letter: string) =>
  families.filter((family) => family.startsWith(letter)).length

describe('the ten questions of today', () => {
  it.each([
    ['much due and much new', 30, 30, 0.7, 7, 3],
    ['all of the day for what is due', 30, 30, 1, 10, 0],
    ['little due', 4, 30, 0.7, 4, 6],
    ['nothing due', 0, 30, 0.7, 0, 10],
    ['nothing new left', 30, 0, 0.7, 10, 0],
    ['little of both', 4, 2, 0.7, 4, 2],
    ['nothing at all', 0, 0, 0.7, 0, 0],
  ])('with %s', (_, dueCount, newCount, share, ofDue, ofNew) => {
    const asked = choose({ due: due(dueCount), fresh: fresh(newCount), share })
    expect([howMany(asked, 'd'), howMany(asked, 'n')]).toEqual([ofDue, ofNew])
    expect(new Set(asked).size).toBe(asked.length)
  })

  it('start with the least likely known and the easiest new ones of each topic, from weighted categories only', () => {
    const asked = choose({
      due: due(30),
      fresh: [
        ...fresh(9, (index) => ({ level: 2 - Math.floor(index / 3) })),
        ...fresh(9, () => ({ category: 'Mental Agility & Problem Solving', family: 'x' })),
      ],
    })
    expect(asked.filter((family) => family.startsWith('d')).sort()).toEqual([
      'd00',
      'd01',
      'd02',
      'd03',
      'd04',
      'd05',
      'd06',
    ])
    expect(asked.filter((family) => family.startsWith('n')).sort()).toEqual(['n06', 'n07', 'n08'])
  })

  it('have due questions before new ones', () => {
    for (const seed of ['a', 'b', 'c', 'd', 'e']) {
      const asked = choose({ due: due(30), fresh: fresh(30), seed })
      expect(asked.map((family) => family[0]).join('')).toBe('dddddddnnn')
    }
  })

  it.each([
    ['none', {}, [0, 0, 0, 1, 1, 1, 2, 2, 2]],
    ['the middle', { [CATEGORY]: 1 }, [1, 1, 1, 2, 2, 2, 0, 0, 0]],
    ['the highest', { [CATEGORY]: 2 }, [2, 2, 2, 1, 1, 1, 0, 0, 0]],
  ])('take new ones from the reached level, then above, then below: %s', (_, levels, expected) => {
    // The topics have different levels left. Hard questions wait until no topic has easier ones.
    const nine = fresh(9, (index) => ({ level: Math.floor(index / 3), topic: `t${index % 2}` }))
    const levelOf = new Map(nine.map(({ family, level }) => [family, level]))
    const inTurn = [3, 6, 9].map((share) =>
      choose({ due: due(10), fresh: nine, share: (10 - share) / 10, levels })
        .filter((family) => family.startsWith('n'))
        .map((family) => levelOf.get(family) as number)
        .sort(),
    )
    expect(inTurn).toEqual([3, 6, 9].map((count) => expected.slice(0, count).sort()))
  })

  it('are the same for one seed and different for another', () => {
    const of = (seed: string) => choose({ due: due(30), fresh: fresh(30), seed })
    expect(of('a')).toEqual(of('a'))
    expect(new Set(['a', 'b', 'c', 'd'].map((seed) => of(seed).join())).size).toBeGreaterThan(1)
  })

  it('never repeat a topic twice in a row unless one topic has more than half', () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const asked = due(10, (index) => (index < 5 ? 'a' : index < 8 ? 'b' : 'c'))
      const topics = mixTopics(asked, `${seed}`).map(
        (family) => asked.find((one) => one.family === family)?.topic,
      )
      expect(topics.some((topic, index) => topic === topics[index - 1])).toBe(false)
    }
    expect(
      mixTopics(
        due(3, () => 'a'),
        'x',
      ),
    ).toHaveLength(3)
  })
})

it('cards of the next days are counted while each is read once', () => {
  let reads = 0
  const card = (due: string) => ({
    get due() {
      reads += 1
      return due
    },
  })
  const cards = ['2026-02-28', '2026-03-01', '2026-03-01', '2026-03-03', '2026-03-04'].map(card)
  expect(countAhead(cards, '2026-02-28', 3)).toEqual([2, 0, 1])
  expect(reads).toBe(cards.length)
})
