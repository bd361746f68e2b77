import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { Link } from 'react-router'
import { URLS } from '../../platform/urls.ts'
import { shortDateTime, timeOfDay } from '../../platform/web/dates.ts'
import { focusWhenShown } from '../../platform/web/ui/option-keys.ts'
import { StandalonePage, useTitle } from '../../platform/web/ui/page.tsx'
import { nameOfAct } from '../violations.ts'
import { AfterTheEnd } from './after-the-end.tsx'
import { assessmentsQuery } from './queries.ts'
import { RecordedLog } from './recorded-log.tsx'
import { Released } from './released.tsx'
import type { SubmittedState } from './submitted-state.ts'

/** The completion screen: no result, a reference to ask with (product 6.10.1, 6.10.2, 6.10.6). */
export function RecruitmentCompleted({ submitted }: { submitted: SubmittedState }) {
  useTitle('Assessment Submitted')
  const { title, reason } = submitted
  const isByViolations = reason === 'violations'
  return (
    <StandalonePage>
      {!isByViolations && <Check size={36} aria-hidden className="mb-5 grade-right" />}
      <p className="eyebrow">{title}</p>
      <h1 ref={focusWhenShown} tabIndex={-1} className="mt-2 outline-none">
        Assessment Submitted
      </h1>
      {isByViolations ? (
        <ByViolations submitted={submitted} />
      ) : (
        <>
          <Thanks submitted={submitted} />
          <Receipt submitted={submitted} contact={null} />
        </>
      )}
      <Released reference={submitted.reference} />
      <Link to={URLS.dashboard} className="btn mt-9">
        Return to Dashboard
      </Link>
      <AfterTheEnd reference={submitted.reference} />
      <RecordedLog reference={submitted.reference} />
    </StandalonePage>
  )
}

function Thanks({ submitted }: { submitted: SubmittedState }) {
  const { reason, lateCount, endedBySociety } = submitted
  return (
    <>
      <p className="mt-6 max-w-[60ch] text-pretty text-[17px]">
        Thank you for taking this assessment. Your answers are with the society, and individual
        results are not displayed. The society tells you how the process goes on.
      </p>
      {reason === 'deadline' && (
        <p className="mt-4 max-w-[60ch] text-[17px]">
          {endedBySociety
            ? 'The society ended the test before your time was over, and it was submitted with the answers you had given. If you do not know why, ask the society and give it the reference.'
            : 'The time ran out, and the test was submitted automatically with the answers you had given.'}
        </p>
      )}
      {lateCount > 0 && (
        <p className="mt-4 max-w-[60ch] text-[17px]">
          {lateCount === 1 ? 'One answer' : `${lateCount} answers`} reached us only after the end.
          {lateCount === 1 ? ' It was' : ' They were'} kept, and the society decides what becomes of
          {lateCount === 1 ? ' it' : ' them'}: give it the reference below.
        </p>
      )}
    </>
  )
}

/** Nobody is thanked for this, and nobody judged: what was recorded, when, and who decides. */
function ByViolations({ submitted }: { submitted: SubmittedState }) {
  const { code, strikes = [] } = submitted
  const { data: assessments } = useQuery(assessmentsQuery)
  const contact = assessments?.find((process) => process.code === code)?.rules.contact ?? null
  return (
    <>
      <p className="mt-6 max-w-[60ch] text-pretty text-[17px]">
        The test was submitted automatically after the third violation, with the answers you had
        given. They are with the society, and individual results are not displayed.
      </p>
      {strikes.length > 0 && (
        <section aria-labelledby="recorded" className="mt-9 max-w-[560px]">
          <h2 id="recorded" className="border-ink border-b pb-2 text-[22px]">
            What counted
          </h2>
          <ol>
            {strikes.map(({ kind, key, at }, index) => (
              <li
                key={`${at} ${kind}`}
                className="flex items-baseline gap-x-4 border-line border-b py-2.5"
              >
                <span className="text-ink-2">{index + 1}</span>
                <span className="flex-1">{nameOfAct(kind, key)}</span>
                <time dateTime={at} className="text-ink-2">
                  {timeOfDay(at)}
                </time>
              </li>
            ))}
          </ol>
        </section>
      )}
      <section aria-labelledby="appeal" className="mt-9 max-w-[560px]">
        <h2 id="appeal" className="border-ink border-b pb-2 text-[22px]">
          If this is wrong
        </h2>
        <p className="mt-4 text-pretty">
          Tell the society{contact ? '' : ' that invited you'} at once what happened, and give it
          the reference. It sees each of these with its time, can take back what was no violation,
          and decides whether you go on.
        </p>
      </section>
      <Receipt submitted={submitted} contact={contact} />
    </>
  )
}

function Receipt(props: { submitted: SubmittedState; contact: string | null }) {
  const { reference, submittedAt } = props.submitted
  return (
    <dl className="mt-8 grid max-w-[560px] grid-cols-[auto_1fr] gap-x-8 gap-y-3 border-ink border-t pt-5">
      <dt className="text-ink-2">Reference</dt>
      <dd className="font-medium">{reference}</dd>
      {submittedAt && (
        <>
          <dt className="text-ink-2">Submitted</dt>
          <dd>
            <time dateTime={submittedAt}>{shortDateTime(submittedAt)}</time>
          </dd>
        </>
      )}
      {props.contact && (
        <>
          <dt className="text-ink-2">Contact</dt>
          <dd>{props.contact}</dd>
        </>
      )}
    </dl>
  )
}
