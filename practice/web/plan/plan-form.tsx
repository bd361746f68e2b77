import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { queryClient } from '../../../platform/web/query-client.ts'
import { putPlan } from '../../contract/plan.ts'
import { MINUTES_A_DAY, type Plan, ROLES } from '../../schedule/plan.ts'
import { Choices, PILL, Row } from '../choices.tsx'
import { planQuery } from './queries.ts'
import { ROLE_NAMES, WEEKDAYS } from './words.ts'

const FIRST_PLAN: Plan = {
  interviewOn: null,
  minutesADay: 20,
  role: 'investment-banking',
  daysOff: [],
}

/** What a plan is made of: a date or none, minutes, role, days off (product 3.16.1). */
export function PlanForm({
  plan,
  today,
  onSaved,
}: {
  plan: Plan | null
  today: string
  onSaved: () => void
}) {
  const [draft, setDraft] = useState(plan ?? FIRST_PLAN)
  const id = useId()
  const save = useMutation({
    mutationFn: async (body: Plan) => (await call(putPlan, { body })).plan,
    onSuccess: (saved) => {
      queryClient.setQueryData(planQuery.queryKey, saved)
      // What the days hold now stands above.
      onSaved()
    },
  })
  const isChanged = plan === null || JSON.stringify(draft) !== JSON.stringify(plan)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!save.isPending && isChanged) save.mutate(draft)
  }

  function toggleDayOff(day: number) {
    const isOff = draft.daysOff.includes(day)
    const daysOff = isOff ? draft.daysOff.filter((one) => one !== day) : [...draft.daysOff, day]
    setDraft({ ...draft, daysOff: daysOff.sort((a, b) => a - b) })
  }

  return (
    <form onSubmit={submit} className="mt-8">
      <Row
        name={<label htmlFor={id}>Date of the interview</label>}
        hint="Leave it empty if there is none yet."
      >
        <input
          id={id}
          type="date"
          min={today}
          value={draft.interviewOn ?? ''}
          onChange={(event) => setDraft({ ...draft, interviewOn: event.target.value || null })}
          className="field w-auto"
        />
      </Row>
      <Row name="Minutes a day" hint="Two questions fit in a minute.">
        <Choices
          legend="Minutes a day"
          options={MINUTES_A_DAY.map((minutes) => [minutes, String(minutes)])}
          chosen={draft.minutesADay}
          onChoose={(minutesADay) => setDraft({ ...draft, minutesADay })}
        />
      </Row>
      <Row name="For" hint="What your interview asks for decides which new questions come first.">
        <Choices
          legend="For"
          options={ROLES.map((role) => [role, ROLE_NAMES[role]])}
          chosen={draft.role}
          onChoose={(role) => setDraft({ ...draft, role })}
        />
      </Row>
      <Row name="Days off" hint="A day off is planned for, and breaks nothing here.">
        <fieldset className="flex flex-wrap gap-1.5">
          <legend className="sr-only">Days off</legend>
          {WEEKDAYS.map((name, index) => (
            <label key={name} className={PILL}>
              <input
                type="checkbox"
                checked={draft.daysOff.includes(index + 1)}
                // Seven days off are no plan.
                disabled={draft.daysOff.length === 6 && !draft.daysOff.includes(index + 1)}
                onChange={() => toggleDayOff(index + 1)}
                className="absolute inset-0 cursor-pointer opacity-0"
              />
              {name}
            </label>
          ))}
        </fieldset>
      </Row>
      <div className="mt-6 flex flex-wrap items-center gap-x-5 gap-y-3">
        <button
          type="submit"
          aria-disabled={save.isPending || !isChanged}
          className={plan === null || isChanged ? 'btn' : 'btn btn-ghost'}
        >
          {plan === null ? 'Make my plan' : isChanged ? 'Save changes' : 'Saved'}
        </button>
        <p role="alert" className="text-[15px]">
          {save.isError && save.error.message}
        </p>
      </div>
    </form>
  )
}
