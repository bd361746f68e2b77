import { describe, expect, it } from 'vitest'
import { countForms, describeForms, type Form, numbersOn } from './two-forms.ts'

const placed = (forms: string) =>
  [...forms].map((form) => ({ form: form === '-' ? null : (form as Form) }))

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
})
