import { describe, expect, it } from 'vitest'
import { browserOf, browserText, findingsOf, isKnownToWork, isReady } from './rehearsal.ts'

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'

describe('the browser check reads a user agent', () => {
  it.each([
    [CHROME, 'Chrome 131', true],
    [`${CHROME} Edg/131.0.2903.51`, 'Edge 131', true],
    ['Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox 140', true],
    ['Mozilla/5.0 (Windows NT 10.0; rv:115.0) Gecko/20100101 Firefox/115.0', 'Firefox 115', false],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1',
      'Safari 17',
      true,
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1',
      'Chrome 131',
      true,
    ],
    ['Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2)', 'Unknown browser', false],
    ['Firefox/99999999999999999999', 'Firefox', false],
    ['', 'Unknown browser', false],
  ])('%s as %s, supported: %s', (agent, text, isKnown) => {
    const browser = browserOf(agent)
    expect(browserText(browser)).toBe(text)
    expect(isKnownToWork(browser)).toBe(isKnown)
  })
})

describe('the findings of a rehearsal', () => {
  const WELL = {
    clockOffsetMs: 900,
    roundTripMs: 40,
    hasSurvivedLoss: true,
    hasFullscreen: true,
    hasStorage: true,
    screenWidth: 1440,
    screenHeight: 900,
  }
  it.each([
    ['a good device', {}, [], true],
    ['a clock two minutes ahead', { clockOffsetMs: 120_000 }, [], true],
    ['a clock further ahead', { clockOffsetMs: 120_001 }, ['clock'], false],
    ['a clock far behind', { clockOffsetMs: -3_600_000 }, ['clock'], false],
    ['a call that takes 1.5 s', { roundTripMs: 1_500 }, [], true],
    ['slower calls', { roundTripMs: 1_501 }, ['slow'], false],
    ['a lost answer', { hasSurvivedLoss: false }, ['connection'], false],
    ['a browser that stores nothing', { hasStorage: false }, ['storage'], false],
    ['a phone', { screenWidth: 390, screenHeight: 844 }, ['phone'], true],
    ['a phone in landscape', { screenWidth: 844, screenHeight: 390 }, ['phone'], true],
    ['an iPhone', { screenWidth: 390, hasFullscreen: false }, ['phone', 'no_fullscreen'], true],
    [
      'several problems',
      { screenWidth: 390, roundTripMs: 9_000, hasStorage: false },
      ['slow', 'storage', 'phone'],
      false,
    ],
  ] as const)('are right for %s', (_, change, findings, ready) => {
    const found = findingsOf({ ...WELL, ...change }, browserOf(CHROME))
    expect(found).toEqual(findings)
    expect(isReady(found)).toBe(ready)
  })
})
