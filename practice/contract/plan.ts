import * as z from 'zod/mini'
import { endpoint } from '../../platform/endpoint.ts'
import { MINUTES_A_DAY, ROLES } from '../schedule/plan-choices.ts'

const WEEKDAYS = 7

const day = z.iso
  .date()
  .check(z.refine((day) => day >= '2000', { error: 'must be in this century' }))

export const planSchema = z.strictObject({
  /** the person's local day; null where there is no date */
  interviewOn: z.nullable(day),
  minutesADay: z.literal(MINUTES_A_DAY),
  role: z.enum(ROLES),
  /** days of the week without practice: 1 is Monday */
  daysOff: z
    .array(z.int().check(z.minimum(1), z.maximum(WEEKDAYS)))
    // Seven days off are no plan.
    .check(z.maxLength(WEEKDAYS - 1)),
  /** its first local day */
  startedOn: day,
})

export const putPlan = endpoint({
  method: 'PUT',
  path: '/api/practice/plan',
  summary: 'Make or change the plan',
  access: 'user',
  // Pages of an older version don't send its start.
  body: z.extend(planSchema, { startedOn: z.optional(day) }),
  response: z.strictObject({ plan: planSchema }),
})

export const deletePlan = endpoint({
  method: 'DELETE',
  path: '/api/practice/plan',
  summary: 'Drop the plan, and every reminder with it',
  access: 'user',
  response: z.strictObject({ plan: z.null() }),
})
