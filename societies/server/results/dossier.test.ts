import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { sweepOnce } from '../../../assessments/server/sweep.ts'
import {
  DAY,
  makeAssessment,
  makeCandidate,
  moveClock,
  PASSWORD,
  startedSeat,
  takeSeat,
} from '../../../tests/rig/assessment-rig.ts'
import { auditOf, organiserOf, refusalOf } from '../../../tests/rig/organiser-rig.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { describeStatus } from '../../command/attempts.ts'
import { extendAssessment, reopenAttempt, setExtraTime } from '../incidents/extra-time.ts'
import { acceptLate } from '../incidents/late-answers.ts'
import { voidEvent } from '../incidents/strikes.ts'
import { revokeCandidate } from '../roster.ts'
import { deleteAssessment } from '../season.ts'
import { readStatus } from '../status.ts'
import { makeDossier } from './dossier-text.ts'
import { regradeItem } from './regrade.ts'
import { explainEvents } from './verdicts.ts'

const rig = useRig()
beforeEach(() => {
  rig.clock.now = DAY
})

const LIMIT = 1_200_000
const ready = { id: 1, kind: 'ready', at: 0 }

describe('status', () => {
  const statusOf = async (code: string, username: string) =>
    (await readStatus(organiserOf(rig), code)).candidates.find((one) => one.username === username)

  it("tells who hasn't come, who is in and how far, who is done", async () => {
    const { seat, code, candidate, items } = await startedSeat(rig)
    await seat.report(ready)
    await seat.save([{ questionId: items[0]?.id ?? 0, choice: 'A', revision: 1 }], 1)
    const names = ['absent', 'verified', 'done', 'revoked'] as const
    for (const name of names) await makeCandidate(rig, code, name)
    await makeCandidate(rig, code, 'demo', { isDemo: true })
    await takeSeat(rig, code, 'verified')
    const done = await takeSeat(rig, code, 'done')
    await done.start()
    await done.report(ready)
    await done.submit(items.map(({ id }) => ({ questionId: id, choice: 'A', revision: 1 })))
    await revokeCandidate(organiserOf(rig), code, 'revoked')
    await moveClock(rig, 65_000)
    await seat.report({ id: 2, kind: 'copy', at: 60_000 })
    const { candidates } = await readStatus(organiserOf(rig), code)
    expect(candidates.map(({ username, where }) => [username, where]).sort()).toEqual(
      [
        [candidate.username, 'running'],
        ['absent', 'absent'],
        ['done', 'submitted'],
        ['revoked', 'absent'],
        ['verified', 'verified'],
      ].sort(),
    )
    expect(await statusOf(code, candidate.username)).toMatchObject({
      answered: 1,
      total: 4,
      remainingMs: LIMIT - 65_000,
      strikes: 1,
      unmonitored: [],
      userCount: 1,
    })
    const text = describeStatus(candidates)
    expect(text).toContain(
      '5 candidates: 1 not here yet, 1 signed in and not started, 1 inside, 1 done, 1 revoked',
    )
    expect(text).toMatch(/^Not here yet: absent$/m)
    expect(text).toMatch(new RegExp(`${candidate.username} +1 of 4 +18:55 +1`))
    expect(text).toMatch(/done +4 of 4 +0 +candidate/)
    expect(text).not.toContain('Worth a look')
  })

  it.each<[string, { id: number; kind: string; at: number }[], number | undefined, string[]]>([
    ['with the opening event and no gap is monitored', [ready], 1, []],
    [
      'without any event is unmonitored',
      [],
      undefined,
      ['a window answered without ever reporting that it was watched'],
    ],
    [
      'without the opening event is unmonitored',
      [{ id: 1, kind: 'copy', at: 0 }],
      1,
      ['a window answered without ever reporting that it was watched'],
    ],
    [
      'with a gap is unmonitored',
      [ready, { id: 3, kind: 'online', at: 2 }],
      3,
      ['one event of a window never came in'],
    ],
    [
      'whose last events never came is unmonitored',
      [ready],
      4,
      ['3 events of a window never came in'],
    ],
  ])('a window that saved %s', async (_, events, lastEvent, unmonitored) => {
    const { seat, code, candidate, items } = await startedSeat(rig)
    if (events.length > 0) await seat.report(...events)
    await seat.save([{ questionId: items[0]?.id ?? 0, choice: 'A', revision: 1 }], lastEvent)
    const status = await statusOf(code, candidate.username)
    expect(status?.unmonitored).toEqual(unmonitored)
    const { markdown } = await makeDossier(organiserOf(rig), code, candidate.username)
    expect(markdown).toContain(unmonitored[0] ? `unmonitored: ${unmonitored[0]}` : 'monitored: yes')
  })

  it('an earlier window that was not watched is not healed by a later one', async () => {
    const { seat, code, candidate, items } = await startedSeat(rig)
    await seat.save([{ questionId: items[0]?.id ?? 0, choice: 'A', revision: 1 }])
    const second = await takeSeat(rig, code, candidate.username)
    await second.start()
    await second.report(ready)
    await second.save([{ questionId: items[1]?.id ?? 0, choice: 'A', revision: 2 }], 1)
    expect((await statusOf(code, candidate.username))?.unmonitored).toHaveLength(1)
  })

  it('shows more than one account and more than one address (two browsers)', async () => {
    const { code } = await makeAssessment(rig)
    const { username } = await makeCandidate(rig, code)
    for (const address of ['10.0.0.1', '10.0.0.2']) {
      const { token } = await signUp(rig)
      await rig.call('POST', `/api/assessments/${code}/verify`, {
        token,
        body: { username, password: PASSWORD },
      })
      await rig.db.execute(sql`
        update attempt_events set address = ${address} where address is distinct from '10.0.0.1'`)
    }
    const status = await statusOf(code, username)
    expect(status).toMatchObject({ userCount: 2, addresses: ['10.0.0.1', '10.0.0.2'] })
    const { candidates } = await readStatus(organiserOf(rig), code)
    expect(describeStatus(candidates)).toMatch(/2 accounts\n.*2 addresses \(10.0.0.1, 10.0.0.2\)/)
  })
})

