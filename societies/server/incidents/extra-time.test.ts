import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { sweepOnce } from '../../../assessments/server/sweep.ts'
import {
  DAY,
  makeAssessment,
  makeCandidate,
  moveClock,
  type Seat,
  startedSeat,
  takeSeat,
} from '../../../tests/rig/assessment-rig.ts'
import {
  attemptOf,
  auditOf,
  linesOf,
  organiserOf,
  refusalOf,
  resultOf,
} from '../../../tests/rig/organiser-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { extendAssessment, reopenAttempt, setExtraTime } from './extra-time.ts'
import { acceptLate, exportLate } from './late-answers.ts'
import { exemptCandidate, voidEvent } from './strikes.ts'

const rig = useRig()
beforeEach(() => {
  rig.clock.now = DAY
})

/** 20 minutes, the time of the tests below, in milliseconds. */
const LIMIT = 1_200_000
const afterStart = (ms: number) => new Date(DAY.getTime() + ms)
const kindsOf = async (candidateId: string) =>
  (
    await rig.db.execute<{ kind: string }>(sql`
      select kind from attempt_events where candidate_id = ${candidateId}
        and kind in ('extra_time', 'extended', 'reopened', 'late_accepted', 'submitted') order by id`)
  ).rows.map(({ kind }) => kind)
const rightAnswers = (items: { id: number; correctOption: string }[], revision = 1, at?: number) =>
  items.map(({ id, correctOption }) => ({
    questionId: id,
    choice: correctOption,
    revision,
    ...(at === undefined ? {} : { at }),
  }))

/**
 * Lets acts on an attempt queue up behind a lock of its row, in their order, then lets them go: what
 * chance would bring about now and then.
 */
