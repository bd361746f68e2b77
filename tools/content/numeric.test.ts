import { expect, it } from 'vitest'
import type { ContentQuestion } from '../../practice/server/content/content.ts'
import { checkNumeric } from './numeric.ts'

const item = (id: number, answer: ContentQuestion['answer']): ContentQuestion => {
  const wrong = { A: '1', B: '2', C: '3', D: '4', [answer]: undefined }
  return {
    ...{ id, topic: 'tax', question: 'How much?', answer, compute: '1 + 1', wrong, why: {} },
    options: { A: '$1', B: '$2', C: '$3', D: '$4' },
    explanation: 'So it is. And so.',
  }
}
const even = (['A', 'B', 'C', 'D'] as const).flatMap((key, at) => [
  item(2 * at + 1, key),
  item(2 * at + 2, key),
])

it('the numeric check asks for the mistake behind each wrong number', () => {
  expect(checkNumeric(even)).toEqual([])
  const [first, ...rest] = even
  const without = { ...(first as ContentQuestion), wrong: { B: '2', C: '3' } }
  expect(checkNumeric([without, ...rest])).toEqual([
    '1 has a wrong number without the expression of its mistake',
  ])
})

it('the numeric check asks for keys at all ranks equally often', () => {
  const middle = [...even, ...[11, 12, 13].map((id) => item(id, 'B'))]
  expect(checkNumeric(middle).join()).toMatch(/lowest number in 18 %.*second number in 45 %/)
  const worded = { A: 'It falls', B: 'It rises', C: 'It stays', D: 'It stops' }
  expect(checkNumeric([{ ...item(1, 'B'), options: worded }])).toEqual([])
})
