import { expect, it } from 'vitest'
import { readTerms, termsWithout } from './terms.ts'

const term = (name: string) => ({
  term: name,
  line: 'What it means, in one line.',
  asked: 'options',
})

it('finds a term wherever a line breaks, as the start of a word alone', () => {
  const texts = ['The puts\nexpire.', 'A locked\n  box, and an output gap.']
  const terms = ['put', 'locked box', 'gap', 'utp', 'box,'].map(term)
  expect(termsWithout(terms, texts)).toEqual(['utp'])
  expect(termsWithout([term('put')], ['the output'])).toEqual(['put'])
})

it('there are some 300 terms of the trade', async () => {
  expect((await readTerms()).length).toBeGreaterThan(300)
})
