/** @module-tag full */
import { beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../platform/database/transaction.ts'
import { DAY, findingsIn, unmonitoredWords } from '../../tests/rig/assessment-rig.ts'
import { lateIn, resultsIn } from '../../tests/rig/organiser-rig.ts'
import { useRig } from '../../tests/rig/rig.ts'
import { readAnswerTable } from '../incidents/server/answer-table.ts'
import { companyOf, presencesOf } from '../incidents/server/list.ts'
import { readIncidents } from '../incidents/server/read-incidents.ts'
import {
  DEMO_AFTERNOON,
  DEMO_SEASON,
  loadDemoSeason,
  loadSamples,
  requireNoDemoData,
  resetDemoCandidates,
} from './demo.ts'

const rig = useRig()
// The day of the season lies in March.
const NOW = new Date('2026-11-22T09:00:00Z')

const mean = (numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length

beforeAll(async () => {
  rig.clock.now = NOW
  await loadSamples(rig.db, NOW)
})

describe('the demo season', () => {
  it('is loaded once when several nodes start at the same time', async () => {
    const starts = await Promise.all([1, 2, 3].map(() => loadDemoSeason(rig.db, NOW)))
    expect(starts.sort()).toEqual([false, false, true])
    const count = async () =>
      (await rig.db.$client.query('select count(*)::int from attempt_events')).rows
    const before = await count()
    expect(await loadDemoSeason(rig.db, NOW)).toBe(false)
    expect(await count()).toEqual(before)
  })

  it('has a log of its invented people, in its order', async () => {
    const { rows } = await rig.db.$client.query<{ actor: string; action: string; count: number }>(
      `select action, count(*)::int as count, bool_and(actor like '%(invented)') as "areInvented"
       from admin_actions where assessment = $1 group by 1 order by 1`,
      [DEMO_SEASON],
    )
    expect(rows).toEqual(
      [
        ['add-candidates', 1],
        ['decide-incident', 6],
        ['report-incident', 2],
        ['save-question', 1],
        ['set-line', 1],
        ['take-strikes-back', 2],
      ].map(([action, count]) => ({ action, count, areInvented: true })),
    )
    const { rows: order } = await rig.db.$client.query<{ isInOrder: boolean }>(
      `select bool_and(at >= before) as "isInOrder" from (
         select at, coalesce(lag(at) over (order by id), at) as before from admin_actions
         where assessment = any ($1)
       ) one`,
      [[DEMO_SEASON, DEMO_AFTERNOON]],
    )
    expect(order).toEqual([{ isInOrder: true }])
  })

  it('is over, with three absent candidates; a sample has a list that waits', async () => {
    const { rows: all } = await rig.db.$client.query(
      `select a.code, a.season, count(c.id)::int as listed, count(t.submitted_at)::int as submitted
       from assessments a left join candidates c on c.assessment = a.code
         left join attempts t on t.candidate_id = c.id
       group by a.code order by a.code`,
    )
    expect(all.map((row) => Object.values(row))).toEqual([
      [DEMO_SEASON, 'Spring 2026', 63, 60],
      [DEMO_AFTERNOON, 'Spring 2026', 20, 20],
      ['ESFS_AFTERNOON', null, 0, 0],
      ['ESFS_MORNING', null, 12, 0],
      ['PCF', null, 0, 0],
    ])
    const { rows: attempts } = await rig.db.$client.query(
      `select a.submit_reason as reason, attempt_strikes(a.id) as strikes, c.extra_seconds as extra
       from attempts a join candidates c on c.id = a.candidate_id where a.assessment = $1`,
      [DEMO_SEASON],
    )
    expect(attempts.filter(({ extra }) => extra > 0)).toHaveLength(2)
    expect(attempts.filter(({ reason }) => reason === 'violations')).toMatchObject([{ strikes: 3 }])
    expect(unmonitoredWords(await findingsIn(rig.db.$client, DEMO_SEASON))).toEqual([])
    const strikes = attempts.filter((one) => one.strikes > 0).length
    // Most of them by a fire alarm that nobody has decided about yet.
    expect(strikes).toBeGreaterThan(20)
    expect(strikes).toBeLessThan(35)
    const { rows } = await rig.db.$client.query(
      `select from candidates where name not like '%(invented)' or email not like '%@demo.superday.example'`,
    )
    expect(rows).toEqual([])
  })

  it('has results like those of a real test', async () => {
    const results = await resultsIn(rig, DEMO_SEASON)
    expect(results).toHaveLength(60)
    const scores = results.map(({ correct }) => correct / 30)
    expect(mean(scores)).toBeGreaterThan(0.45)
    expect(mean(scores)).toBeLessThan(0.7)
    const sd = Math.sqrt(mean(scores.map((score) => (score - mean(scores)) ** 2)))
    expect(sd).toBeGreaterThan(0.12)
    expect(sd).toBeLessThan(0.25)

    const { items, rows } = await readAnswerTable(rig.db.$client, DEMO_SEASON)
    const facilities = items.map(({ keys }, at) =>
      mean(rows.map(({ choices }) => (keys.some((key) => choices[at] === key) ? 1 : 0))),
    )
    expect(Math.min(...facilities)).toBeGreaterThan(0.1)
    expect(Math.max(...facilities)).toBeLessThan(0.99)
    // KR-20: questions that measure one thing.
    const variance = sd ** 2 * 900
    const kr20 = (30 / 29) * (1 - facilities.reduce((sum, p) => sum + p * (1 - p), 0) / variance)
    expect(kr20).toBeGreaterThan(0.7)
    expect(kr20).toBeLessThan(0.92)
  })

  it('has a fire alarm in one room, decisions, a report and comments', async () => {
    const candidates = await inTransaction(rig.db, (client) => readIncidents(client, DEMO_SEASON))
    const presences = presencesOf(candidates, NOW)
    const inAlarm = candidates.filter((one) =>
      one.incidents.some(
        ({ kind, at }) => kind === 'away' && companyOf(one, at.getTime(), presences).away > 12,
      ),
    )
    expect(inAlarm).toHaveLength(17)
    expect(new Set(inAlarm.map(({ room }) => room))).toEqual(new Set(['2.11']))
    const all = candidates.flatMap(({ incidents }) => incidents)
    const count = (fits: (one: (typeof all)[number]) => boolean) => all.filter(fits).length
    const verdictsOf = (word: string) =>
      count(({ verdicts }) => verdicts.some(({ verdict }) => verdict === word))
    expect([verdictsOf('upheld'), verdictsOf('cleared'), verdictsOf('needs_talk')]).toEqual([
      2, 3, 1,
    ])
    expect(count(({ kind }) => kind === 'offline')).toBe(3)
    expect(count(({ kind, asks }) => kind === 'take_over' && asks)).toBe(1)
    expect(count(({ report }) => report?.candidateId != null)).toBe(1)
  })

  it('has one late answer that was chosen in time', async () => {
    expect(await lateIn(rig, DEMO_SEASON)).toMatchObject([
      { isInTime: true, isOutdated: false, isOpen: false },
    ])
  })

  it('is refused in production, gets no demo candidate, and lets samples be replaced', async () => {
    const secrets = { secretKey: rig.dependencies.secretKey, now: NOW }
    const codes = ['ESFS_AFTERNOON', 'ESFS_MORNING', 'PCF']
    const demos = await resetDemoCandidates(rig.db, secrets)
    expect(demos.map(({ code }) => code)).toEqual(codes)
    const samples = [DEMO_SEASON, DEMO_AFTERNOON, ...codes].join(', ')
    await expect(requireNoDemoData(rig.db)).rejects.toThrow(`can read: ${samples}.`)
    await rig.db.$client.query(
      `update assessments set content_hash = 'old' where code = any ($1)`,
      [codes],
    )
    expect(await loadSamples(rig.db, NOW)).toEqual({ loaded: codes, kept: [] })
    const { rows } = await rig.db.$client.query(
      `select count(*)::int from candidates where assessment = 'ESFS_MORNING' and not is_demo`,
    )
    expect(rows).toEqual([{ count: 12 }])
  })
})

it('the demo season is of the previous year until March is over', async () => {
  await rig.db.$client.query('delete from attempts')
  await rig.db.$client.query('delete from assessments where code = any ($1)', [
    [DEMO_SEASON, DEMO_AFTERNOON],
  ])
  expect(await loadDemoSeason(rig.db, DAY)).toBe(true)
  const { rows } = await rig.db.$client.query(
    'select season, closes_at < $2 as over from assessments where code = $1',
    [DEMO_SEASON, DAY],
  )
  expect(rows).toEqual([{ season: 'Spring 2025', over: true }])
})
