/** @module-tag full */
import { beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../platform/database/transaction.ts'
import { DAY, findingsIn, unmonitoredWords } from '../../tests/rig/assessment-rig.ts'
import { lateIn } from '../../tests/rig/organizer-rig.ts'
import { useRig } from '../../tests/rig/rig.ts'
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
// The demo season takes place in March.
const NOW = new Date('2026-11-22T09:00:00Z')

beforeAll(async () => {
  rig.clock.now = NOW
  await loadSamples(rig.db, NOW)
})

describe('the demo season', () => {
  it('is loaded once when several nodes start at the same time', async () => {
    const starts = await Promise.all([1, 2, 3].map(() => loadDemoSeason(rig.db, NOW)))
    expect(starts.sort()).toEqual([false, false, true])
    const count = async () => await rig.sql`select count(*)::int from attempt_events`
    const before = await count()
    expect(await loadDemoSeason(rig.db, NOW)).toBe(false)
    expect(await count()).toEqual(before)
  })

  it('has a log of its fictional people, in order', async () => {
    const [log] = await rig.sql`
      select bool_and(actor like '%(invented)') as "areInvented", bool_and(at >= before) as "isInOrder",
        count(distinct action) filter (where assessment = ${DEMO_SEASON})::int as actions
      from (select *, coalesce(lag(at) over (order by id), at) as before from admin_actions
        where assessment = any (${[DEMO_SEASON, DEMO_AFTERNOON]})) one`
    expect(log).toEqual({ areInvented: true, isInOrder: true, actions: 6 })
  })

  it('is over, with three absent candidates; a sample has a list of candidates who haven’t started', async () => {
    const all = await rig.sql`
       select a.code, a.season, count(c.id)::int as listed, count(t.submitted_at)::int as submitted
       from assessments a left join candidates c on c.assessment = a.code
         left join attempts t on t.candidate_id = c.id
       group by a.code order by a.code`
    expect(all.map((row) => Object.values(row))).toEqual([
      [DEMO_SEASON, 'Spring 2026', 63, 60],
      [DEMO_AFTERNOON, 'Spring 2026', 20, 20],
      ['ESFS_AFTERNOON', null, 0, 0],
      ['ESFS_MORNING', null, 12, 0],
      ['PCF', null, 0, 0],
    ])
    expect(unmonitoredWords(await findingsIn(rig.db.$client, DEMO_SEASON))).toEqual([])
    const rows = await rig.sql`select from candidates
      where name not like '%(invented)' or email not like '%@demo.superday.example'`
    expect(rows).toEqual([])
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
    await rig.sql`update assessments set content_hash = 'old' where code = any (${codes})`
    expect(await loadSamples(rig.db, NOW)).toEqual({ loaded: codes, kept: [] })
    const rows = await rig.sql`
      select count(*)::int from candidates where assessment = 'ESFS_MORNING' and not is_demo`
    expect(rows).toEqual([{ count: 12 }])
  })
})

it('the demo season is of the previous year until March is over', async () => {
  await rig.sql`delete from attempts`
  await rig.sql`delete from assessments where code = any (${[DEMO_SEASON, DEMO_AFTERNOON]})`
  expect(await loadDemoSeason(rig.db, DAY)).toBe(true)
  const rows = await rig.sql`
    select season, closes_at < ${DAY} as over from assessments where code = ${DEMO_SEASON}`
  expect(rows).toEqual([{ season: 'Spring 2025', over: true }])
})
