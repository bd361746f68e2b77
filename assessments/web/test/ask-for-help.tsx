import { LifeBuoy } from 'lucide-react'
import { useState } from 'react'
import { timeOfDay } from '../../../platform/web/dates.ts'
import { Field } from '../../../platform/web/ui/field.tsx'
import { HELP_LENGTH, HELP_LIMIT } from '../../help.ts'
import type { Attempt } from '../attempt/attempt.ts'
import type { RunningView } from '../attempt/attempt-view.ts'

const takeFocus = (input: HTMLInputElement | null) => input?.focus({ preventScroll: true })

/** Sends help requests to the society's helpers, and shows whether a helper has read the last one (product 6.14.6). */
export function AskForHelp({ attempt, view }: { attempt: Attempt; view: RunningView }) {
  const [text, setText] = useState<string | null>(null)
  const isOver = view.help.length >= HELP_LIMIT
  const close = () => setText(null)
  return (
    <section aria-label="Help" className="mt-8 border-line border-t pt-4 [grid-column:1/-1]">
      {text === null ? (
        <button
          type="button"
          className="btn btn-ghost btn-nav min-h-11"
          disabled={isOver || view.isHelpWaiting || view.isEnding}
          onClick={() => setText('')}
        >
          <LifeBuoy size={16} aria-hidden />
          Ask for help
        </button>
      ) : (
        <form
          className="max-w-[68ch]"
          onSubmit={(event) => {
            event.preventDefault()
            attempt.askForHelp(text)
            close()
          }}
        >
          <Field
            ref={takeFocus}
            label="What’s the problem?"
            note="optional"
            hint="A request is never a strike. The clock keeps running."
            autoComplete="off"
            maxLength={HELP_LENGTH}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <div className="mt-3 flex flex-wrap gap-3">
            <button type="submit" className="btn btn-nav min-h-11">
              Send request
            </button>
            <button type="button" className="btn btn-ghost btn-nav min-h-11" onClick={close}>
              Cancel
            </button>
          </div>
        </form>
      )}
      <p role="status" className="mt-3 empty:mt-0 text-[15px] text-ink-2">
        {stateOf(view)}
        {isOver && ` You’ve reached the limit of ${HELP_LIMIT} requests.`}
      </p>
    </section>
  )
}

const SENDING = 'Sending your request. Without a connection, it’s sent as soon as there is one.'
const timeOf = (ms: number) => timeOfDay(new Date(ms).toISOString())

function stateOf({ isHelpWaiting, help }: RunningView): string {
  const last = help.at(-1)
  if (isHelpWaiting) return SENDING
  if (!last) return ''
  return `You asked for help at ${timeOf(last.atMs)}. ${
    last.readMs === null
      ? 'No helper has read it yet.'
      : `A helper read it at ${timeOf(last.readMs)}. An answer appears at the top of this page.`
  }`
}