describe('why an event counted', () => {
  const event = (id: number, kind: string, atMs: number, isViolation = false) => ({
    id,
    kind,
    atMs,
    isViolation,
    isVoided: false,
    voidReason: null,
  })

  it('is told for each, with the strike it was', () => {
    const sentences = explainEvents(
      [
        event(1, 'ready', 0),
        event(2, 'window_blur', 10_000, true),
        event(3, 'page_hidden', 10_050),
        event(4, 'page_visible', 12_000),
        event(5, 'shortcut', 20_000, true),
        event(6, 'copy', 20_010),
        { ...event(7, 'paste', 30_000, true), isVoided: true, voidReason: 'alarm' },
        event(8, 'cut', 40_000, true),
        event(9, 'context_menu', 50_000),
      ],
      ['cut'],
    )
    expect([...sentences]).toEqual([
      [1, 'recorded, never counted'],
      [2, 'counted: strike 1'],
      [3, 'not counted: the same absence as event 2'],
      [4, 'recorded, never counted'],
      [5, 'counted: strike 2'],
      [6, 'not counted: the same act as event 5, less than 2 s before'],
      [7, 'taken back: alarm'],
      [8, 'not counted: the candidate is exempt from cut'],
      [9, 'not counted: the candidate was exempt from it when it came in'],
    ])
  })
})

