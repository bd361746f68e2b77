import { describe, expect, it } from 'vitest'
import { planTime, type Seated, type TimeAct } from './time-plan.ts'

const MINUTE = 60_000
const minute = (minutes: number) => new Date(minutes * MINUTE)
/** An attempt that started at 0 and lasts 30 minutes. */
const attempt = (more: Partial<NonNullable<Seated['attempt']>> = {}): Seated => ({
  plannedSeconds: 0,
  attempt: {
    ...{ startedAt: minute(0), deadlineAt: minute(30), submittedAt: null, submitReason: null },
    ...{ incidentSeconds: 0, strikes: 0, wasEnded: false, ...more },
  },
})
const open = attempt()
const absent: Seated = { plannedSeconds: 0, attempt: null }
const byClock = attempt({ submittedAt: minute(30), submitReason: 'deadline' })
const ended = attempt({ submittedAt: minute(30), submitReason: 'deadline', wasEnded: true })
const ending = attempt({ wasEnded: true })
const byStrikes = (strikes: number) =>
  attempt({ submittedAt: minute(13), submitReason: 'violations', strikes })
const handedIn = attempt({ submittedAt: minute(13), submitReason: 'candidate' })
const plan = (minutes: number): TimeAct => ({ kind: 'plan', seconds: minutes * 60 })
const reopen = (minutes: number): TimeAct => ({ kind: 'reopen', seconds: minutes * 60 })
const give = (minutes: number, reopens = true): TimeAct => ({
  ...{ kind: 'give', seconds: minutes * 60, reopens },
})
const endAt = (at: number): TimeAct => ({ kind: 'end_at', atMs: at * MINUTE, reopens: true })

describe('a change of a candidate’s time', () => {
  it.each<[string, Seated, TimeAct, number, string, number | null, number]>([
    // The columns are: title, attempt, action, current minute, outcome, minute of the new end, total minutes given.
    ['minutes while inside', open, give(5), 20, 'moves', 35, 5],
    ['minutes in the grace', open, give(5), 30, 'moves', 35, 5],
    ['minutes long after an end not closed yet', open, give(5), 40, 'too_late', 30, 0],
    ['enough minutes long after such an end', open, give(15), 40, 'moves', 45, 15],
    ['minutes while absent', absent, give(5), 20, 'not_started', null, 0],
    ['minutes after handing in', handedIn, give(5), 20, 'handed_in', null, 0],
    ['minutes after the clock closed it', byClock, give(5), 32, 'reopens', 35, 5],
    ['minutes that are over already', byClock, give(5), 35, 'too_late', null, 0],
    ['minutes without opening', byClock, give(5, false), 32, 'closed', null, 0],
    ['minutes after the society ended it', ended, give(5), 32, 'closed', null, 0],
    ['minutes just after the society ended it', ending, give(5), 30, 'closed', 30, 0],
    ['planned time just after the society ended it', ending, plan(5), 30, 'closed', 30, 0],
    ['one end just after the society ended it', ending, endAt(40), 30, 'closed', 30, 0],
    ['minutes with three strikes', byStrikes(3), give(5), 20, 'strikes_stand', null, 0],
    ['minutes with one taken back', byStrikes(2), give(5), 20, 'reopens', 42, 5],
    ['one end, later', open, endAt(40), 20, 'moves', 40, 10],
    ['one end, earlier', open, endAt(25), 20, 'moves', 25, -5],
    ['the same end again', open, endAt(30), 20, 'unchanged', 30, 0],
    ['a common end after strikes closed the test', byStrikes(0), endAt(40), 20, 'reopens', 40, 3],
    ['reopening after a submit', handedIn, reopen(10), 20, 'reopens', 30, 0],
    ['reopening for longer than was left', handedIn, reopen(20), 20, 'reopens', 40, 3],
    ['reopening a running test', open, reopen(10), 20, 'still_open', 30, 0],
    ['planned time after the clock closed it', byClock, plan(5), 32, 'closed', null, 0],
    ['ending now', open, { kind: 'end_now' }, 20, 'ends', 20, 0],
    ['ending a closed test', byClock, { kind: 'end_now' }, 32, 'closed', null, 0],
  ])('has the right outcome: %s', (_, seated, act, now, expected, end, given) => {
    const { outcome, deadlineMs, incidentSeconds } = planTime(seated, act, now * MINUTE)
    const endMinute = deadlineMs === null ? null : deadlineMs / MINUTE
    expect([outcome, endMinute, incidentSeconds / 60]).toEqual([expected, end, given])
  })

  it('sets planned time instead of adding to it, and keeps it apart from extensions', () => {
    const with5 = attempt({ deadlineAt: minute(35), incidentSeconds: 300 })
    const once = planTime(with5, plan(8), 10 * MINUTE)
    expect(once).toMatchObject({
      ...{ outcome: 'moves', deadlineMs: 43 * MINUTE, plannedSeconds: 480, incidentSeconds: 300 },
    })
    const seated = { ...with5, plannedSeconds: 480 }
    expect(planTime(seated, plan(8), 10 * MINUTE).outcome).toBe('unchanged')
    expect(planTime(absent, plan(8), 0)).toMatchObject({ outcome: 'plans', plannedSeconds: 480 })
    const late = planTime({ ...open, plannedSeconds: 480 }, plan(0), 25 * MINUTE)
    expect(late.outcome).toBe('would_end')
  })
})
