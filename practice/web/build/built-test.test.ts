import { describe, expect, it } from 'vitest'
import { ANYTHING, builtOf, builtTitle, type Choice, choiceOf, searchOf } from './built-test.ts'

const LBO = 'valuation-corporate-finance/lbo'
const again = (choice: Choice) => choiceOf(new URLSearchParams(searchOf(choice)))

describe('the address of a custom test', () => {
  it.each([
    ['nothing chosen', ANYTHING],
    ['one topic', { ...ANYTHING, topics: [LBO] }],
    [
      'everything',
      {
        ...ANYTHING,
        topics: [LBO],
        levels: ['Intern'],
        size: 30,
        clock: 'timed',
        slip: 'net-debt-sign',
        ids: [3, 1, 2],
      },
    ],
  ] as [string, Choice][])('restores %s', (_, choice) => {
    expect(again(choice)).toEqual(choice)
  })

  it('is the same for equal choices and omits defaults', () => {
    expect(searchOf(ANYTHING)).toBe('')
    expect(searchOf({ ...ANYTHING, topics: ['b', 'a'] })).toBe(
      searchOf({ ...ANYTHING, topics: ['a', 'b'] }),
    )
    expect(searchOf({ ...ANYTHING, levels: ['Analyst', 'Discover Finance', 'Intern'] })).toBe('')
  })

  it.each(['n=0', 'n=41', 'n=2.5', 'n=x', 'clock=soon', 'levels=Partner', 'ids=', 'topics=,'])(
    'ignores the invalid %s',
    (search) => {
      expect(choiceOf(new URLSearchParams(search))).toEqual(ANYTHING)
    },
  )
})

it.each([
  [{ topics: [LBO] }, 'LBO'],
  [{ topics: [LBO, 'a/b'] }, '2 topics'],
  [{ slip: 'net-debt-sign' }, 'One mistake, across topics'],
  [{ ids: [1], ofMistakes: true }, 'Your mistakes'],
  [{ ids: [1] }, 'Your test'],
  [{}, 'Your test'],
])('a custom test of %j is called %s', (own, title) => {
  expect(builtTitle({ ...ANYTHING, ...own })).toBe(title)
})

it.each([
  ['other questions of the same choice', { topics: [LBO], ids: [1, 2] }, { topics: [LBO] }],
  ['other questions of anything', { ids: [1, 2] }, {}],
  [
    'of mistakes these very ones',
    { ids: [1, 2], ofMistakes: true },
    { ids: [1, 2], ofMistakes: true },
  ],
])('repeating a custom test asks for %s', (_, own, again) => {
  const built = builtOf({ ...ANYTHING, ...own })
  expect(choiceOf(new URLSearchParams(built.againSearch))).toEqual({ ...ANYTHING, ...again })
})
