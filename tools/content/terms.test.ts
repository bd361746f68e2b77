import { expect, it } from 'vitest'
import { readTerms, termsWithout } from './terms.ts'

const term = (name: string) => ({
  term: name,
  line: 'What it means, in one line.',
  asked: 'options',
})

it('the term search finds a term across line breaks, at the start of a word only', () => {
  const texts = ['The puts\nexpire.', 'A locked\n  box, and an output gap.']
  const terms = ['put', 'locked box', 'gap', 'utp', 'box,'].map(term)
  expect(termsWithout(terms, texts)).toEqual(['utp'])
  expect(termsWithout([term('put')], ['the output'])).toEqual(['put'])
})

it('the glossary has about 300 terms', async () => {
  expect((await readTerms()).length).toBeGreaterThan(300)
})
