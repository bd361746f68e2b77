import { expect, it } from 'vitest'
import { readPastedAddresses } from './pasted-addresses.ts'

it.each([
  ['', [], []],
  ['ana@uni.example', ['ana@uni.example'], []],
  [
    'Ana Moura <Ana@Uni.example>; Ben <ben@uni.example>;',
    ['ana@uni.example', 'ben@uni.example'],
    [],
  ],
  ['"Moura, Ana" <ana@uni.example>, ben@uni.example', ['ana@uni.example', 'ben@uni.example'], []],
  [
    'ana@uni.example\r\nben@uni.example\nANA@uni.example',
    ['ana@uni.example', 'ben@uni.example'],
    [],
  ],
  ['mailto:ana@uni.example.', ['ana@uni.example'], []],
  ['ana@uni.example; Ben Aalto', ['ana@uni.example'], ['Ben Aalto']],
  ['ana@uni; carla@uni.example', ['carla@uni.example'], ['ana@uni']],
])('pasted mail addresses are read from %j', (text, emails, unread) => {
  expect(readPastedAddresses(text)).toEqual({ emails, unread })
})
