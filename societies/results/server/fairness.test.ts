import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { DAY } from '../../../tests/rig/assessment-rig.ts'
import { watchLog } from '../../../tests/rig/auth-rig.ts'
import { closedSession, release } from '../../../tests/rig/fairness-rig.ts'
import { deleteAssessment, organizerOf } from '../../../tests/rig/organizer-rig.ts'
import { decide, reportIncident, valuesOf } from '../../../tests/rig/results-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { useSociety } from '../../../tests/rig/society-rig.ts'
import { treeOf, withoutNames } from './fairness.ts'

const LATER = new Date(DAY.getTime() + 3 * 86_400_000)
const rig = useRig({}, LATER)
watchLog(rig)
const { here, call } = useSociety(rig)

const test = (people: number) =>
  closedSession(rig, { societyId: here.id, season: 'Spring 2026', people })
const fairness = (method: string, code: string) => call(method, `/assessments/${code}/fairness`)
const preview = async (code: string) => (await fairness('GET', code)).body
const publish = (code: string) => fairness('POST', code)
const open = async (id: string) => (await rig.call('GET', `/api/fairness/${id}`)).body
const { sql } = rig

describe('a fairness report', () => {
  it('counts participants and says how accurate a score is', async () => {
    const { code } = await test(40)
    await sql`insert into result_lines (assessment, points, version, changed_by, changed_at, fixed_at, fixed_by)
       values (${code}, 6, 1, 'ana', ${DAY}, ${DAY}, 'ana')`
    const { content, ...rest } = await preview(code)
    expect(rest).toEqual({ obstacle: null, isReleased: false, published: null })
    expect(content).toMatchObject({
      ...{ society: 'Finance Society', name: 'Spring 2026', took: 40, invited: 40 },
      ...{ questions: 12, minutes: 20, firstDay: '2026-03-02', lastDay: '2026-03-02' },
      cutScore: { points: 6, lockedAt: DAY.toISOString(), isBeforeNames: true },
      ...{ rulings: [], deletedOn: '2027-03-02' },
    })
    const { margin, near } = content.accuracy
    expect(margin).toBeGreaterThanOrEqual(1)
    expect(content.cutScore.atOrAbove).toBeGreaterThan(0)
    expect(near).toBeGreaterThan(0)
    expect(near).toBeLessThanOrEqual(40)
    await sql`update attempts set is_demo = true where id = (select id from attempts
      where assessment = ${code} limit 1)`
    expect((await preview(code)).content.took).toBe(39)
  })

  it('has no statistics for fewer than fifteen candidates', async () => {
    const { code, rulingOn } = await test(14)
    await rulingOn(2, 'replace', 'It was moved.', 8)
    const { content } = await preview(code)
    expect(content).toMatchObject({ accuracy: null, cutScore: null })
    expect(content.rulings).toMatchObject([{ question: 3, changed: null, reason: 'It was moved.' }])
  })

  it('lists rulings in effect, with their reasons and effects', async () => {
    const { code, rulingOn } = await test(30)
    await rulingOn(6, 'replace', 'The options were rewritten after the check.', 25)
    const withdrawn = await rulingOn(1, 'void', 'It was two questions.', 0)
    await sql`update item_rulings set withdrawn_at = ${LATER}, withdrawn_by = 'ana'
      where id = ${withdrawn}`
    expect((await preview(code)).content.rulings).toEqual([
      {
        ...{ question: 7, kind: 'replace', changed: 25, isBeforeNames: true },
        reason: 'The options were rewritten after the check.',
      },
    ])
    // A ruling that follows a look at one name isn't blind, like a cut score.
    await sql`insert into admin_actions (assessment, actor, action, detail, at)
      values (${code}, 'ana', 'show-name', '{}', ${new Date(DAY.getTime() - 1)})`
    const [ruling] = (await preview(code)).content.rulings
    expect(ruling).toMatchObject({ question: 7, isBeforeNames: false })
  })

  it('counts incidents and extra time for all candidates', async () => {
    const { code, candidates, attempts } = await test(20)
    const [one, other] = candidates
    await decide(rig, one, 'away:1', 'cleared')
    await decide(rig, one, 'away:2', 'upheld')
    await reportIncident(rig, code, other)
    await decide(rig, other, await reportIncident(rig, code, other), 'needs_talk')
    await sql`update candidates set extra_seconds = 300 where id = any (${candidates.slice(0, 3)})`
    await sql`update attempts set incident_seconds = 300 where id = any (${attempts.slice(0, 2)})`
    await sql`insert into attempt_events
        (candidate_id, attempt_id, kind, is_violation, voided_at, void_reason, received_at)
      select (${candidates}::uuid[])[who], (${attempts}::uuid[])[who], kind, kind = 'blur',
        case when reason <> '' then ${DAY}::timestamptz end, nullif(reason, ''), ${DAY}
      from (values (1, 'ended', ''), (1, 'reopened', ''), (2, 'ended', ''), (1, 'blur', 'alarm'),
        (1, 'blur', '')) as e (who, kind, reason)`
    const { content } = await preview(code)
    expect(content.incidents).toEqual({ counts: 1, doesNotCount: 1, asked: 1, undecided: 1 })
    expect(content.time).toEqual({
      ...{ planned: 3, given: 2, reopened: 1, strikesTakenBack: 1, endedEarly: 1 },
    })
  })

  it('can’t be made while a candidate can start or is taking the test, or if there were no participants', async () => {
    const { code } = await test(3)
    const close = (ms: number) =>
      sql`update assessments set closes_at = ${new Date(LATER.getTime() + ms)} where code = ${code}`
    await close(60_000)
    expect((await preview(code)).obstacle).toBe('still_open')
    expect((await publish(code)).body.code).toBe('report_impossible')
    await close(-60_000)
    await sql`delete from attempts where assessment = ${code}`
    expect((await preview(code)).obstacle).toBe('nobody_took')
  })
})

