import { expect, it } from 'vitest'
import { rowsOf } from './mistakes-card.tsx'

const TOPICS: Record<number, string> = {
  1: 'dcf',
  2: 'dcf',
  3: 'lbo',
  4: 'wacc',
  5: 'irr',
  6: 'npv',
}
const missed = (...times: number[]) =>
  times.map((timesWrong, index) => ({ id: index + 1, timesWrong }))

it.each([
  ['nothing', [], []],
  ['one', missed(1), [['DCF', 1]]],
  ['those of a topic together', missed(2, 1), [['DCF', 3]]],
  [
    'three topics, and the rest counted',
    missed(3, 2, 2, 1, 1, 1),
    [
      ['DCF', 5],
      ['LBO', 2],
      ['WACC', 1],
      ['Two more', 1],
    ],
  ],
  [
    'a rest that differs',
    missed(3, 3, 3, 3, 2, 1),
    [
      ['DCF', 6],
      ['LBO', 3],
      ['WACC', 3],
      ['Two more', 0],
    ],
  ],
] as const)('missed topics list %s', (_, mistakes, rows) => {
  expect(
    rowsOf([...mistakes], (id) => TOPICS[id] ?? null).map(({ name, times }) => [name, times]),
  ).toEqual(rows)
})

it('missed topics count questions without a topic with the rest', () => {
  expect(rowsOf(missed(2), () => null)).toEqual([{ name: 'One more', times: 2 }])
})
