import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { GUEST_DAYS, RECOVERY_IN_WORDS, readYearOfStudies } from './limits.ts'
import { placeInside } from './place-inside.ts'

it.each([
  ['', null],
  ['  ', null],
  ['1', 1],
  ['9', 9],
  ['10', 10],
  [' 3 ', 3],
  ['0', undefined],
  ['11', undefined],
  ['-1', undefined],
  ['2.5', undefined],
  ['01', undefined],
  ['1e0', undefined],
  ['second', undefined],
])("'%s' as year of studies is %s", (text, year) => {
  expect(readYearOfStudies(text)).toBe(year)
})

const ORIGIN = 'https://superday.example'

describe('the page to open after sign-in', () => {
  it.each([
    ['/organise/PCF/team?tab=log#last', '/organise/PCF/team?tab=log#last'],
    ['/personal-hub', '/personal-hub'],
    ['/a/../dashboard', '/dashboard'],
    ['/%2f%2fevil.example', '/%2f%2fevil.example'],
  ])('for %s is %s', (next, place) => expect(placeInside(next, ORIGIN)).toBe(place))

  it.each([
    ...[null, '', 'dashboard', 'https://evil.example/', '//evil.example', '/\\evil.example'],
    ...['/\t/evil.example', '\n//evil.example', '/\\\\evil.example', '/.//evil.example'],
    ...['javascript:alert(1)', '/a/..//evil.example', 'https://superday.example/dashboard'],
    ...['/second-factor?next=/dashboard', '/auth', '//'],
  ])('rejects %j', (next) => expect(placeInside(next, ORIGIN)).toBeNull())
})

// The terms that people accept must match the rules (product 8.7.4).
it.each([
  ['terms', `Guests that have not been used for ${GUEST_DAYS} days`],
  ['privacy', `Guests that have not been used for ${GUEST_DAYS} days`],
  ['privacy', `A recovery link works for ${RECOVERY_IN_WORDS}`],
])('the %s state: %s', async (page, sentence) => {
  const text = await readFile(new URL(`../content/pages/${page}.yaml`, import.meta.url), 'utf8')
  expect(text.replace(/\s+/g, ' ')).toContain(sentence)
})