async function queueOn(candidateId: string, acts: (() => Promise<unknown>)[]) {
  const blocker = await rig.db.$client.connect()
  const waiting = async () => {
    const { rows } = await rig.db.$client.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows[0]?.count ?? 0
  }
  await blocker.query('begin')
  await blocker.query('select from attempts where candidate_id = $1 for update', [candidateId])
  const running: Promise<unknown>[] = []
  for (const act of acts) {
    running.push(act())
    while ((await waiting()) < running.length)
      await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const settled = Promise.allSettled(running)
  await blocker.query('commit')
  blocker.release()
  return settled
}

describe('extra time for one', () => {
  const give = (code: string, username: string, minutes: number, lower = false) =>
    setExtraTime(organiserOf(rig), code, username, minutes * 60, { lower })

  it('before the start is there at the start', async () => {
    const { code } = await makeAssessment(rig)
    const { username } = await makeCandidate(rig, code)
    expect(await give(code, username, 7.5)).toMatchObject({
      before: 0,
      after: 450,
      deadlineAt: null,
    })
    const { body } = await (await takeSeat(rig, code, username)).start()
    expect(body.remainingMs).toBe(LIMIT + 450_000)
  })

  it('while the test runs moves the clock, once however often it is said', async () => {
    const { seat, code, candidate } = await startedSeat(rig)
    await moveClock(rig, 60_000)
    for (const before of [0, 600]) {
      expect(await give(code, candidate.username, 10)).toMatchObject({ before, after: 600 })
      expect((await seat.status()).body.remainingMs).toBe(LIMIT - 60_000 + 600_000)
    }
    expect(await kindsOf(candidate.id)).toEqual(['extra_time'])
    expect((await auditOf(rig, code)).map(({ action }) => action)).toEqual([
      'extra-time',
      'extra-time',
    ])
  })

  it('keeps milliseconds, so that the sweep closes at the new deadline', async () => {
    rig.clock.now = new Date(DAY.getTime() + 123)
    const { code } = await makeAssessment(rig)
    const candidate = await makeCandidate(rig, code)
    await (await takeSeat(rig, code, candidate.username)).start()
    await moveClock(rig, 5_777)
    await give(code, candidate.username, 1)
    const deadline = afterStart(123 + LIMIT + 60_000)
    expect((await attemptOf(rig, candidate.id)).deadlineAt).toEqual(deadline)
    await moveClock(rig, new Date(deadline.getTime() + 9_999))
    await sweepOnce(rig.dependencies)
    expect((await attemptOf(rig, candidate.id)).submittedAt).toBeNull()
    await moveClock(rig, 1)
    await sweepOnce(rig.dependencies)
    expect((await attemptOf(rig, candidate.id)).submittedAt).toEqual(deadline)
  })

  it('less than before has to be meant, and never ends a test at once', async () => {
    const { seat, code, candidate } = await startedSeat(rig)
    await give(code, candidate.username, 10)
    expect(await refusalOf(() => give(code, candidate.username, 5))).toMatch(
      /has 10 extra minutes already, and this would take some away/,
    )
    expect((await seat.status()).body.remainingMs).toBe(LIMIT + 600_000)
    expect(await give(code, candidate.username, 5, true)).toMatchObject({ before: 600, after: 300 })
    expect((await seat.status()).body.remainingMs).toBe(LIMIT + 300_000)
    await moveClock(rig, LIMIT + 100_000)
    expect(await refusalOf(() => give(code, candidate.username, 0, true))).toMatch(/end at once/)
    expect((await seat.status()).body.remainingMs).toBe(200_000)
  })

  it('in the grace after the deadline still comes in time', async () => {
    const { seat, code, candidate } = await startedSeat(rig)
    await moveClock(rig, LIMIT + 9_000)
    await give(code, candidate.username, 1)
    await moveClock(rig, 5_000)
    await sweepOnce(rig.dependencies)
    expect((await seat.status()).body).toMatchObject({ status: 'in_progress', remainingMs: 46_000 })
  })

  it.each<
    [
      string,
      (seat: Seat, items: { id: number; correctOption: string }[]) => Promise<unknown>,
      RegExp,
    ]
  >([
    [
      'the deadline has closed it',
      async () => {
        await moveClock(rig, LIMIT + 11_000)
        await sweepOnce(rig.dependencies)
      },
      /time of .* has run out.*assessments reopen .*assessments extend /,
    ],
    [
      'the candidate has submitted it',
      (seat, items) => seat.submit(rightAnswers(items)),
      /has submitted the test.*assessments reopen /,
    ],
    [
      'three strikes have closed it',
      (seat) =>
        seat.report(
          ...[1, 2, 3].map((id) => ({ id, kind: 'copy', at: id })),
          // Acts within two seconds are one: three strikes need three absences.
          ...[4, 6, 8].flatMap((id) => [
            { id, kind: 'page_hidden', at: 10 },
            { id: id + 1, kind: 'page_visible', at: 10 },
          ]),
        ),
      /ended by 3 strikes.*void-event/,
    ],
  ])('after %s is refused, with the way on', async (_, end, message) => {
    const { seat, code, candidate, items } = await startedSeat(rig)
    await end(seat, items)
    const before = await attemptOf(rig, candidate.id)
    expect(before.submittedAt).not.toBeNull()
    expect(await refusalOf(() => give(code, candidate.username, 5))).toMatch(message)
    expect(await attemptOf(rig, candidate.id)).toEqual(before)
    expect(await auditOf(rig, code)).toEqual([])
  })

  it('ahead of the sweep keeps the test open, with the sweep still knowing the old deadline', async () => {
    const { code, candidate } = await startedSeat(rig)
    await moveClock(rig, LIMIT + 10_000)
    const [given] = await queueOn(candidate.id, [
      () => give(code, candidate.username, 5),
      () => sweepOnce(rig.dependencies),
    ])
    expect(given?.status).toBe('fulfilled')
    expect(await attemptOf(rig, candidate.id)).toMatchObject({
      deadlineAt: afterStart(LIMIT + 300_000),
      submittedAt: null,
    })
  })

  it('behind the sweep is refused and moves nothing', async () => {
    const { code, candidate } = await startedSeat(rig)
    await moveClock(rig, LIMIT + 10_000)
    const [, given] = await queueOn(candidate.id, [
      () => sweepOnce(rig.dependencies),
      () => give(code, candidate.username, 5),
    ])
    expect(given?.status).toBe('rejected')
    expect(await attemptOf(rig, candidate.id)).toMatchObject({
      deadlineAt: afterStart(LIMIT),
      submittedAt: afterStart(LIMIT),
    })
  })
})

describe('more time for everybody', () => {
  const extend = (code: string, minutes: number, more: { reason?: string; since?: string } = {}) =>
    extendAssessment(organiserOf(rig), code, minutes * 60, { reason: 'no network', ...more })

  it('while they are inside moves their clocks; who has submitted or not come is not touched', async () => {
    const { seat, code, candidate, items } = await startedSeat(rig)
    const done = await makeCandidate(rig, code)
    const doneSeat = await takeSeat(rig, code, done.username)
    await doneSeat.start()
    await doneSeat.submit(rightAnswers(items))
    const absent = await makeCandidate(rig, code)
    const before = await attemptOf(rig, done.id)
    await moveClock(rig, 60_000)
    const extended = await extend(code, 10)
    expect(extended).toMatchObject({
      moved: [{ username: candidate.username, deadlineAt: afterStart(LIMIT + 600_000) }],
      reopened: [],
      tooLate: [],
    })
    expect((await seat.status()).body.remainingMs).toBe(LIMIT + 540_000)
    expect(await attemptOf(rig, done.id)).toEqual(before)
    const { body } = await (await takeSeat(rig, code, absent.username)).start()
    expect(body.remainingMs).toBe(LIMIT)
    expect(await auditOf(rig, code)).toEqual([
      expect.objectContaining({
        action: 'extend',
        detail: expect.objectContaining({ reason: 'no network', moved: [candidate.username] }),
      }),
    ])
  })

  it('after the deadline has closed them opens them until the new end', async () => {
    const { seat, code, candidate, items } = await startedSeat(rig)
    await seat.save(rightAnswers(items.slice(0, 1)))
    await moveClock(rig, LIMIT + 11_000)
    await sweepOnce(rig.dependencies)
    await moveClock(rig, 49_000)
    const end = afterStart(LIMIT + 600_000)
    expect(await extend(code, 10)).toMatchObject({
      moved: [],
      reopened: [{ username: candidate.username, deadlineAt: end }],
    })
    expect((await seat.status()).body).toMatchObject({
      status: 'in_progress',
      remainingMs: 540_000,
    })
    // Another computer, and the page that was open: both go on.
    const back = await takeSeat(rig, code, candidate.username)
    expect((await back.start()).body.answers).toHaveLength(1)
    expect((await back.save(rightAnswers(items.slice(1, 2)))).status).toBe(200)
    await moveClock(rig, new Date(end.getTime() + 10_000))
    await sweepOnce(rig.dependencies)
    expect(await attemptOf(rig, candidate.id)).toMatchObject({
      submittedAt: end,
      submitReason: 'deadline',
      pausedMs: 60_000,
    })
    // 30 minutes from start to end, one of them closed.
    expect(await resultOf(rig, candidate.id)).toMatchObject({
      correct: 2,
      incorrect: 2,
      time: '29:00',
    })
    expect(await kindsOf(candidate.id)).toEqual(['submitted', 'reopened', 'submitted'])
  })

  it('opens nobody whose new end would be over, or whose time ran out before', async () => {
    const { code, candidate } = await startedSeat(rig)
    await moveClock(rig, 300_000)
    const second = await makeCandidate(rig, code)
    await (await takeSeat(rig, code, second.username)).start()
    await moveClock(rig, LIMIT + 60_000)
    await sweepOnce(rig.dependencies)
    // The first ended at 09:20, the second at 09:25; it is 09:26.
    expect(await extend(code, 5)).toMatchObject({
      reopened: [{ username: second.username, deadlineAt: afterStart(300_000 + LIMIT + 300_000) }],
      tooLate: [{ username: candidate.username }],
    })
    const stillClosed = await extend(code, 60, { since: '2026-03-02 09:25' })
    expect(stillClosed.reopened).toEqual([])
    expect((await attemptOf(rig, candidate.id)).submitReason).toBe('deadline')
  })

  it('reaches those whom nobody has closed yet, the server having been away', async () => {
    const { seat, code } = await startedSeat(rig)
    // Ten minutes past the deadline, without a beat.
    rig.clock.now = afterStart(LIMIT + 600_000)
    expect((await extend(code, 15)).moved).toHaveLength(1)
    await sweepOnce(rig.dependencies)
    expect((await seat.status()).body.remainingMs).toBe(300_000)
  })

  it.each([
    ['ahead of a submit moves the deadline of a test that is then submitted', true],
    ['behind a submit leaves the closed test alone', false],
  ])('%s', async (_, isAhead) => {
    const { seat, code, candidate, items } = await startedSeat(rig)
    const submit = () => seat.submit(rightAnswers(items))
    const acts = [() => extend(code, 5), submit]
    await queueOn(candidate.id, isAhead ? acts : acts.reverse())
    expect(await attemptOf(rig, candidate.id)).toMatchObject({
      submittedAt: DAY,
      submitReason: 'candidate',
      deadlineAt: afterStart(LIMIT + (isAhead ? 300_000 : 0)),
    })
    expect(await kindsOf(candidate.id)).toEqual(isAhead ? ['extended', 'submitted'] : ['submitted'])
  })

  it.each<[string, number, { reason?: string; since?: string }, RegExp]>([
    ['no time', 0, {}, /give the minutes/],
    ['a blank reason', 5, { reason: '  ' }, /reason in words/],
    ['a since that is no time', 5, { since: 'noon' }, /no date and time/],
  ])('with %s is refused', async (_, minutes, more, message) => {
    const { code, candidate } = await startedSeat(rig)
    const before = await attemptOf(rig, candidate.id)
    expect(await refusalOf(() => extend(code, minutes, more))).toMatch(message)
    expect(await attemptOf(rig, candidate.id)).toEqual(before)
  })
})

describe('reopening', () => {
  const reopen = (code: string, username: string, minutes = 5, reason = 'power cut') =>
    reopenAttempt(organiserOf(rig), code, username, { seconds: minutes * 60, reason })

  it('lets a candidate go on, and the pause is not part of the time (power cut)', async () => {
    const { seat, code, candidate, items } = await startedSeat(rig)
    await moveClock(rig, 300_000)
    const answers = rightAnswers(items).map((answer) => ({ ...answer, choice: 'A' }))
    const first = await seat.submit(answers)
    await moveClock(rig, 600_000)
    expect(await reopen(code, candidate.username)).toMatchObject({
      username: candidate.username,
      deadlineAt: afterStart(1_200_000),
      isRevoked: false,
      isListed: true,
    })
    const back = await takeSeat(rig, code, candidate.username)
    const { body } = await back.start()
    expect([body.status, body.remainingMs, body.answers.length]).toEqual([
      'in_progress',
      300_000,
      4,
    ])
    expect(await resultOf(rig, candidate.id)).toBeUndefined()
    await moveClock(rig, 60_000)
    const second = await back.submit(rightAnswers(items, 2))
    expect(second.body).toMatchObject({ reference: first.body.reference })
    // 5 minutes before the pause of 10, and one after it.
    expect(await resultOf(rig, candidate.id)).toMatchObject({ correct: 4, time: '06:00' })
    expect(await kindsOf(candidate.id)).toEqual(['submitted', 'reopened', 'submitted'])
    expect(await auditOf(rig, code)).toEqual([
      expect.objectContaining({
        action: 'reopen',
        detail: expect.objectContaining({ reason: 'power cut', submitReason: 'candidate' }),
      }),
    ])
  })

  it('is refused before the start, while it is open, and without a reason or minutes', async () => {
    const { code, candidate } = await startedSeat(rig)
    const absent = await makeCandidate(rig, code)
    expect(await refusalOf(() => reopen(code, absent.username))).toMatch(/has not started/)
    expect(await refusalOf(() => reopen(code, candidate.username))).toMatch(
      /still open.*extra-time/,
    )
    expect(await refusalOf(() => reopen(code, candidate.username, 0))).toMatch(/minutes from now/)
    expect(await refusalOf(() => reopen(code, candidate.username, 5, ' '))).toMatch(/reason/)
    expect(await auditOf(rig, code)).toEqual([])
  })

  it('tells when the candidate is revoked, or the test no longer on the page', async () => {
    const { seat, code, candidate, items } = await startedSeat(rig, {
      closesAt: afterStart(60_000),
    })
    await seat.submit(rightAnswers(items))
    await rig.db.execute(sql`update candidates set revoked_at = ${DAY} where id = ${candidate.id}`)
    rig.clock.now = afterStart(60_000 + 24 * 3_600_000)
    expect(await reopen(code, candidate.username)).toMatchObject({
      isRevoked: true,
      isListed: false,
    })
  })
})

describe('strikes', () => {
  const violate = (seat: Seat, ...ids: number[]) =>
    seat.report(
      ...ids.flatMap((id) => [
        { id: 2 * id, kind: 'page_hidden', at: id },
        { id: 2 * id + 1, kind: 'page_visible', at: id },
      ]),
    )
  const eventsOf = async (candidateId: string, kind: string) =>
    (
      await rig.db.execute<{ id: string }>(sql`
        select id from attempt_events where candidate_id = ${candidateId} and kind = ${kind} order by id`)
    ).rows.map(({ id }) => String(id))
  const takeBack = (code: string, event: string, reason = 'a fire alarm') =>
    voidEvent(organiserOf(rig), code, event, reason)

  it('that are taken back no longer count, here and in the result', async () => {
    const { seat, code, candidate, items } = await startedSeat(rig)
    await violate(seat, 1)
    const [event = ''] = await eventsOf(candidate.id, 'page_hidden')
    expect(await takeBack(code, event)).toEqual({
      username: candidate.username,
      kind: 'page_hidden',
      before: 1,
      after: 0,
      mayBeReopened: false,
    })
    expect((await seat.status()).body.violations).toBe(0)
    await seat.submit(rightAnswers(items))
    expect(await resultOf(rig, candidate.id)).toMatchObject({ cheated: false })
    expect((await auditOf(rig, code))[0]).toMatchObject({
      action: 'void-event',
      detail: { event: Number(event), reason: 'a fire alarm' },
    })
  })

  it('three of them close the test; one taken back lets it be reopened and sat to its end', async () => {
    const { seat, code, candidate } = await startedSeat(rig)
    expect((await violate(seat, 1, 2, 3)).body.status).toBe('submitted')
    const reopen = () =>
      reopenAttempt(organiserOf(rig), code, candidate.username, { seconds: 300, reason: 'alarm' })
    expect(await refusalOf(reopen)).toMatch(/has 3 strikes.*take a wrong one back first/)
    const [event = ''] = await eventsOf(candidate.id, 'page_hidden')
    expect(await takeBack(code, event)).toMatchObject({ before: 3, after: 2, mayBeReopened: true })
    await reopen()
    await seat.start()
    expect((await seat.report({ id: 20, kind: 'ready', at: 5 })).body).toEqual({
      violations: 2,
      status: 'in_progress',
    })
  })

  it.each<[string, (code: string, candidateId: string) => Promise<string>, RegExp]>([
    [
      'of another test',
      async () => {
        const other = await startedSeat(rig)
        await violate(other.seat, 1)
        return (await eventsOf(other.candidate.id, 'page_hidden'))[0] ?? ''
      },
      /There is no event/,
    ],
    ['that does not exist', async () => '999999999', /There is no event/],
    ['that is no number', async () => 'first', /is no event's number/],
    [
      'that was not counted',
      async (_, id) => (await eventsOf(id, 'page_visible'))[0] ?? '',
      /was not counted/,
    ],
    [
      'that was taken back already',
      async (code, id) => {
        const [event = ''] = await eventsOf(id, 'page_hidden')
        await takeBack(code, event)
        return event
      },
      /taken back already/,
    ],
  ])('an event %s is refused', async (_, find, message) => {
    const { seat, code, candidate } = await startedSeat(rig)
    await violate(seat, 1)
    const event = await find(code, candidate.id)
    const audits = (await auditOf(rig, code)).length
    expect(await refusalOf(() => takeBack(code, event))).toMatch(message)
    expect(await auditOf(rig, code)).toHaveLength(audits)
  })

  it('of exempt kinds do not count, neither those before nor those to come', async () => {
    const { seat, code, candidate } = await startedSeat(rig)
    await seat.report({ id: 1, kind: 'paste', at: 0 })
    await moveClock(rig, 10_000)
    const exempt = (add: string[], clear = false) =>
      exemptCandidate(organiserOf(rig), code, candidate.username, { add, clear })
    expect(await exempt(['paste'])).toEqual({
      username: candidate.username,
      kinds: ['paste'],
      strikes: { before: 1, after: 0, mayBeReopened: false },
    })
    expect((await exempt(['shortcut'])).kinds).toEqual(['paste', 'shortcut'])
    expect((await seat.report({ id: 2, kind: 'paste', at: 9_000 })).body.violations).toBe(0)
    expect((await seat.report({ id: 3, kind: 'copy', at: 9_500 })).body.violations).toBe(1)
    expect((await exempt([], true)).strikes).toMatchObject({ after: 2 })
    expect(await refusalOf(() => exempt(['sneezing']))).toMatch(/Nothing named sneezing.*paste/)
    expect(await refusalOf(() => exempt([]))).toMatch(/what to exempt from/)
    expect((await auditOf(rig, code)).map(({ action }) => action)).toEqual(Array(3).fill('exempt'))
  })
})

describe('answers that arrive after the end', () => {
  /** The network is away from before the deadline to after the grace; the queue then comes late. */
  async function lateSeat() {
    const started = await startedSeat(rig)
    const { seat, items } = started
    await seat.save([{ questionId: items[0]?.id ?? 0, choice: 'D', revision: 1 }])
    await moveClock(rig, LIMIT + 20_000)
    await sweepOnce(rig.dependencies)
    const [one, two, three] = items
    const refused = await seat.save([
      { questionId: one?.id ?? 0, choice: 'A', revision: 2, at: LIMIT - 5_000 },
      { questionId: two?.id ?? 0, choice: 'B', revision: 1, at: LIMIT + 5_000 },
      { questionId: three?.id ?? 0, choice: 'C', revision: 1 },
    ])
    expect(refused.status).toBe(409)
    // An older choice of the first question, from another page's queue.
    await seat.save([{ questionId: one?.id ?? 0, choice: 'B', revision: 1, at: LIMIT - 60_000 }])
    return started
  }
  const accept = (code: string, username?: string) =>
    acceptLate(organiserOf(rig), code, { reason: 'network away', username })

  it('are listed: when they were chosen, whether in time, whether they count', async () => {
    const { code, candidate } = await lateSeat()
    const { csv, count, acceptable } = await exportLate(organiserOf(rig), code)
    const received = afterStart(LIMIT + 20_000).toISOString()
    expect(csv.split('\n')[0]).toBe('user,item,choice,chosen_at,in_time,received_at,counts')
    expect(linesOf(csv).sort()).toEqual([
      `${candidate.username},1,A,${afterStart(LIMIT - 5_000).toISOString()},true,${received},false`,
      `${candidate.username},1,B,${afterStart(LIMIT - 60_000).toISOString()},true,${received},true`,
      `${candidate.username},2,B,${afterStart(LIMIT + 5_000).toISOString()},false,${received},false`,
      `${candidate.username},3,C,,unknown,${received},false`,
    ])
    expect([count, acceptable]).toEqual([4, 1])
  })

  it('count once accepted: only those chosen in time, only the newest, only once', async () => {
    const { code, candidate } = await lateSeat()
    expect(await resultOf(rig, candidate.id)).toMatchObject({ correct: 0, incorrect: 4 })
    const changes = [
      {
        username: candidate.username,
        isDemo: false,
        before: { correct: 0, incorrect: 4 },
        after: { correct: 1, incorrect: 3 },
      },
    ]
    expect(await accept(code)).toEqual({ accepted: 1, changes })
    expect(await resultOf(rig, candidate.id)).toMatchObject({
      correct: 1,
      incorrect: 3,
      time: '20:00',
    })
    expect(await accept(code)).toEqual({ accepted: 0, changes: [] })
    expect(await kindsOf(candidate.id)).toEqual(['submitted', 'late_accepted'])
    expect((await auditOf(rig, code))[0]).toMatchObject({
      action: 'accept-late',
      detail: { reason: 'network away', accepted: 1 },
    })
  })

  it('of another candidate stay when one is named', async () => {
    const { code } = await lateSeat()
    const other = await makeCandidate(rig, code)
    expect(await accept(code, other.username)).toEqual({ accepted: 0, changes: [] })
  })

  it('never change what the candidate submitted before they were chosen', async () => {
    const { seat, code, candidate, items } = await startedSeat(rig)
    await seat.submit(rightAnswers(items))
    await moveClock(rig, 10_000)
    const save = await seat.save([
      { questionId: items[0]?.id ?? 0, choice: 'D', revision: 9, at: 8_000 },
    ])
    expect(save.status).toBe(409)
    expect(await accept(code)).toEqual({ accepted: 0, changes: [] })
    expect(await resultOf(rig, candidate.id)).toMatchObject({ correct: 4 })
  })

  it('wait while the test is open again', async () => {
    const { code, candidate } = await lateSeat()
    await reopenAttempt(organiserOf(rig), code, candidate.username, { seconds: 300, reason: 'x' })
    expect((await accept(code)).accepted).toBe(0)
  })
})
