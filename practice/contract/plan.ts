import * as z from 'zod/mini'
import { endpoint } from '../../platform/endpoint.ts'
import { timeZoneSchema } from '../../platform/local-day.ts'
import { MINUTES_A_DAY, ROLES } from '../schedule/plan-choices.ts'

const WEEKDAYS = 7

const day = z.iso
  .date()
  .check(z.refine((day) => day >= '2000', { error: 'must be in this century' }))

export const planSchema = z.strictObject({
  /** the person's local day; null without a date */
  interviewOn: z.nullable(day),
  minutesADay: z.literal(MINUTES_A_DAY),
  role: z.enum(ROLES),
  /** weekdays without practice, where 1 is Monday */
  daysOff: z
    .array(z.int().check(z.minimum(1), z.maximum(WEEKDAYS)))
    // A plan needs at least one practice day.
    .check(z.maxLength(WEEKDAYS - 1)),
  startedOn: day,
})

export const putPlan = endpoint({
  method: 'PUT',
  path: '/api/practice/plan',
  summary: 'Make or change the plan',
  access: 'user',
  // Older pages don't send the start date.
  body: z.extend(planSchema, { startedOn: z.optional(day) }),
  response: z.strictObject({ plan: planSchema }),
})

export const deletePlan = endpoint({
  method: 'DELETE',
  path: '/api/practice/plan',
  summary: 'Delete the plan and its reminders',
  access: 'user',
  response: z.strictObject({ plan: z.null() }),
})

/** Reminders are sent at one of these hours, in the person's local time (product 3.16.8). */
export const REMINDER_HOURS = Array.from({ length: 13 }, (_, index) => 8 + index)

const REMINDER_CHANNELS = ['mail', 'push'] as const
export type ReminderChannel = (typeof REMINDER_CHANNELS)[number]

const reminderSettingsSchema = z.strictObject({
  channel: z.enum(REMINDER_CHANNELS),
  hour: z.literal(REMINDER_HOURS),
  timeZone: timeZoneSchema,
})
export type ReminderSettings = z.infer<typeof reminderSettingsSchema>

const base64Url = (length: number) =>
  z.string().check(z.regex(/^[A-Za-z0-9_-]+=*$/), z.maxLength(length))

const remindersSchema = z.strictObject({
  settings: z.nullable(reminderSettingsSchema),
  /** true if reminders go by mail and the address isn't verified yet, so none are sent */
  isWaiting: z.boolean(),
  pushKey: z.string(),
  sent: z.array(z.strictObject({ day: z.iso.date(), channel: z.enum(REMINDER_CHANNELS) })),
})

export const getReminders = endpoint({
  method: 'GET',
  path: '/api/practice/reminders',
  summary: 'The reminder settings and the reminders sent',
  access: 'user',
  response: remindersSchema,
})

export const putReminders = endpoint({
  method: 'PUT',
  path: '/api/practice/reminders',
  summary: 'Turn on reminders by email or on this device. Requires a plan',
  access: 'user',
  body: z.strictObject({
    ...reminderSettingsSchema.shape,
    subscription: z.optional(
      z.strictObject({
        endpoint: z.url().check(z.maxLength(1000)),
        keys: z.strictObject({ p256dh: base64Url(120), auth: base64Url(60) }),
      }),
    ),
  }),
  response: remindersSchema,
})

export const deleteReminders = endpoint({
  method: 'DELETE',
  path: '/api/practice/reminders',
  summary: 'Turn off reminders',
  access: 'user',
  response: remindersSchema,
})

/** The page behind the link in a mail calls this, and so do mail programs, with their own form (RFC 8058). */
export const stopReminders = endpoint({
  method: 'POST',
  path: '/api/practice/reminders/:token/stop',
  summary: 'Turn off reminders with the token from an email, without signing in',
  access: 'public',
  params: z.strictObject({ token: z.string().check(z.maxLength(200)) }),
  response: z.strictObject({ stopped: z.literal(true) }),
})
