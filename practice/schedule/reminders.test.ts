import { describe, expect, it } from 'vitest'
import { REMINDER_HOURS, reminderOf } from './reminders.ts'

// 2026-11-22 is a Sunday.
const TODAY = '2026-11-22'
const PLAN = { interviewOn: '2026-12-14', daysOff: [] as number[], startedOn: '2026-11-20' }
const NOTHING = { practicedOn: null, sentOn: [] }

describe('a reminder', () => {
  it('is sent on a practice day', () => {
    expect(reminderOf(PLAN, TODAY, NOTHING)).toBe('remind')
  })

  it('is sent once a day, not after practice and not on a day off', () => {
    expect(reminderOf(PLAN, TODAY, { practicedOn: null, sentOn: [TODAY] })).toBe('none')
    expect(reminderOf(PLAN, TODAY, { practicedOn: TODAY, sentOn: [] })).toBe('none')
    expect(reminderOf({ ...PLAN, daysOff: [7] }, TODAY, NOTHING)).toBe('none')
  })

  it("is never sent on the interview's next day or later", () => {
    expect(reminderOf({ ...PLAN, interviewOn: TODAY }, TODAY, NOTHING)).toBe('remind')
    expect(reminderOf({ ...PLAN, interviewOn: '2026-11-21' }, TODAY, NOTHING)).toBe('none')
    expect(reminderOf({ ...PLAN, interviewOn: '2026-10-01' }, TODAY, NOTHING)).toBe('none')
  })

  it('stops after three in a row without practice, and only then', () => {
    const sentOn = ['2026-11-18', '2026-11-19', '2026-11-20']
    expect(reminderOf(PLAN, TODAY, { practicedOn: '2026-11-17', sentOn })).toBe('stop')
    expect(reminderOf(PLAN, TODAY, { practicedOn: null, sentOn })).toBe('stop')
    expect(reminderOf(PLAN, TODAY, { practicedOn: '2026-11-18', sentOn })).toBe('remind')
  })

  it('can be set from 8 to 20 o’clock, so none is later than 21', () => {
    expect([REMINDER_HOURS[0], REMINDER_HOURS.at(-1)]).toEqual([8, 20])
  })
})
