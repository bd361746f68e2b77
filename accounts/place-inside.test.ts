import { describe, expect, it } from 'vitest'
import { placeInside } from './place-inside.ts'

const ORIGIN = 'https://superday.example'

describe('the page to open after sign-in', () => {
  it.each([
    ['/organise/PCF/team?tab=log#last', '/organise/PCF/team?tab=log#last'],
    ['/personal-hub', '/personal-hub'],
    ['/a/../dashboard', '/dashboard'],
    ['/%2f%2fevil.example', '/%2f%2fevil.example'],
  ])('takes %s and opens %s', (next, place) => expect(placeInside(next, ORIGIN)).toBe(place))

  it.each([
    ...[null, '', 'dashboard', 'https://evil.example/', '//evil.example', '/\\evil.example'],
    ...['/\t/evil.example', '\n//evil.example', '/\\\\evil.example', '/.//evil.example'],
    ...['javascript:alert(1)', '/a/..//evil.example', 'https://superday.example/dashboard'],
    ...['/second-factor?next=/dashboard', '/auth', '//'],
  ])('rejects %j', (next) => expect(placeInside(next, ORIGIN)).toBeNull())
})
