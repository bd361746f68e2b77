import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { isTimeZone } from './streak.ts'

export const timeZoneSchema = z
  .string()
  .check(
    z.maxLength(100),
    z.refine(isTimeZone, { error: 'must be an IANA time zone, for example Europe/Lisbon' }),
  )

export const streakSchema = z.strictObject({
  currentStreak: z.int(),
  streakHighscore: z.int(),
  lastCompletedDate: z.nullable(z.iso.date()),
})

export const getStreak = endpoint({
  method: 'GET',
  path: '/api/streak',
  summary:
    'The day streak, as of today in a time zone, with the days of the last two weeks practised',
  access: 'user',
  query: z.strictObject({ timeZone: timeZoneSchema }),
  response: z.strictObject({ ...streakSchema.shape, recentDays: z.array(z.iso.date()) }),
})

export const completePractice = endpoint({
  method: 'POST',
  path: '/api/streak',
  summary: 'Count a finished error-practice test for the streak, once per id',
  access: 'user',
  body: z.strictObject({ id: z.uuid(), timeZone: timeZoneSchema }),
  response: streakSchema,
})
