import { describe, expect, it } from 'vitest'
import type { Plan } from '../../schedule/plan.ts'
import { calendarOf } from './plan-calendar.tsx'

const PLAN: Plan = {
  interviewOn: '2026-11-27',
  minutesADay: 10,
  role: 'investment-banking',
  daysOff: [2],
  startedOn: '2026-11-22',
}
// 2026-11-22 is a Sunday.
const made = () => calendarOf(PLAN, '2026-11-22', new Date('2026-11-22T09:00:00.000Z'))
const unfolded = () => made().replaceAll('\r\n ', '').split('\r\n')
const starts = () =>
  unfolded()
    .filter((line) => line.startsWith('DTSTART'))
    .map((line) => line.slice(-8))

describe('the calendar file of a plan', () => {
  it('has every practice day and the interview, and no days off', () => {
    expect(starts()).toEqual(['20261122', '20261123', '20261125', '20261126', '20261127'])
    expect(unfolded().filter((line) => line === 'SUMMARY:Interview')).toHaveLength(1)
  })

  it('ends an entry on the following day, as calendars expect', () => {
    const ends = unfolded().filter((line) => line.startsWith('DTEND'))
    expect(ends[0]).toBe('DTEND;VALUE=DATE:20261123')
  })

  it('describes each day, with lines escaped', () => {
    expect(unfolded()).toContain('SUMMARY:Interview practice\\, 14 min')
    expect(unfolded()).toContain('DESCRIPTION:20 questions (10 min)\\nOne answer aloud (4 min)')
  })

  it('has lines of at most 75 octets without splitting a character', () => {
    const encoder = new TextEncoder()
    for (const line of made().split('\r\n')) {
      expect(encoder.encode(line).length).toBeLessThanOrEqual(75)
    }
    expect(
      made()
        .split('\r\n')
        .some((line) => line.startsWith(' ')),
    ).toBe(true)
  })

  it('gives a day the same id each time', () => {
    const ids = unfolded().filter((line) => line.startsWith('UID'))
    expect(new Set(ids).size).toBe(ids.length)
    const later = calendarOf(PLAN, '2026-11-22', new Date('2026-11-22T21:00:00.000Z'))
    for (const id of ids) expect(later).toContain(id)
  })

  it('covers at most sixty days without a date', () => {
    const endless = calendarOf(
      { ...PLAN, interviewOn: null, daysOff: [] },
      '2026-11-22',
      new Date(),
    )
    expect(endless.match(/BEGIN:VEVENT/g)).toHaveLength(60)
  })
})
