import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../platform/web/api.ts'
import { getPlan } from '../../contract/plan.ts'
import { getReminders } from '../../contract/reminders.ts'

/** The person's plan, null where none was made. */
export const planQuery = queryOptions({
  queryKey: ['plan'],
  queryFn: async ({ signal }) => (await call(getPlan, {}, { signal })).plan,
})

/** Whether and how one is reminded. */
export const remindersQuery = queryOptions({
  queryKey: ['reminders'],
  queryFn: ({ signal }) => call(getReminders, {}, { signal }),
})
