import { Check } from 'lucide-react'
import { Link } from 'react-router'
import { URLS } from '../../platform/urls.ts'
import { shortDateTime } from '../../platform/web/dates.ts'
import { focusWhenShown } from '../../platform/web/ui/option-keys.ts'
import { StandalonePage, useTitle } from '../../platform/web/ui/page.tsx'
import { RecordedLog } from './recorded-log.tsx'
import type { SubmittedState } from './submitted-state.ts'

/** How it ended, where it was not the candidate who ended it. */
const REASONS = {
  candidate: null,
  deadline:
    'The time ran out, and the test was submitted automatically with the answers you had given.',
  violations:
    'The test was submitted automatically after the third violation, with the answers you had given.',
} as const

/** The completion screen: no result, a reference to ask with (product 6.10.1, 6.10.2). */
export function RecruitmentCompleted({ submitted }: { submitted: SubmittedState }) {
  useTitle('Assessment Submitted')
  const { title, reference, submittedAt, reason, lateCount } = submitted
  return (
    <StandalonePage>
      <Check size={36} aria-hidden className="grade-right" />
      <p className="eyebrow mt-5">{title}</p>
      <h1 ref={focusWhenShown} tabIndex={-1} className="mt-2 outline-none">
        Assessment Submitted
      </h1>
      <p className="mt-6 max-w-[60ch] text-pretty text-[17px]">
        Thank you for taking this assessment. Your answers are with the society, and individual
        results are not displayed. The society tells you how the process goes on.
      </p>
      {REASONS[reason] && <p className="mt-4 max-w-[60ch] text-[17px]">{REASONS[reason]}</p>}
      {lateCount > 0 && (
        <p className="mt-4 max-w-[60ch] text-[17px]">
          {lateCount === 1 ? 'One answer' : `${lateCount} answers`} reached us only after the end.
          {lateCount === 1 ? ' It was' : ' They were'} kept, and the society can count what you
          chose in time: give it the reference below.
        </p>
      )}
      <dl className="mt-8 grid max-w-[460px] grid-cols-[auto_1fr] gap-x-8 gap-y-3 border-ink border-t pt-5">
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
      </dl>
      <Link to={URLS.dashboard} className="btn mt-9">
        Return to Dashboard
      </Link>
      <RecordedLog reference={reference} />
    </StandalonePage>
  )
}
