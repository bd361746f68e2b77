import { describe, expect, it } from 'vitest'
import { isPage, mayRecord, URL_PATTERNS, URLS } from '../../../platform/urls.ts'
import { isQuiet, personOf, type Source, sourceOf } from './from-cache.ts'

const ORIGIN = 'https://superday.example'
const FILES = new Set(['/assets/index-abc.js', '/before-paint.js'])
const ask = (path: string, mode = 'cors', method = 'GET') =>
  sourceOf({ method, mode, url: new URL(path, ORIGIN).href }, ORIGIN, FILES)

describe('a page from the cache', () => {
  const PAGES: [path: string, source: Source][] = [
    ['/dashboard', 'page'],
    ['/dashboard?from=icon', 'page'],
    ['/tests/None/Intern', 'page'],
    ['/quiz/Valuation%20%26%20Corporate%20Finance/Intern/1', 'page'],
    ['/due', 'page'],
    ['/due/done', 'page'],
    ['/drills/80-in-8', 'page'],
    ['/cases/a-case', 'page'],
    ['/personal-hub', 'page'],
    ['/recruitment-resources', 'page'],
    ['/aloud', 'recording-page'],
    ['/aloud/walk-me-through-a-dcf', 'recording-page'],
    ['/', 'network'],
    ['/auth', 'network'],
    ['/auth?recovery=x', 'network'],
    ['/second-factor?next=/dashboard', 'network'],
    ['/confirm-email', 'network'],
    ['/stop-reminders', 'network'],
    ['/recruitment', 'network'],
    ['/recruitment/', 'network'],
    ['/recruitment/instructions', 'network'],
    ['/recruitment/test', 'network'],
    ['/recruitment/rehearsal', 'network'],
    ['/%72ecruitment', 'network'],
    ['/dashboard/../recruitment/test', 'network'],
    ['/organise', 'network'],
    ['/organise/s1/assessments/ESFS/live', 'network'],
    ['/fairness/card', 'network'],
    ['/nothing', 'network'],
    ['/sw.js', 'network'],
    ['/api/openapi.json', 'network'],
    ['/templates/cv-template.pdf', 'network'],
    ['/assets/index-abc.js', 'network'],
  ]
  it.each(PAGES)('%s: %s', (path, source) => {
    expect(ask(path, 'navigate')).toBe(source)
  })

  it('is never one of a society or of signing in, whatever its address', () => {
    const all = [...Object.values(URLS), ...Object.values(URL_PATTERNS)].map((path) =>
      path.replaceAll(/:\w+/g, 'x'),
    )
    const kept = all.filter((path) => ask(path, 'navigate') !== 'network')
    expect(kept.every(isPage)).toBe(true)
    expect(kept.filter((path) => /recruitment\/|organis|fairness|auth|factor/.test(path))).toEqual(
      [],
    )
    expect(kept).not.toContain(URLS.recruitment)
    // Served with the same headers as by the server (product 3.13.10).
    for (const path of kept)
      expect(ask(path, 'navigate') === 'recording-page').toBe(mayRecord(path))
  })
})

describe('the cache rule for a call', () => {
  const CALLS: [path: string, source: Source][] = [
    ['/assets/index-abc.js', 'file'],
    ['/before-paint.js', 'file'],
    ['/assets/of-the-console.js', 'network'],
    ['/api/questions?category=x&difficulty=Intern', 'content'],
    ['/api/questions/counts', 'content'],
    ['/api/questions/topics?category=x', 'content'],
    ['/api/practice/due?timeZone=UTC&day=2026-03-02', 'own'],
    ['/api/practice/today', 'own'],
    ['/api/practice/aloud/walk-me-through-a-dcf', 'own'],
    ['/api/practice/cases', 'own'],
    ['/api/results?category=x', 'own'],
    ['/api/progress', 'own'],
    ['/api/practice/reminders', 'network'],
    ['/api/practicebook', 'network'],
    ['/api/daily', 'network'],
    ['/api/profile', 'network'],
    ['/api/profile/export', 'network'],
    ['/auth/v1/user', 'network'],
    ['/auth/v1/token', 'network'],
    ['https://elsewhere.example/api/progress', 'network'],
  ]
  it.each(CALLS)('%s: %s', (path, source) => {
    expect(ask(path)).toBe(source)
  })

  it('never answers a call that changes something', () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'HEAD']) {
      for (const [path] of CALLS) expect(ask(path, 'cors', method)).toBe('network')
    }
  })

  it('sends every call of a society, an assessment, an account or the brainteaser to the server', () => {
    const contracts = import.meta.glob<Record<string, { path?: string; method?: string }>>(
      [
        '../../../{assessments,accounts,daily,pages}/contract.ts',
        '../../../societies/*/contract*.ts',
      ],
      { eager: true },
    )
    const sources = Object.values(contracts)
      .flatMap((contract) => Object.values(contract))
      .flatMap(({ path, method }) =>
        typeof path === 'string' ? [ask(path.replaceAll(/:\w+/g, 'x'), 'cors', method)] : [],
      )
    expect(sources.length).toBeGreaterThan(60)
    expect(new Set(sources)).toEqual(new Set(['network']))
  })
})

describe('the owner of a cached answer', () => {
  const token = (payload: unknown) =>
    `Bearer h.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.s`
  const ID = '01234567-89ab-cdef-0123-456789abcdef'

  it.each([
    ['a token', token({ sub: ID, name: '÷ÿ>' }), ID],
    ['no header', null, null],
    ['a malformed token', 'Bearer h.x', null],
    ['a token without a subject', token({}), null],
    ['a token with an odd subject', token({ sub: '../shell' }), null],
  ])('is read from %s', (_, authorization, person) => {
    expect(personOf(authorization)).toBe(person)
  })
})

describe('the offer of a new version', () => {
  it.each([
    ['/dashboard', true],
    ['/tests/None/Intern', true],
    ['/results/None/Intern/1', true],
    ['/drills', true],
    ['/due/done', true],
    ['/quiz', false],
    ['/quiz/None/Intern/1', false],
    ['/due', false],
    ['/drills/80-in-8', false],
    ['/cases/a-case', false],
    ['/aloud/walk-me-through-a-dcf', false],
    ['/recruitment', false],
    ['/recruitment/test', false],
    ['/organise/s1/assessments/ESFS/live', false],
    ['/error-practice/None/Intern', false],
    ['/a-screen-of-tomorrow', false],
  ])('on the page %s appears: %s', (path, isOffered) => {
    expect(isQuiet(path)).toBe(isOffered)
  })
})
