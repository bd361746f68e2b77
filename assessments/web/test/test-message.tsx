import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { formatMinutes } from '../../../platform/durations.ts'
import { URLS } from '../../../platform/urls.ts'
import { focusWhenShown } from '../../../platform/web/ui/option-keys.ts'
import { StandalonePage } from '../../../platform/web/ui/page.tsx'
import { Redirect } from '../../../platform/web/ui/skeleton.tsx'
import { toast } from '../../../platform/web/ui/toast.tsx'
import type { AttemptClock } from '../attempt/clock.ts'

export function LeaveWith(props: { title: string; description: string; to: string }) {
  const { title, description, to } = props
  useEffect(() => {
    toast.error(title, description)
  }, [title, description])
  return <Redirect to={to} />
}

type OfTest = { title: string; contact: string | null; clock?: AttemptClock | undefined }

/** What stands in the place of a test that can't be answered here: whose it is, why, and whom to ask. */
function InItsPlace(
  props: OfTest & {
    heading: string
    message: string
    /** before the contact */
    ask: string
    /** the way to the recruitment page, unless there is a better one */
    action?: ReactNode
  },
) {
  return (
    <StandalonePage>
      <p className="eyebrow">{props.title}</p>
      <h1
        ref={focusWhenShown}
        tabIndex={-1}
        className="mt-2 max-w-[24ch] text-balance text-[clamp(30px,3.6vw,44px)] outline-none"
      >
        {props.heading}
      </h1>
      {props.clock && <ClockLine clock={props.clock} />}
      <p className="mt-6 max-w-[60ch] text-pretty text-[17px]">{props.message}</p>
      <div className="mt-8">
        {props.action ?? (
          <Link to={URLS.recruitment} className="btn">
            Society Assessments
          </Link>
        )}
      </div>
      {/* Text, not a link: a mail program that opens would be an absence. */}
      <p className="mt-10 border-line border-t pt-5 text-[15px] text-ink-2">
        {props.ask}
        {props.contact ? `: ${props.contact}` : ' that invited you.'}
      </p>
    </StandalonePage>
  )
}

/** The clock runs on wherever the test is. */
function ClockLine({ clock }: { clock: AttemptClock }) {
  const { secondsLeft } = useSyncExternalStore(clock.subscribe, clock.getView)
  if (secondsLeft === 0) return null
  return (
    <p role="timer" className="mt-6 border-ink border-t pt-5">
      <span className="font-medium text-[28px] leading-none">
        {formatMinutes(secondsLeft * 1000)}
      </span>{' '}
      <span className="text-ink-2">remaining, and the clock runs</span>
    </p>
  )
}

/** The last moment to start has passed (product 6.12.15). */
export function TestClosed(props: OfTest & { message: string }) {
  return (
    <InItsPlace
      {...props}
      heading={props.message}
      message="The start deadline has passed. Anyone who started before it keeps their full time."
      ask="Should it be open for you? Tell the society"
    />
  )
}

/** Another window has the test; this one stands still (product 6.4.5). */
export function TakenOver(props: OfTest & { message: string; onTakeBack: () => void }) {
  const { onTakeBack, ...rest } = props
  return (
    <InItsPlace
      {...rest}
      heading="This test is open in another window"
      ask="Not you? Tell the society"
      action={
        <button type="button" className="btn btn-ghost" onClick={onTakeBack}>
          Continue in this window instead
        </button>
      }
    />
  )
}

/** An organizer gave the candidate another password, and the old one opens nothing any more (product 6.2.11). */
export function PasswordChanged(props: OfTest) {
  return (
    <InItsPlace
      {...props}
      heading="The society changed your password"
      message="Go back to the recruitment page and sign in with the new password. Your answers are kept."
      ask="No new password yet? Tell the society"
    />
  )
}
