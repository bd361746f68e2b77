import {
  AlarmClock,
  Check,
  ChevronDown,
  CloudAlert,
  LoaderCircle,
  Megaphone,
  WifiOff,
} from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import { formatMinutes } from '../../../platform/durations.ts'
import { timeOfDay } from '../../../platform/web/dates.ts'
import { describeOwnTime } from '../../deadline.ts'
import type { SaveState } from '../attempt/answer-queue.ts'
import type { Attempt } from '../attempt/attempt.ts'
import type { RunningView } from '../attempt/attempt-view.ts'
import type { AttemptClock } from '../attempt/clock.ts'

/** Title, save state, strikes, clock and progress, always visible (product 6.5.1). */
export function TestHeader(props: {
  attempt: Attempt
  view: RunningView
  isOffline: boolean
  durationSeconds: number | undefined
  /** Called when the button that had the focus is removed. */
  onGone: () => void
}) {
  const { attempt, view, durationSeconds } = props
  const total = view.questions.length
  const answered = view.choices.size
  return (
    <header className="sticky top-0 z-20 border-line border-b bg-surface">
      <div className="wrap flex min-h-18 short:min-h-14 items-center justify-between gap-x-6 gap-y-1 py-2.5 short:py-1">
        <div className="min-w-0">
          <h1 className="line-clamp-2 font-medium font-sans text-[12px] text-ink-2 uppercase leading-snug tracking-[0.09em]">
            {view.title}
          </h1>
          <p className="mt-0.5 font-medium text-[16px] max-sm:hidden short:hidden">
            Online assessment
          </p>
          <div className="mt-1 flex items-center gap-3 sm:hidden">
            <Strikes count={view.violations} max={view.maxViolations} />
            <SaveStateText state={view.saveState} />
          </div>
        </div>
        <div className="flex flex-none items-center gap-6">
          <div className="flex items-center gap-6 max-sm:hidden">
            <SaveStateText state={view.saveState} />
            <Strikes count={view.violations} max={view.maxViolations} />
          </div>
          <Countdown clock={attempt.clock} own={ownTimeText(view, durationSeconds)} />
        </div>
      </div>
      <div
        role="progressbar"
        aria-label="Progress"
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={answered}
        aria-valuetext={`${answered} of ${total} answered`}
        className="h-1 bg-line"
      >
        <span className="block h-full bg-ink" style={{ width: `${(answered / total) * 100}%` }} />
      </div>
      {/* This overlays the content: an inserted line would move the options under a finger. */}
      <div className="absolute inset-x-0 top-full">
        <OfflineLine isOffline={props.isOffline} />
        <MessageStrip attempt={attempt} view={view} onGone={props.onGone} />
      </div>
      <SaveStateNews state={view.saveState} />
    </header>
  )
}

/** Shown whenever the connection is lost, even if nothing is unsaved (product 6.5.8). */
function OfflineLine({ isOffline }: { isOffline: boolean }) {
  const [wasOffline, setWasOffline] = useState(isOffline)
  if (isOffline && !wasOffline) setWasOffline(true)
  return (
    <div role="status">
      {isOffline ? (
        <p className="border-line border-y bg-mid-soft">
          <span className="wrap flex items-start gap-3 py-2.5 font-medium text-[15px] leading-snug">
            <WifiOff size={18} aria-hidden className="mt-px flex-none" />
            <span>
              No connection. Your answers are kept on this device. The clock keeps running. Stay on
              this page.
            </span>
          </span>
        </p>
      ) : (
        wasOffline && <span className="sr-only">Connected again</span>
      )}
    </div>
  )
}

/** A timer instead of a live region, because only two moments are announced (product 6.7.5). */
function Countdown({ clock, own }: { clock: AttemptClock; own: string | null }) {
  const { secondsLeft, isRed, announcement } = useSyncExternalStore(clock.subscribe, clock.getView)
  return (
    <>
      <p role="timer" className="text-end leading-none">
        <span
          className={`flex items-center justify-end gap-1.5 font-medium text-[28px] leading-none ${isRed ? 'grade-wrong' : ''}`}
        >
          {/* Color must not be the only sign. */}
          {isRed && <AlarmClock size={20} aria-hidden className="flex-none" />}
          {formatMinutes(secondsLeft * 1000)}
        </span>
        <span className="mt-1 block whitespace-nowrap text-[12.5px] text-ink-2 leading-none">
          remaining{own && <span className="max-sm:hidden"> of {own}</span>}
        </span>
      </p>
      <span role="status" className="sr-only">
        {announcement}
      </span>
    </>
  )
}

/** Shown only if the candidate's time differs from the others' (product 6.14.4). */
function ownTimeText({ ownTime }: RunningView, durationSeconds: number | undefined): string | null {
  const { extraSeconds, givenSeconds } = ownTime
  if (durationSeconds === undefined || (extraSeconds === 0 && givenSeconds === 0)) return null
  return describeOwnTime({ durationSeconds, extraSeconds, givenSeconds })
}

