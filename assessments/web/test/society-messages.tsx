import { ChevronDown, Megaphone } from 'lucide-react'
import { useState } from 'react'
import { timeOfDay } from '../../../platform/web/dates.ts'
import { describeOwnTime } from '../../own-time.ts'
import type { Attempt } from '../attempt/attempt.ts'
import type { RunningView } from '../attempt/attempt-view.ts'

/** The newest that was not put away yet. */
const unreadOf = ({ messages, readIds }: RunningView) =>
  messages.filter(({ id }) => !readIds.has(id))

/**
 * What the society writes, until it is put away (product 6.14.3). It lies above what follows, as the line about
 * the connection does, so that nothing moves under a finger; a long one opens when it is asked for.
 */
export function MessageStrip(props: { attempt: Attempt; view: RunningView; onGone: () => void }) {
  const { attempt, view } = props
  const [openId, setOpenId] = useState<number | null>(null)
  const unread = unreadOf(view)
  const [message] = unread
  const isOpen = message !== undefined && openId === message.id
  const isLong = message !== undefined && (message.text.length > 110 || message.text.includes('\n'))
  return (
    <>
      {/* Always there: a reader announces what is put into it. */}
      <p role="status" className="sr-only">
        {message && `Message of the society: ${message.text}`}
      </p>
      {message && (
        <section aria-label="Message of the society" className="border-line border-y bg-surface">
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
                  Read it all
                </button>
              )}
              <button
                type="button"
                className="btn btn-ghost btn-nav"
                onClick={() => {
                  attempt.putAway(message.id)
                  // Where another one waits, its button stands in this one's place.
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

/** The last messages to read again, and one's own time, below everything that is answered. */
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
        Messages of the society ({messages.length})
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
