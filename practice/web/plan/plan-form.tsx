import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { queryClient } from '../../../platform/web/query-client.ts'
import { HubRow } from '../../../platform/web/ui/section.tsx'
import { endpointQuery } from '../../../platform/web/use-endpoint.ts'
import { deletePlan, getReminders, putPlan } from '../../contract/plan.ts'
import type { Plan } from '../../schedule/plan.ts'
import { MINUTES_A_DAY, ROLE_NAMES, ROLES } from '../../schedule/plan-choices.ts'
import { Choices, toggled } from '../kit.tsx'
import { refreshAfterPractice } from '../queries.ts'
import { WEEKDAYS } from './todays-parts.tsx'

export const firstPlan = (today: string): Plan => ({
  interviewOn: null,
  minutesADay: 20,
  role: 'investment-banking',
  daysOff: [],
  startedOn: today,
})

export function PlanForm({
  plan,
  today,
  onSaved,
  children,
}: {
  plan: Plan | null
  today: string
  onSaved: () => void
  children?: ReactNode
}) {
  const [draft, setDraft] = useState(plan ?? firstPlan(today))
  const id = useId()
  const save = useChangePlan(onSaved)
  const isChanged = plan === null || JSON.stringify(draft) !== JSON.stringify(plan)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!save.isPending && isChanged) save.mutate(draft)
  }

  return (
    <form onSubmit={submit}>
      <HubRow
        name={<label htmlFor={id}>Interview date</label>}
        hint="Leave it empty if you don't have one yet."
      >
        <input
          id={id}
          type="date"
          min={today}
          value={draft.interviewOn ?? ''}
          onChange={(event) => setDraft({ ...draft, interviewOn: event.target.value || null })}
          className="field w-auto"
        />
      </HubRow>
      <HubRow name="Minutes a day" hint="About 30 seconds a question.">
        <Choices
          legend="Minutes a day"
          options={MINUTES_A_DAY.map((minutes) => [minutes, String(minutes)])}
          chosen={draft.minutesADay}
          onChoose={(minutesADay) => setDraft({ ...draft, minutesADay })}
        />
      </HubRow>
      <HubRow name="Role" hint="It decides which new questions come first.">
        <Choices
          legend="Role"
          options={ROLES.map((role) => [role, ROLE_NAMES[role]])}
          chosen={draft.role}
          onChoose={(role) => setDraft({ ...draft, role })}
        />
      </HubRow>
      <HubRow
        name="Days off"
        hint="The plan works around them. Your streak counts only days you practice."
      >
        <Choices
          legend="Days off"
          options={WEEKDAYS.map((name, index) => [index + 1, name])}
          chosen={draft.daysOff}
          // A plan needs at least one practice day.
          most={6}
          onChoose={(day) =>
            setDraft({ ...draft, daysOff: toggled(draft.daysOff, day).sort((a, b) => a - b) })
          }
        />
      </HubRow>
      <div className="mt-6 flex flex-wrap items-center gap-x-5 gap-y-3">
        <button
          type="submit"
          aria-disabled={save.isPending || !isChanged}
          className={plan === null || isChanged ? 'btn' : 'btn btn-ghost'}
        >
          {plan === null ? 'Make my plan' : isChanged ? 'Save plan' : 'Saved'}
        </button>
        {children}
        <p role="alert" className="text-[15px]">
          {save.isError && `Your plan wasn't saved. ${save.error.message}`}
        </p>
      </div>
    </form>
  )
}

export const remindersQuery = endpointQuery(getReminders, {})

/** Makes, changes, or with null ends the plan. Today's new data is loaded when it resolves. */
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
