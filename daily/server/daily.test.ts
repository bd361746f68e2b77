import { sql } from 'drizzle-orm'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { OPTION_LETTERS } from '../../platform/options.ts'
import { readSlips } from '../../practice/server/slips-store.ts'
import { signUp, useRig } from '../../tests/rig/rig.ts'
import { getDaily, getDailyWeek, isPlayable } from '../contract.ts'
import {
  exportDaily,
  formatShortDate,
  importDaily,
  loadBrainteasers,
  parseShortDate,
  readBrainteasers,
} from './brainteasers.ts'

const rig = useRig()
beforeAll(() => loadBrainteasers(rig.db))
beforeEach(() => {
  rig.clock.now = new Date('2026-03-04T12:00:00Z')
})
afterEach(async () => {
  await rig.db.execute(sql`delete from daily_results`)
  await rig.db.execute(sql`delete from daily_brainteasers`)
})

const read = (token: string, timeZone = 'Europe/Lisbon', date?: string) =>
  rig.call('GET', `/api/daily?timeZone=${timeZone}${date ? `&date=${date}` : ''}`, { token })
const answer = (token: string, body: object) =>
  rig.call('POST', '/api/daily/answer', {
    token,
    body: { selectedOption: 'A', timeTakenSeconds: 12, timeZone: 'Europe/Lisbon', ...body },
  })
const streakOf = async (token: string, timeZone = 'Europe/Lisbon') =>
  (await rig.call('GET', `/api/streak?timeZone=${timeZone}`, { token })).body.currentStreak

describe('the daily brainteaser', () => {
  it('is the first of the bank on the first day and keeps its date', async () => {
    const [{ token }, other] = [await signUp(rig), await signUp(rig)]
    const [first, second] = await readBrainteasers()
    const { body } = await read(token)
    expect(getDaily.response.parse(body)).toEqual({
      date: '2026-03-04',
      statement: first?.statement,
      options: first?.options,
      result: null,
    })
    expect((await read(other.token)).body).toEqual(body)
    expect((await read(token, 'Europe/Lisbon', '2026-03-03')).body.statement).toBe(
      second?.statement,
    )
  })

  it('hides its key and explanation until it is answered', async () => {
    const { token } = await signUp(rig)
    const [first] = await readBrainteasers()
    const before = await read(token)
    expect(JSON.stringify(before.body)).not.toContain(first?.explanation.slice(0, 20))
    expect(JSON.stringify(before.body)).not.toMatch(/correct|explanation/i)
    const { status, body } = await answer(token, { selectedOption: first?.answer })
    expect([status, body]).toEqual([
      201,
      {
        selectedOption: first?.answer,
        correctOption: first?.answer,
        wasCorrect: true,
        explanation: first?.explanation,
        mistake: null,
      },
    ])
    expect((await read(token)).body.result).toEqual(body)
  })

  it('explains the mistake behind the chosen wrong answer only', async () => {
    const { token } = await signUp(rig)
    const [first] = await readBrainteasers()
    const slips = await readSlips()
    const wrong = OPTION_LETTERS.find((letter) => letter !== first?.answer) ?? 'A'
    const before = await read(token)
    expect(JSON.stringify(before.body)).not.toMatch(/mistake|sentence/)
    const { body } = await answer(token, { selectedOption: wrong })
    const name = slips.get(first?.slips[wrong] ?? '')?.name
    expect(name).toBeTruthy()
    expect(body.mistake).toEqual({ name, sentence: first?.why[wrong] })
    expect((await read(token)).body.result).toEqual(body)
  })

  it('accepts only the first answer, even if several arrive at the same time', async () => {
    const { token, userId } = await signUp(rig)
    await read(token)
    const answers = await Promise.all(
      ['A', 'B', 'C', 'D', 'A'].map((selectedOption) => answer(token, { selectedOption })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201])
    expect(new Set(answers.map(({ body }) => body.selectedOption)).size).toBe(1)
    const { rows } = await rig.db.execute(
      sql`select 1 from daily_results where user_id = ${userId}`,
    )
    expect(rows).toHaveLength(1)
  })

  it('shows the last seven days of the signed-in person only', async () => {
    const [{ token }, other] = [await signUp(rig), await signUp(rig)]
    const [, second] = await readBrainteasers()
    await read(token)
    await read(token, 'Europe/Lisbon', '2026-03-03')
    await answer(token, { date: '2026-03-03', selectedOption: second?.answer })
    await answer(token, { selectedOption: 'A' })
    await answer(other.token, { date: '2026-03-01' })
    const { body } = await rig.call('GET', '/api/daily/week?timeZone=Europe/Lisbon', { token })
    expect(getDailyWeek.response.parse(body).map((day) => [day.date, day.wasCorrect])).toEqual([
      ['2026-02-25', null],
      ['2026-02-26', null],
      ['2026-02-27', null],
      ['2026-02-28', null],
      ['2026-03-01', null],
      ['2026-03-02', null],
      ['2026-03-03', true],
    ])
  })

  it('counts for the streak on its own day only', async () => {
    const { token } = await signUp(rig)
    await answer(token, { date: '2026-03-01' })
    expect(await streakOf(token)).toBe(0)
    await answer(token, {})
    expect(await streakOf(token)).toBe(1)
    await answer(token, { selectedOption: 'B' })
    expect(await streakOf(token)).toBe(1)
  })

  it.each([
    ['Pacific/Auckland', '2026-03-04T10:59:00Z', '2026-03-04'],
    ['Pacific/Auckland', '2026-03-04T11:01:00Z', '2026-03-05'],
    ['Europe/Lisbon', '2026-03-04T23:59:00Z', '2026-03-04'],
    ['Europe/Lisbon', '2026-03-05T00:01:00Z', '2026-03-05'],
    ['America/Los_Angeles', '2026-03-05T07:59:00Z', '2026-03-04'],
    ['America/Los_Angeles', '2026-03-05T08:01:00Z', '2026-03-05'],
  ])('in %s at %s is that of %s', async (timeZone, at, date) => {
    rig.clock.now = new Date(at)
    const { token } = await signUp(rig)
    expect((await read(token, timeZone)).body.date).toBe(date)
    await answer(token, { timeZone })
    expect(await streakOf(token, timeZone)).toBe(1)
    const { rows } = await rig.db.execute<{ date: string }>(
      sql`select date::text from daily_results`,
    )
    expect(rows).toEqual([{ date }])
  })

  it.each([
    ['tomorrow', '2026-03-05', 400],
    ['today', '2026-03-04', 200],
    ['seven days ago', '2026-02-25', 200],
    ['eight days ago', '2026-02-24', 400],
    ['an invalid day', '2026-02-30', 400],
  ])('can be opened for today and seven days back only: %s', async (_, date, status) => {
    const { token } = await signUp(rig)
    const answered = await read(token, 'Europe/Lisbon', date)
    expect(answered.status).toBe(status)
  })

  it('is null with an empty bank, and answering it is 404', async () => {
    const { token } = await signUp(rig)
    await rig.db.execute(sql`update brainteasers set retired = true`)
    expect((await read(token)).body).toBeNull()
    expect((await answer(token, {})).status).toBe(404)
    await loadBrainteasers(rig.db)
  })

  it('is assigned once per date, in order, when several nodes assign at once', async () => {
    const { token } = await signUp(rig)
    const dates = ['2026-03-04', '2026-03-03', '2026-03-02', '2026-03-01', '2026-02-28']
    const dealt = await Promise.all(
      [...dates, ...dates].map((date) => read(token, 'Europe/Lisbon', date)),
    )
    expect(new Set(dealt.map(({ body }) => body.statement)).size).toBe(dates.length)
    const { rows } = await rig.db.execute<{ id: number }>(
      sql`select brainteaser_id as id from daily_brainteasers order by 1`,
    )
    expect(rows.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5])
  })

  it.each([
    ['option E', { selectedOption: 'E' }],
    ['a negative time', { timeTakenSeconds: -1 }],
    ['an extra field', { wasCorrect: true }],
    ['an unknown time zone', { timeZone: 'Mars/Olympus' }],
  ])('refuses %s', async (_, body) => {
    const { token } = await signUp(rig)
    expect((await answer(token, body)).status).toBe(400)
  })
})

