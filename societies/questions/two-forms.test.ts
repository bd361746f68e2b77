import { describe, expect, it } from 'vitest'
import {
  countForms,
  describeFormHint,
  describeForms,
  type Form,
  hintsOfForms,
  numbersOn,
} from './two-forms.ts'

const placed = (forms: string, topics = '') =>
  [...forms].map((form, at) => ({
    form: form === '-' ? null : (form as Form),
    topic: topics[at] && topics[at] !== '-' ? topics[at] : null,
  }))

describe('two forms of a test', () => {
  it('are counted together with their common questions', () => {
    expect(countForms(placed('----'))).toBeNull()
    expect(countForms(placed('--AAB'))).toEqual({ A: 4, B: 3, common: 2 })
    expect(describeForms(countForms(placed('--AB')))).toBe(
      'Two forms of 3 questions, 2 in common, dealt at random',
    )
    expect(describeForms(null)).toBeNull()
  })

  it('number their questions separately', () => {
    expect(numbersOn('A', placed('-AB-'))).toEqual([1, 2, null, 3])
    expect(numbersOn('B', placed('-AB-'))).toEqual([1, null, 2, 3])
    expect(numbersOn(null, placed('-AB-'))).toEqual([1, 2, 3, 4])
  })

  it.each<[string, string, string, string[]]>([
    ['one form', '--------', '', []],
    ['eight in common of thirty', `${'-'.repeat(8)}${'AB'.repeat(22)}`, '', []],
    ['seven in common', `${'-'.repeat(7)}AB`, '', ['few_common']],
    ['eight in common of fifty', `${'-'.repeat(8)}${'AB'.repeat(42)}`, '', ['few_common']],
    ['a topic without one in common', '--------AB', 'xxxxxxxxxy', ['topics_missing']],
    ['none in common', 'AB', 'xy', ['few_common']],
  ])('have the right hints with %s', (_, forms, topics, hints) => {
    expect(hintsOfForms(placed(forms, topics)).map(({ hint }) => hint)).toEqual(hints)
  })

  it('report the difficulty of common questions when it is known', () => {
    const questions = placed(`${'-'.repeat(8)}AB`)
    const known = new Set(questions.slice(0, 3))
    const hints = (isKnown: (one: (typeof questions)[number]) => boolean) =>
      hintsOfForms(questions, isKnown).map(describeFormHint)
    expect(hints(() => true)).toEqual([])
    expect(hints((one) => known.has(one))).toEqual([
      'How hard 5 of the 8 common questions are is not known: nobody was asked them before.',
    ])
    expect(hints(() => false)).toEqual([
      'How hard the common questions are is not known: none was asked before.',
    ])
  })
})
