import { describe, expect, it } from 'vitest'
import { dayAfter } from '../../platform/local-day.ts'
import { daysOfPlan, type Plan, type PlanDay } from './plan.ts'

const WEEKDAYS = Array.from({ length: 7 }, (_, index) => index + 1)
const SETS_OF_DAYS_OFF = Array.from({ length: 127 }, (_, set) =>
  WEEKDAYS.filter((_, bit) => set & (1 << bit)),
)
const LEFT = Array.from({ length: 30 }, (_, index) => index + 1)

interface Case {
  plan: Plan
  left: number
  days: PlanDay[]
}

/** Covers each interview weekday, each set of days off, and 1 to 30 days until the interview. */
const CASES: Case[] = WEEKDAYS.flatMap((weekday) =>
  SETS_OF_DAYS_OFF.flatMap((daysOff) =>
    LEFT.map((left) => {
      const interviewOn = dayAfter('2027-01-03', weekday)
      const startedOn = dayAfter(interviewOn, -left)
      const plan: Plan = {
        interviewOn,
        startedOn,
        daysOff,
        minutesADay: 20,
        role: 'investment-banking',
      }
      return { plan, left, days: daysOfPlan(plan, startedOn, dayAfter(interviewOn, 1)) }
    }),
  ),
)

const holds = (kind: string) => (day: PlanDay) => day.parts.some((part) => part.kind === kind)
const weekdayOf = (day: string) => ((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7) + 1
const isChosenOff = ({ daysOff }: Plan, { day }: PlanDay) => daysOff.includes(weekdayOf(day))
/** Returns the days with at least two left. The first one has `left` days left. */
const beforeEve = ({ days, left }: Case) => days.slice(0, Math.max(0, left - 1))

/** Lists every case that breaks a rule, so one failure shows all of them. */
const broken = (isKept: (of: Case) => boolean) =>
  CASES.filter((of) => !isKept(of)).map(
    ({ plan, left }) => `${left} days to ${plan.interviewOn}, off ${plan.daysOff}`,
  )

describe('the calendar of a plan, for every weekday, every set of days off and 1 to 30 days', () => {
  it('covers 26,670 plans', () => {
    expect(CASES).toHaveLength(7 * 127 * 30)
  })

  it('shows every day until the interview', () => {
    expect(
      broken(({ days, plan, left }) =>
        days.slice(0, left + 1).every(({ day }, ahead) => day === dayAfter(plan.startedOn, ahead)),
      ),
    ).toEqual([])
  })

  it('has a mock superday on the last day that is not off and leaves two days', () => {
    expect(
      broken((of) => {
        const last = beforeEve(of).findLast((day) => !isChosenOff(of.plan, day))
        return last === undefined || holds('superday')(last)
      }),
    ).toEqual([])
  })

  it('has a mock superday whenever two days are left at its start', () => {
    expect(broken(({ days, left }) => left < 2 || days.some(holds('superday')))).toEqual([])
  })

  it('has an early mock superday as well with 7 to 20 days at its start', () => {
    expect(
      broken((of) => {
        const open = beforeEve(of).filter((day) => !isChosenOff(of.plan, day))
        const mocks = of.days.filter(holds('superday'))
        if (of.left < 7) return mocks.length <= 1
        if (of.left > 20) return mocks.length >= 2
        return mocks.length === Math.max(1, Math.min(2, open.length))
      }),
    ).toEqual([])
  })

  it('has the early mock superday on the second practice day, or once 16 days are left', () => {
    expect(
      broken((of) => {
        const open = beforeEve(of).filter((day) => !isChosenOff(of.plan, day))
        const early = of.days.findIndex(holds('superday'))
        if (of.left < 7 || of.left > 20 || open.length < 3) return true
        const from = Math.max(of.left - 16, of.days.indexOf(open[1] as PlanDay))
        return early === of.days.findIndex((day, at) => at >= from && open.includes(day))
      }),
    ).toEqual([])
  })

  it('has the last evening on the day before the interview, with nothing new', () => {
    expect(
      broken(({ days, left }) => {
        const kinds = days[left - 1]?.parts.map(({ kind }) => kind).join()
        return kinds === 'weakest,formula-sheet,aloud'
      }),
    ).toEqual([])
    expect(broken(({ days, left }) => !days.slice(0, left - 1).some(holds('weakest')))).toEqual([])
  })

  it('uses a day off only for the last evening or an only mock superday, and says so', () => {
    expect(
      broken(({ plan, days, left }) =>
        days.slice(0, left).every((day, at) => {
          if (!isChosenOff(plan, day)) return !day.isOff && !day.isOffTaken && day.parts.length > 0
          const isTaken = at === left - 1 || holds('superday')(day)
          return day.isOffTaken === isTaken && day.isOff === !isTaken
        }),
      ),
    ).toEqual([])
  })

  it('has no parts after the interview', () => {
    expect(broken(({ days }) => days.at(-1)?.parts.length === 0)).toEqual([])
  })
})