describe('scheduling brainteasers by CSV', () => {
  const HEADER = 'Date,Statement,A,B,C,D,Correct,Explanation'

  it.each([
    ['2026-03-05', '5/3/26'],
    ['2026-12-31', '31/12/26'],
    ['2028-02-29', '29/2/28'],
  ])('%s is formatted as %s', (date, text) => {
    expect(formatShortDate(date)).toBe(text)
    expect(parseShortDate(text)).toBe(date)
  })

  it.each(['05/3/26', '5/03/26', '5/3/2026', '31/2/26', '0/3/26', '5-3-26', ''])(
    'rejects the date %j',
    (text) => {
      expect(parseShortDate(text)).toBeNull()
    },
  )

  it('puts a brainteaser on its date, exports it, and refuses it a second time', async () => {
    const csv = `${HEADER}\n5/3/26,"Which, if any?",one,two,three,four,C,Because.\n`
    expect(await importDaily(rig.db, csv, rig.clock.now)).toBe(1)
    rig.clock.now = new Date('2026-03-05T09:00:00Z')
    const { token } = await signUp(rig)
    expect((await read(token)).body.statement).toBe('Which, if any?')
    // Excel on Windows recognizes UTF-8 by this mark.
    expect(await exportDaily(rig.db)).toBe(`\ufeff${csv}`)
    await expect(importDaily(rig.db, csv, rig.clock.now)).rejects.toThrow(
      /5\/3\/26 already has a brainteaser/,
    )
  })

  it('reports every problem with its line and schedules nothing', async () => {
    const csv = [
      HEADER,
      '5/3/26,Q?,one,two,three,four,C,',
      '05/3/26,,one,one,three,four,E,',
      '5/3/26,Q?,one,two,three,four,C,',
    ].join('\n')
    const error = await importDaily(rig.db, csv, rig.clock.now).catch((caught) => caught)
    expect(error.problems).toEqual([
      "line 3: '05/3/26' is not a date such as 5/3/27",
      'line 3: Statement is empty',
      'line 3: two options are the same',
      "line 3: Correct 'E' is not A, B, C or D",
      'line 4: 5/3/26 is also on line 2',
    ])
    const { rows } = await rig.db.execute(sql`select 1 from daily_brainteasers`)
    expect(rows).toHaveLength(0)
  })
})

it.each([
  ['2026-03-09', false],
  ['2026-03-08', true],
  ['2026-03-07', true],
  ['2026-03-01', true],
  ['2026-02-28', false],
  ['2025-03-08', false],
])('on 8 March 2026 the brainteaser of %s can be played: %s', (date, playable) => {
  expect(isPlayable(date, '2026-03-08')).toBe(playable)
})
