import './plan.css'
import { X } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { Link } from 'react-router'
import { dayAfter } from '../../../platform/local-day.ts'
import { URLS } from '../../../platform/urls.ts'
import { queryClient } from '../../../platform/web/query-client.ts'
import { useToday } from '../../../platform/web/use-today.ts'
import { ROLE_NAMES, ROLES } from '../../schedule/plan-choices.ts'
import { Choices } from '../kit.tsx'
import { progressQuery, todayQuery } from '../queries.ts'
import { firstPlan, useChangePlan } from './plan-form.tsx'

/** The days ahead for each answer, until the person sets the exact date. */
const WHEN = {
  'This week': 4,
  '1 to 2 weeks': 10,
  Later: 30,
  'No date yet': null,
} as const
type When = keyof typeof WHEN

/** Asks for the interview's date once, on the first result, if there is no plan (product 3.5.16). */
export function PlanAsk() {
  // This is the state before this result, so the question never comes back when more data loads.
  const [isFirst, setFirst] = useState(
    () =>
      queryClient.getQueryData(progressQuery.queryKey)?.attempts.length === 0 &&
      queryClient.getQueryData(todayQuery().queryKey)?.plan === null,
  )
  return isFirst ? <Card onClose={() => setFirst(false)} /> : null
}

function Card({ onClose }: { onClose: () => void }) {
  const today = useToday()
  const id = useId()
  const [when, setWhen] = useState<When>()
  const [plan, setPlan] = useState(() => firstPlan(today))
  const save = useChangePlan()
  if (save.isSuccess) {
    return (
      <p role="status" className="card mt-6 px-5 py-4 print:hidden">
        Your plan is ready.{' '}
        <Link to={URLS.plan} className="quiet-link">
          See your plan
        </Link>
      </p>
    )
  }

  function choose(to: When) {
    const days = WHEN[to]
    setWhen(to)
    setPlan({ ...plan, interviewOn: days === null ? null : dayAfter(today, days) })
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (when && !save.isPending) save.mutate(plan)
  }

  return (
    <form
      onSubmit={submit}
      aria-labelledby={`${id}-title`}
      className="plan-ask card mt-6 px-5 pt-4 pb-5 print:hidden"
    >
      <div className="flex items-start justify-between gap-4">
        <h2 id={`${id}-title`} className="text-[25px]">
          When is your interview?
        </h2>
        <button type="button" aria-label="Not now" onClick={onClose} className="-m-2.5 p-3">
          <X size={20} aria-hidden />
        </button>
      </div>
      <div className="mt-3">
        <Choices
          legend="When is your interview?"
          options={(Object.keys(WHEN) as When[]).map((one) => [one, one])}
          chosen={when}
          onChoose={choose}
        />
      </div>
      <p className="mt-4 mb-2 font-[550] text-[15px]">What is it for?</p>
      <Choices
        legend="What is it for?"
        options={ROLES.map((role) => [role, ROLE_NAMES[role]])}
        chosen={plan.role}
        onChoose={(role) => setPlan({ ...plan, role })}
      />
      <p className="hint mt-3">
        20 minutes a day. Set the exact date, or change anything, in your plan.
      </p>
      <button
        type="submit"
        aria-disabled={!when || save.isPending}
        className="btn mt-4 max-nav:w-full"
      >
        Make my plan
      </button>
      <p role="alert">{save.isError && "Your plan wasn't saved. Try again."}</p>
    </form>
  )
}