describe('the dossier (the candidate asks for the log)', () => {
  const dossierOf = async (code: string, username: string) =>
    (await makeDossier(organiserOf(rig), code, username)).markdown

  it('has paper, choices, saves, events with their reasons, result and decisions', async () => {
    const { seat, code, candidate, items } = await startedSeat(rig, {
      society: 'Club *of* <b>Finance</b>',
      session: 'Morning',
    })
    const organiser = () => organiserOf(rig)
    const [one, two] = items.map(({ id }) => id) as [number, number]
    await seat.report(ready)
    await seat.save([{ questionId: one, choice: 'D', revision: 1 }], 1)
    await moveClock(rig, 65_000)
    await seat.save([{ questionId: one, choice: 'A', revision: 2 }], 1)
    await seat.report(
      { id: 2, kind: 'window_blur', at: 64_000 },
      { id: 3, kind: 'page_hidden', at: 64_050 },
      { id: 4, kind: 'page_visible', at: 64_900, detail: { awayMs: 900 } },
      { id: 5, kind: 'shortcut', at: 64_950, detail: { key: 'Ctrl+V' } },
    )
    const { rows } = await rig.db.execute<{ id: string }>(
      sql`select id from attempt_events where candidate_id = ${candidate.id} and kind = 'shortcut'`,
    )
    const shortcut = String(rows[0]?.id)
    await voidEvent(organiser(), code, shortcut, 'the dictation program')
    await setExtraTime(organiser(), code, candidate.username, 120)
    const other = await makeCandidate(rig, code, 'somebody-else')
    await (await takeSeat(rig, code, other.username)).start()
    await extendAssessment(organiser(), code, 60, { reason: 'slow network' })
    await moveClock(rig, LIMIT + 200_000)
    await sweepOnce(rig.dependencies)
    await seat.save([{ questionId: two, choice: 'B', revision: 1, at: 70_000 }])
    await acceptLate(organiser(), code, { reason: 'network away' })
    await regradeItem(organiser(), code, 3, { void: true }, 'misprint in *stem*')
    await reopenAttempt(organiser(), code, candidate.username, { seconds: 60, reason: 'power cut' })
    await seat.start()
    await moveClock(rig, 71_000)
    await sweepOnce(rig.dependencies)

    const text = await dossierOf(code, candidate.username)
    for (const line of [
      `# Dossier of ${candidate.username}, ${code}`,
      'Club \\*of\\* \\<b\\>Finance\\</b\\> - Morning. Made on 2026-03-02 09:25:36 by tester. All times are those of Europe/Lisbon.',
      '- time: 20:00, extra time 02:00',
      '- started: 2026-03-02 09:00:00',
      '- correct: 2, incorrect: 1 (unanswered counts as incorrect)',
      'without 01:25 for which it stood closed before it was reopened',
      '- cheated: true',
      '- strikes that stand: 1',
      '- monitored: yes, every window reported, without a gap',
      '### 1 (item 1 of the table)',
      `Stem 1 of ${code}?`,
      '- A. alpha 1 **(right, chosen)**',
      'Correct. Saved 2026-03-02 09:01:05, revision 2.',
      'Void: counts for nobody.',
      'Ruled: counts for nobody. Reason: misprint in \\*stem\\*',
      'Not answered: incorrect.',
      '- 00:00 (2026-03-02 09:00:00), window 1: 1: D (1)',
      '- 01:05 (2026-03-02 09:01:05), window 1: 1: A (2)',
      'window_blur (Leaving the test page)',
      '**counted: strike 1**',
      'not counted: the same absence as event',
      'awayMs 900',
      'The shortcut Ctrl+V',
      '**taken back: the dictation program**',
      'reason deadline',
      'deadlineAt 2026-03-02 09:22:00',
      '- question 2: B, chosen in time (2026-03-02 09:01:10), received 2026-03-02 09:24:25, this choice or a newer one counts',
      'tester: void-event (kind shortcut; event ',
      'tester: extra-time (',
      'tester: extend (reason slow network; seconds 60; moved true)',
      'tester: accept-late (',
      'tester: regrade (',
      'tester: reopen (',
    ]) {
      expect(text).toContain(line)
    }
    // Whoever gets it learns nothing of others.
    expect(text).not.toContain('somebody-else')
    expect((await auditOf(rig, code)).at(-1)).toMatchObject({
      action: 'dossier',
      detail: { username: candidate.username },
    })
  })

  it('numbers questions as on the shuffled screen, and by the table', async () => {
    const { code, candidate, started, items } = await startedSeat(rig, {
      shuffle: true,
      itemCount: 9,
    })
    const text = await dossierOf(code, candidate.username)
    const positions = [...text.matchAll(/^### (\d+) \(item (\d+) of the table\)$/gm)].map(
      ([, number, position]) => [Number(number), items[Number(position) - 1]?.id],
    )
    expect(positions).toEqual(
      started.body.questions.map(({ id }: { id: number }, index: number) => [index + 1, id]),
    )
    expect(text).toContain('still open: there is no result yet')
  })

  it('exists before the start too', async () => {
    const { code } = await makeAssessment(rig)
    const { username } = await makeCandidate(rig, code)
    expect(await dossierOf(code, username.toUpperCase())).toContain('- has not started')
  })

  it('of nobody is refused', async () => {
    const { code } = await makeAssessment(rig)
    expect(await refusalOf(() => dossierOf(code, 'nobody'))).toMatch(/no candidate nobody/)
  })
})

describe('deleting a season', () => {
  it('leaves nothing of it but the actions, without names and reasons', async () => {
    const { seat, code, candidate, items } = await startedSeat(rig)
    await seat.save([{ questionId: items[0]?.id ?? 0, choice: 'A', revision: 1 }])
    await regradeItem(organiserOf(rig), code, 1, { accept: 'B' }, 'a private reason')
    await setExtraTime(organiserOf(rig), code, candidate.username, 60)
    await moveClock(rig, LIMIT + 71_000)
    await sweepOnce(rig.dependencies)
    const other = await startedSeat(rig)
    expect(await deleteAssessment(organiserOf(rig), code, code.toLowerCase())).toEqual({
      candidates: 1,
      attempts: 1,
      events: 5,
      items: 4,
    })
    const { rows } = await rig.db.execute(sql`
      select (select count(*)::int from assessments where code = ${code}) as assessments,
        (select count(*)::int from assessment_items where assessment = ${code}) as items,
        (select count(*)::int from candidates where assessment = ${code}) as candidates,
        (select count(*)::int from attempts where assessment = ${code}) as attempts,
        (select count(*)::int from attempt_events where candidate_id = ${candidate.id}) as events`)
    expect(rows).toEqual([{ assessments: 0, items: 0, candidates: 0, attempts: 0, events: 0 }])
    const audit = await auditOf(rig, code)
    expect(audit.map(({ action }) => action)).toEqual(['regrade', 'extra-time', 'delete'])
    expect(JSON.stringify(audit)).not.toMatch(/private reason|candidate-/)
    expect((await other.seat.status()).body.status).toBe('in_progress')
  })

  it('is refused without its code a second time, and while somebody is inside', async () => {
    const { code, candidate } = await startedSeat(rig)
    const remove = (confirm: string) => deleteAssessment(organiserOf(rig), code, confirm)
    expect(await refusalOf(() => remove('PCF'))).toMatch(/Nothing was deleted/)
    expect(await refusalOf(() => remove(code))).toMatch(
      new RegExp(`${candidate.username} is still inside`),
    )
    expect((await readStatus(organiserOf(rig), code)).candidates).toHaveLength(1)
  })
})
