import { useMutation } from '@tanstack/react-query'
import { call } from '../../../platform/web/api.ts'
import { queryClient } from '../../../platform/web/query-client.ts'
import { endpointQuery } from '../../../platform/web/use-endpoint.ts'
import { deletePlan, putPlan } from '../../contract/plan.ts'
import { getReminders } from '../../contract/reminders.ts'
import type { Plan } from '../../schedule/plan.ts'
import { refreshAfterPractice } from '../queries.ts'

export const remindersQuery = endpointQuery(getReminders, {})

/** Makes, changes, or with null ends the plan; what it changes about today is there when it resolves. */
export const useChangePlan = (onChanged?: () => void) =>
  useMutation({
    mutationFn: async (plan: Plan | null) =>
      plan ? (await call(putPlan, { body: plan })).plan : (await call(deletePlan, {})).plan,
    onSuccess: async (plan) => {
      if (!plan) queryClient.removeQueries({ queryKey: remindersQuery.queryKey })
      await refreshAfterPractice()
      onChanged?.()
    },
  })
