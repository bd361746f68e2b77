import { describe, expect, it } from 'vitest'
import type { SpokenPrompt } from '../../practice/aloud/spoken-prompt.ts'
import { readSpokenPromptFiles } from '../../practice/server/aloud/spoken-content.ts'
import { checkSpokenPrompt, checkSpokenPrompts } from './check-aloud.ts'

const words = (count: number) => `${'word '.repeat(count - 1)}word.`
const six = [1, 2, 3, 4, 5, 6]
const good: SpokenPrompt = {
  slug: 'a-question',
  kind: 'technical',
  topic: 'dcf',
  prompt: 'How is it?',
  hint: 'Say it.',
  short: six.map((point) => ({ text: words(12), points: [point] })),
  long: six.map((point) => ({ text: words(48), points: [point] })),
  points: six.map((point) => ({ say: `Point ${point}` })),
  wrongTurn: 'To say nothing.',
  followUps: Array.from({ length: 3 }, () => ({ prompt: 'And then?', answer: words(40) })),
}
/** A frame in which every past-tense sentence has a bracket. */
const frame: SpokenPrompt = {
  ...good,
  kind: 'behavioral',
  short: good.short.map(({ points }) => ({ text: `I was at [place] ${words(8)}`, points })),
  long: good.long.map(({ points }) => ({
    text: `I was at [place] and did [task]. ${words(40)}`,
    points,
  })),
}

describe('the check of spoken questions', () => {
  it('accepts a good question and a good frame', () => {
    expect([...checkSpokenPrompt(good), ...checkSpokenPrompt(frame)]).toEqual([])
  })

  it.each<[string, Partial<SpokenPrompt>, RegExp]>([
    ['five points', { points: good.points.slice(1) }, /has 5 points, not 6/],
    [
      'a point without a sentence',
      { short: good.short.map((one) => ({ ...one, points: [1] })) },
      /short: no sentence makes point 2/,
    ],
    [
      'a sentence for an unknown point',
      { long: [...good.long, { text: 'So.', points: [7] }] },
      /long: there is no point 7/,
    ],
    [
      'a short answer with too many words',
      { short: good.short.map((one) => ({ ...one, text: words(20) })) },
      /short: 120 words are 240 per minute/,
    ],
    ['a long answer with too few words', { long: good.short }, /long: 72 words are 36 per minute/],
    [
      'a follow-up without an answer',
      { followUps: [{ prompt: 'And?', answer: 'Yes.' }] },
      /has 1 follow-ups, not 3\nfollow-up 1: 1 words/,
    ],
    ['a hyphen for a minus', { wrongTurn: 'It is -3%.' }, /hyphen for a minus/],
    ['a letter for a multiplication', { wrongTurn: 'It is 3 x 4.' }, /letter for ×/],
    ['a curly quote', { hint: 'Don’t.' }, /curly quote/],
    ['a year', { hint: 'As in 2008.' }, /names a year/],
    [
      'half a sentence',
      { short: good.short.map((one) => ({ ...one, text: words(12).slice(0, -1) })) },
      /does not end like a sentence/,
    ],
    ['a long prompt', { prompt: words(40) }, /prompt: 200 characters, at most 110/],
  ])('finds %s', (_, change, message) => {
    expect(checkSpokenPrompt({ ...good, ...change }).join('\n')).toMatch(message)
  })

  it.each<[string, string, RegExp]>([
    ['an invented experience', 'I led a team through it.', /describes an experience/],
    ['an experience told as “we”', 'In the end we worked all night.', /describes an experience/],
    ['a number without a source', 'It grew by 12%.', /a number without brackets/],
  ])('finds in a frame %s', (_, sentence, message) => {
    const [first, ...rest] = frame.long
    const long = [{ text: `${sentence} ${first?.text}`, points: [1] }, ...rest]
    expect(checkSpokenPrompt({ ...frame, long }).join('\n')).toMatch(message)
    expect(checkSpokenPrompt({ ...frame, kind: 'technical', long })).toEqual([])
  })

  it('finds a frame with nothing to fill in', () => {
    expect(checkSpokenPrompt({ ...good, kind: 'behavioral' }).join('\n')).toMatch(
      /short: a frame needs at least 4 blanks/,
    )
  })

  it('finds a repeated slug or question, and a passage shared by two', () => {
    const file = (name: string) => ({
      name,
      text: JSON.stringify([
        {
          ...good,
          short: good.short.map(({ text, points }) => ({ [String(points)]: text })),
          long: good.long.map(({ text, points }) => ({ [String(points)]: text })),
        },
      ]),
    })
    expect(
      checkSpokenPrompts([file('one.yaml'), file('two.yaml')]).problems.map(
        ({ message }) => message,
      ),
    ).toEqual([
      "a-question: 'a-question' is also in one.yaml",
      "a-question: 'how is it?' is also in one.yaml",
    ])
    const two = { name: 'x.yaml', text: JSON.stringify([{ ...good, short: [{ 1: 'a', 2: 'b' }] }]) }
    expect(checkSpokenPrompts([two]).problems[0]?.message).toMatch(/one sentence under its points/)
  })

  it('accepts the content: four questions of each kind', async () => {
    const { problems, prompts } = checkSpokenPrompts(await readSpokenPromptFiles())
    expect(problems).toEqual([])
    for (const kind of ['technical', 'deal', 'market', 'behavioral']) {
      expect(prompts.filter((prompt) => prompt.kind === kind).length).toBeGreaterThanOrEqual(4)
    }
  })
})
