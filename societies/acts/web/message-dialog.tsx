import { useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { DialogFrame } from '../../kit/web/dialog-frame.tsx'
import { AreaField } from '../../kit/web/fields.tsx'
import { useAct, usePlace } from '../../kit/web/use-act.tsx'
import { zoneTime } from '../../kit/zone-time.ts'
import { listMessages, MESSAGE_LENGTH, sendMessage, withdrawMessage } from '../contract.ts'
import { type DialogProps, type Whom, WhomSwitch } from './whom.tsx'

const QUICK = [
  'Carry on, everything is in order.',
  'Please wait where you are. You will get the time back.',
  'Please raise your hand.',
]

/** Writes to candidates; they read it within a minute, above their question (product 7.15.6). */
export function MessageDialog(props: DialogProps & { asked?: string | null }) {
  const place = usePlace()
  const [whom, setWhom] = useState(props.options[0] as Whom)
  const [text, setText] = useState('')
  const message = text.trim()
  const withdraw = useAct(
    (ids: number[]) => call(withdrawMessage, { params: place, body: { ids } }),
    () => toast.success('Message taken back'),
    (problem) => toast.error('Not taken back', problem),
  )
  const send = useAct(
    (_: undefined, requestId) =>
      call(sendMessage, { params: place, body: { requestId, to: whom.to, text: message } }),
    ({ ids, inside, text: sent }) => {
      // A request whose answer got lost was done as it was sent first.
      const earlier = sent === message ? '' : `Sent before: “${sent}” `
      toast.undoable(
        `Wrote to ${whom.name}`,
        () => withdraw.run(ids),
        `${earlier}${countOf(inside, 'is inside and reads', 'are inside and read')} it within a minute.`,
      )
      props.onDone()
    },
  )
  return (
    <DialogFrame
      work="narrow"
      title={`Message to ${whom.name}`}
      problem={send.problem}
      note="They read it above their question, without your name. It stays until they dismiss it."
      button={[`Send to ${whom.name}`, 'Sending…']}
      isReady={message !== ''}
      isBusy={send.isBusy}
      onAct={() => message !== '' && send.run()}
      onClose={props.onClose}
    >
      <div className="grid flex-1 auto-rows-max content-start gap-3 overflow-y-auto px-6 py-5">
        {props.asked && <p className="break-words">They asked: “{props.asked}”</p>}
        <WhomSwitch options={props.options} value={whom} onChange={setWhom} />
        <AreaField
          label="Message"
          rows={3}
          maxLength={MESSAGE_LENGTH}
          value={text}
          onChange={setText}
        />
        <div className="flex flex-wrap gap-1.5">
          {QUICK.map((words) => (
            <button key={words} type="button" className="quick" onClick={() => setText(words)}>
              {words}
            </button>
          ))}
        </div>
        <Sent onWithdraw={withdraw.run} />
      </div>
    </DialogFrame>
  )
}

function Sent({ onWithdraw }: { onWithdraw: (ids: number[]) => void }) {
  const place = usePlace()
  const { timeZone } = useAssessment()
  const sent = useEndpoint(listMessages, { params: place }, { staleTime: 0 })
  const messages = sent.data?.messages ?? []
  if (messages.length === 0) return null
  return (
    <section className="mt-3">
      <h3 className="head">Written so far</h3>
      <ul>
        {messages.map(({ ids, text, to, at, by, isWithdrawn }) => (
          <li
            key={ids[0]}
            className="grid grid-cols-[44px_minmax(0,1fr)_auto] gap-x-3 border-line border-b py-2"
          >
            <time dateTime={at} className="figures text-ink-2">
              {zoneTime(at, timeZone)}
            </time>
            <span className={isWithdrawn ? 'text-ink-2 line-through' : ''}>
              <span className="text-ink-2">
                {by} to {to}:
              </span>{' '}
              {text}
            </span>
            {isWithdrawn ? (
              <span className="hint text-ink-2">taken back</span>
            ) : (
              <button
                type="button"
                className="quiet-link self-start max-md:min-h-11"
                aria-label={`Take back: ${text}`}
                onClick={() => onWithdraw(ids)}
              >
                Take back
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
