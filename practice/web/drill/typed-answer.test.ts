import { expect, it } from 'vitest'
import { LONGEST_ANSWER } from '../../drill/fraction.ts'
import { mayBeTyped } from './typed-answer.tsx'

it.each(['', '12', '-3', '−3', '1/2', '-1/2', '0.5', '0,5'])(
  'a drill accepts "%s" as it is typed',
  (text) => {
    expect(mayBeTyped(text)).toBe(true)
  },
)

it.each(['x7', '1 2', '5%', '+1', '1'.repeat(LONGEST_ANSWER + 1)])(
  'a drill does not accept "%s"',
  (text) => {
    expect(mayBeTyped(text)).toBe(false)
  },
)