const SAVE_STATES = {
  saved: { text: 'Saved', Icon: Check, look: 'grade-right' },
  saving: { text: 'Saving', Icon: LoaderCircle, look: 'text-ink-2' },
  retrying: { text: 'Not saved: retrying', Icon: CloudAlert, look: 'grade-wrong font-medium' },
} as const

function SaveStateText({ state }: { state: SaveState }) {
  const { text, Icon, look } = SAVE_STATES[state]
  return (
    <p
      data-save-state={state}
      className={`flex min-w-[72px] items-center gap-1.5 whitespace-nowrap text-[14px] ${look}`}
    >
      <Icon size={16} aria-hidden className="flex-none" />
      {text}
    </p>
  )
}

/** Announces save problems and their end, but not every saved choice. */
function SaveStateNews({ state }: { state: SaveState }) {
  return (
    <span role="status" className="sr-only">
      {state === 'retrying' && SAVE_STATES.retrying.text}
    </span>
  )
}

function Strikes({ count, max }: { count: number; max: number }) {
  const squares = Array.from({ length: max }, (_, index) => index < count)
  return (
    <span
      role="img"
      aria-label={`Strikes: ${count} of ${max}`}
      title={`Strikes: ${count} of ${max}`}
      className="flex gap-1"
    >
      {squares.map((isFilled, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: each square's position identifies it
          key={index}
          className={`size-3.5 rounded-[3px] border ${isFilled ? 'border-wrong bg-wrong' : 'border-line-strong'}`}
        />
      ))}
    </span>
  )
}

const unreadOf = ({ messages, readIds }: RunningView) =>
  messages.filter(({ id }) => !readIds.has(id))

/** The society's message until it is dismissed (product 6.14.3). It overlays the content, so that nothing moves. */
function MessageStrip(props: { attempt: Attempt; view: RunningView; onGone: () => void }) {
  const { attempt, view } = props
  const [openId, setOpenId] = useState<number | null>(null)
  const unread = unreadOf(view)
  const [message] = unread
  const isOpen = message !== undefined && openId === message.id
  const isLong = message !== undefined && (message.text.length > 110 || message.text.includes('\n'))
  return (
    <>
      {/* Always present, because a screen reader only announces changes in an existing region. */}
      <p role="status" className="sr-only">
        {message && `Message from the society: ${message.text}`}
      </p>
      {message && (
        <section aria-label="Message from the society" className="border-line border-y bg-surface">
          <div className="wrap flex flex-wrap items-start gap-x-4 sm:items-center gap-y-1 py-2.5 text-[15px] leading-snug">
            <Megaphone size={18} aria-hidden className="mt-px flex-none" />
            <p
              className={`min-w-0 flex-1 break-words ${isOpen ? 'max-h-[40dvh] overflow-y-auto whitespace-pre-line' : 'line-clamp-2'}`}
            >
              <span className="font-medium">The society: </span>
              {message.text}
            </p>
            <span className="flex flex-none gap-2 max-sm:ml-auto">
              {isLong && !isOpen && (
                <button
                  type="button"
                  className="btn btn-ghost btn-nav"
                  onClick={() => setOpenId(message.id)}
                >
                  Read all
                </button>
              )}
              <button
                type="button"
                className="btn btn-ghost btn-nav"
                onClick={() => {
                  attempt.putAway(message.id)
                  // If another message waits, its button replaces this one and keeps the focus.
                  if (unread.length === 1) props.onGone()
                }}
              >
                {unread.length > 1 ? `Got it, ${unread.length - 1} more` : 'Got it'}
              </button>
            </span>
          </div>
        </section>
      )}
    </>
  )
}

/** Recent messages and the candidate's time limit, below the questions. */
export function SocietyMessages({
  view,
  durationSeconds,
}: {
  view: RunningView
  durationSeconds: number | undefined
}) {
  const { messages } = view
  if (messages.length === 0) return null
  return (
    <details className="group mt-8 border-line border-t pt-4 [grid-column:1/-1]">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 font-medium">
        Messages from the society ({messages.length})
        <ChevronDown size={16} aria-hidden className="group-open:rotate-180" />
      </summary>
      <ul className="max-w-[68ch]">
        {messages.map(({ id, text, at }) => (
          <li key={id} className="flex gap-4 border-line border-b py-2.5">
            <time dateTime={at} className="flex-none text-ink-2">
              {timeOfDay(at)}
            </time>
            <span className="min-w-0 whitespace-pre-line break-words">{text}</span>
          </li>
        ))}
      </ul>
      {durationSeconds !== undefined && (
        <p className="mt-3 text-ink-2">
          Your time: {describeOwnTime({ durationSeconds, ...view.ownTime })}
        </p>
      )}
    </details>
  )
}