describe('a public report', () => {
  it('is missing before the release and after the release is withdrawn', async () => {
    const { code } = await test(16)
    const { id } = (await publish(code)).body
    expect(await open(id)).toEqual({ report: null })
    await release(rig, code)
    expect((await open(id)).report.content.took).toBe(16)
    await sql`update result_releases set withdrawn_at = ${LATER} where assessment = ${code}`
    expect(await open(id)).toEqual({ report: null })
    expect((await open(randomUUID())).code).toBe('no_report')
  })

  it('contains no names, usernames, addresses or rooms of candidates or members', async () => {
    const { code, rulingOn } = await test(20)
    await rulingOn(0, 'replace', 'Cara Person-3 in room Aula Magna told us.', 3)
    await rulingOn(1, 'accept', 'Ask dean@uni.example.', 0)
    await rulingOn(2, 'accept', 'Both are right.', 0)
    await release(rig, code)
    const body = await open((await publish(code)).body.id)
    const rows = await sql`
      select unnest(array[username, name, email, room, id::text]) as text from candidates where assessment = ${code}
       union select id::text from attempts where assessment = ${code}
       union select email from users union select id::text from users`
    const hidden = rows.map(({ text }) => text.toLowerCase())
    expect(hidden.length).toBeGreaterThan(60)
    for (const leaf of valuesOf(body).map(String)) {
      expect(hidden.filter((text) => leaf.toLowerCase().includes(text))).toEqual([])
      expect(leaf).not.toMatch(/@|Person-/)
    }
    const { rulings } = body.report.content
    expect(rulings.map(({ reason }: { reason: string }) => reason)).toEqual([
      ...[null, null, 'Both are right.'],
    ])
  })

  it('keeps its address when it is updated, and says when it was changed', async () => {
    const { code, candidates } = await test(20)
    await release(rig, code)
    const { id } = (await publish(code)).body
    expect((await preview(code)).published).toMatchObject({ id, changedAt: null, isCurrent: true })
    // Publishing the same content again changes nothing.
    rig.clock.now = new Date(LATER.getTime() + 60_000)
    expect((await publish(code)).body).toEqual({ id })
    expect((await open(id)).report.changedAt).toBeNull()
    await sql`update candidates set extra_seconds = 60 where id = ${candidates[0]}`
    expect((await preview(code)).published.isCurrent).toBe(false)
    expect((await open(id)).report.content.time.planned).toBe(0)
    const answers = await Promise.all([publish(code), publish(code)])
    expect(answers.map(({ body }) => body)).toEqual([{ id }, { id }])
    const { report } = await open(id)
    expect(report.content.time.planned).toBe(1)
    expect([report.publishedAt, report.changedAt]).toEqual([
      LATER.toISOString(),
      rig.clock.now.toISOString(),
    ])
  })

  it('stays when answers are deleted, and disappears with a withdrawn release even then', async () => {
    const { code } = await test(16)
    await release(rig, code)
    const { id } = (await publish(code)).body
    await deleteAssessment(organizerOf(rig), code)
    expect((await open(id)).report.content.took).toBe(16)
    await sql`update result_releases set withdrawn_at = ${LATER} where assessment = ${code}`
    expect(await open(id)).toEqual({ report: null })
  })
})

it.each([
  ['Cara Diaz saw it first.', false],
  ['Seen by Cara  Diaz.', false],
  ['Ask c.diaz, please', false],
  ['write to x@y.pt', false],
  ['A cara diazepam question', true],
  ['The key was not moved', true],
])('a public reason stays only if it names no one: %s', (reason, stays) => {
  expect(withoutNames(reason, treeOf(['cara diaz', 'c.diaz']))).toBe(stays ? reason : null)
})
