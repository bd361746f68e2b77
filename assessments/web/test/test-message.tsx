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

/** Replaces a test that can't be answered here. Shows the test's title, the reason, and a contact. */
function InItsPlace(
  props: OfTest & {
    heading: string
    message: string
    /** The text before the contact. */
    ask: string
    /** The next step, by default a link to the recruitment page. */
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
      {/* This is text instead of a link, because an opening mail program would be an absence. */}
      <p className="mt-10 border-line border-t pt-5 text-[15px] text-ink-2">
        {props.ask}
        {props.contact ? `: ${props.contact}` : ' that invited you.'}
      </p>
    </StandalonePage>
  )
}

/** The clock keeps running while the test is open elsewhere. */
function ClockLine({ clock }: { clock: AttemptClock }) {
  const { secondsLeft } = useSyncExternalStore(clock.subscribe, clock.getView)
  if (secondsLeft === 0) return null
  return (
    <p role="timer" className="mt-6 border-ink border-t pt-5">
      <span className="font-medium text-[28px] leading-none">
        {formatMinutes(secondsLeft * 1000)}
      </span>{' '}
      <span className="text-ink-2">remaining, and the clock is running</span>
    </p>
  )
}

/** Shown after the last moment to start (product 6.12.15). */
export function TestClosed(props: OfTest & { message: string }) {
  return (
    <InItsPlace
      {...props}
      heading={props.message}
      message="The start deadline has passed. Anyone who started before it keeps their full time."
      ask="Think it should be open for you? Tell the society"
    />
  )
}

/** Shown in a window that another window has replaced (product 6.4.5). */
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

/** Shown after an organizer replaced the candidate's password (product 6.2.11). */
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
