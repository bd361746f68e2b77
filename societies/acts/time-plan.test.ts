import { describe, expect, it } from 'vitest'
import { planTime, type Seated, type TimeAct } from './time-plan.ts'

const MINUTE = 60_000
/** Started at 0, 30 minutes. */
const attempt = (more: Partial<NonNullable<Seated['attempt']>> = {}): Seated => ({
  plannedSeconds: 0,
  attempt: {
    ...{ startedMs: 0, deadlineMs: 30 * MINUTE, submittedMs: null, submitReason: null },
    ...{ incidentSeconds: 0, strikes: 0, wasEnded: false, ...more },
  },
})
const open = attempt()
const absent: Seated = { plannedSeconds: 0, attempt: null }
const byClock = attempt({ submittedMs: 30 * MINUTE, submitReason: 'deadline' })
const ended = attempt({ submittedMs: 30 * MINUTE, submitReason: 'deadline', wasEnded: true })
const byStrikes = (strikes: number) =>
  attempt({ submittedMs: 13 * MINUTE, submitReason: 'violations', strikes })
const handedIn = attempt({ submittedMs: 13 * MINUTE, submitReason: 'candidate' })
const give = (minutes: number, reopens = true): TimeAct => ({
  ...{ kind: 'give', seconds: minutes * 60, reopens },
})
const endAt = (minute: number): TimeAct => ({
  ...{ kind: 'end_at', atMs: minute * MINUTE, reopens: true },
})

describe('a change of a candidate’s time', () => {
  it.each<[string, Seated, TimeAct, number, string, number | null, number]>([
    // who, act, minute now, outcome, minute of the new end, minutes given in all
    ['minutes to who is inside', open, give(5), 20, 'moves', 35, 5],
    ['minutes in the grace', open, give(5), 30, 'moves', 35, 5],
    ['minutes long after an end that nobody has closed', open, give(5), 40, 'too_late', 30, 0],
    ['minutes to who is absent', absent, give(5), 20, 'not_started', null, 0],
    ['minutes to who has handed in', handedIn, give(5), 20, 'handed_in', null, 0],
    ['minutes to whom the clock closed', byClock, give(5), 32, 'reopens', 35, 5],
    ['minutes that are over already', byClock, give(5), 35, 'too_late', null, 0],
    ['minutes without opening', byClock, give(5, false), 32, 'closed', null, 0],
    ['minutes to whom the society ended', ended, give(5), 32, 'closed', null, 0],
    [
      'minutes to whom strikes closed, which stand',
      byStrikes(3),
      give(5),
      20,
      'strikes_stand',
      null,
      0,
    ],
    [
      'the same, taken back: what was left and what is given',
      byStrikes(2),
      give(5),
      20,
      'reopens',
      42,
      5,
    ],
    ['one end, later', open, endAt(40), 20, 'moves', 40, 10],
    ['one end, earlier', open, endAt(25), 20, 'moves', 25, -5],
    ['the same end again', open, endAt(30), 20, 'unchanged', 30, 0],
    ['a common end after strikes closed the test', byStrikes(0), endAt(40), 20, 'reopens', 40, 3],
    ['reopening after a submit', handedIn, { kind: 'reopen', seconds: 600 }, 20, 'reopens', 30, 0],
    [
      'reopening for longer than was left',
      handedIn,
      { kind: 'reopen', seconds: 1200 },
      20,
      'reopens',
      40,
      3,
    ],
    ['reopening a running test', open, { kind: 'reopen', seconds: 600 }, 20, 'still_open', 30, 0],
    ['ending now', open, { kind: 'end_now' }, 20, 'ends', 20, 0],
    ['ending a closed test', byClock, { kind: 'end_now' }, 32, 'closed', null, 0],
  ])('has the right outcome: %s', (_, seated, act, minute, outcome, end, given) => {
    const plan = planTime(seated, act, minute * MINUTE)
    expect([
      plan.outcome,
      plan.deadlineMs === null ? null : plan.deadlineMs / MINUTE,
      plan.incidentSeconds / 60,
    ]).toEqual([outcome, end, given])
  })

  it('sets planned time instead of adding to it, and keeps it apart from extensions', () => {
    const act: TimeAct = { kind: 'plan', seconds: 480 }
    const with5 = { ...attempt({ deadlineMs: 35 * MINUTE, incidentSeconds: 300 }) }
    const once = planTime(with5, act, 10 * MINUTE)
    expect(once).toMatchObject({
      ...{ outcome: 'moves', deadlineMs: 43 * MINUTE, plannedSeconds: 480, incidentSeconds: 300 },
    })
    const seated = { ...with5, plannedSeconds: 480 }
    expect(planTime(seated, act, 10 * MINUTE).outcome).toBe('unchanged')
    expect(planTime(absent, act, 0)).toMatchObject({ outcome: 'plans', plannedSeconds: 480 })
    expect(
      planTime({ ...open, plannedSeconds: 480 }, { kind: 'plan', seconds: 0 }, 25 * MINUTE).outcome,
    ).toBe('would_end')
  })
})
