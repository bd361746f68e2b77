import { useState } from 'react'
import { nameOfAct } from '../../../assessments/violations.ts'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { DialogFrame } from '../../kit/web/dialog-frame.tsx'
import { AreaField } from '../../kit/web/fields.tsx'
import { sentenceOf } from '../../kit/web/loaded.tsx'
import { useAct, usePlace } from '../../kit/web/use-act.tsx'
import { zoneTime } from '../../kit/zone-time.ts'
import {
  acceptLateAnswers,
  listLateAnswers,
  listMessages,
  MESSAGE_LENGTH,
  readStrikes,
  restoreStrikes,
  sendMessage,
  takeStrikesBack,
  withdrawMessage,
} from '../contract.ts'
import { Reason, useReason } from './reason.tsx'
import { type DialogProps, nameOf, type Whom, WhomSwitch } from './whom.tsx'

type Strike = ResponseOf<typeof readStrikes>['strikes'][number]

/** Takes back one strike, or all of a minute in a room. They stay on record with the reason (product 7.15.7). */
export function StrikesDialog(props: DialogProps) {
  const place = usePlace()
  const { timeZone } = useAssessment()
  const [whom, setWhom] = useState(props.options[0] as Whom)
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  const reason = useReason()
  const read = useEndpoint(
    readStrikes,
    { params: place, body: { to: whom.to } },
    { staleTime: 0, every: 10_000 },
  )
  const strikes = read.data?.strikes ?? []
  const again = useAct(
    (body: { events: number[]; reason: string }) => call(restoreStrikes, { params: place, body }),
    ({ events }) =>
      toast.success(`${countOf(events.length, 'strike counts', 'strikes count')} again`),
    // The toast can outlive the dialog, so the error is shown as a toast too.
    (problem) => toast.error('Not undone', problem),
  )
  const back = useAct(
    (chosen: Strike[], requestId) => {
      const events = chosen.map(({ event }) => event)
      return call(takeStrikesBack, {
        params: place,
        body: { requestId, events, reason: reason.reason },
      })
    },
    ({ events, mayBeReopened }, chosen) => {
      const [only, ...others] = groupsOf(chosen, timeZone)
      const of = only && others.length === 0 ? ` of ${only[0]}` : ''
      const names = mayBeReopened.map(({ username }) => username).join(', ')
      toast.undoable(
        `Took back ${countOf(events.length, 'strike')}${of}`,
        () => again.run({ events, reason: 'undone immediately' }),
        names
          ? `${names}: the test was ended by strikes. Use Reopen to let them continue.`
          : undefined,
      )
      props.onDone()
    },
  )
  const chosen = strikes.filter(({ event, takenBack }) => ticked.has(event) && takenBack === null)
  const toggle = (events: readonly number[]) => {
    const others = [...ticked].filter((event) => !events.includes(event))
    const isOn = events.every((event) => ticked.has(event))
    setTicked(new Set(isOn ? others : [...others, ...events]))
  }
  const isReady = chosen.length > 0 && reason.isGiven
  return (
    <DialogFrame
      work="narrow"
      title={`Take back strikes of ${whom.name}`}
      problem={read.error ? sentenceOf(read.error) : (back.problem ?? again.problem)}
      note="They stay on record with your reason, but no longer count."
      button={[
        chosen.length === 0 ? 'Take strikes back' : `Take ${countOf(chosen.length, 'strike')} back`,
        'Taking back…',
      ]}
      isReady={isReady}
      isBusy={back.isBusy}
      onAct={() => isReady && back.run(chosen)}
      onClose={props.onClose}
    >
      <div className="grid flex-1 auto-rows-max content-start gap-4 overflow-y-auto px-6 py-5">
        <WhomSwitch
          options={props.options}
          value={whom}
          onChange={(next) => {
            setWhom(next)
            setTicked(new Set())
          }}
        />
        {strikes.length === 0 && (
          <p className="text-ink-2">{read.isLoading ? 'Loading…' : 'No strikes.'}</p>
        )}
        {groupsOf(strikes, timeZone).map(([title, members]) => {
          const standing = members.filter(({ takenBack }) => takenBack === null)
          return (
            <fieldset key={title}>
              <legend className="head w-full font-medium">
                {title}
                {standing.length > 1 && (
                  <button
                    type="button"
                    className="quiet-link ml-auto font-normal max-md:min-h-11"
                    onClick={() => toggle(standing.map(({ event }) => event))}
                  >
                    Tick all {standing.length}
                  </button>
                )}
              </legend>
              <ul>
                {members.map((strike) => (
                  <StrikeRow
                    key={strike.event}
                    strike={strike}
                    isTicked={ticked.has(strike.event)}
                    onToggle={() => toggle([strike.event])}
                    onRestore={
                      reason.isGiven && !again.isBusy
                        ? () => again.run({ events: [strike.event], reason: reason.reason })
                        : null
                    }
                  />
                ))}
              </ul>
            </fieldset>
          )
        })}
        {strikes.length > 0 && <Reason of={reason} />}
      </div>
    </DialogFrame>
  )
}

function StrikeRow(props: {
  strike: Strike
  isTicked: boolean
  onToggle: () => void
  /** Null while a reason is missing. */
  onRestore: (() => void) | null
}) {
  const { strike, onRestore } = props
  const { event, takenBack } = strike
  const isBack = takenBack !== null
  const { timeZone } = useAssessment()
  return (
    <li className="flex min-h-9 items-center gap-3 border-line border-b py-1">
      <input
        type="checkbox"
        id={`strike-${event}`}
        disabled={isBack}
        checked={props.isTicked && !isBack}
        onChange={props.onToggle}
      />
      <label htmlFor={`strike-${event}`} className={`min-w-0 flex-1 ${isBack ? 'text-ink-2' : ''}`}>
        <span className={isBack ? 'line-through' : ''}>
          <span className="figures mr-2">{zoneTime(strike.at, timeZone)}</span>
          {nameOf(strike)}: {nameOfAct(strike.kind, strike.key ?? undefined)}
        </span>
        {strike.endedTest && ', which ended the test'}
        {isBack && ` (taken back: ${takenBack})`}
      </label>
      {isBack && (
        <button
          type="button"
          className="quiet-link flex-none max-md:min-h-11"
          aria-disabled={onRestore === null}
          title={onRestore ? undefined : 'Give a reason first'}
          onClick={() => onRestore?.()}
        >
          Count it again
        </button>
      )}
    </li>
  )
}

/** Groups strikes of one minute in one room, because an event such as a fire alarm affects the whole room. */
function groupsOf(strikes: readonly Strike[], timeZone: string) {
  const groups = new Map<string, Strike[]>()
  for (const strike of strikes) {
    const title = `${zoneTime(strike.at, timeZone)}${strike.room ? ` in room ${strike.room}` : ''}`
    groups.set(title, [...(groups.get(title) ?? []), strike])
  }
  return [...groups]
}

const STANDING = {
  counts: 'would count: chosen in time, held up by an outage',
  too_late: 'chosen after the end',
  unknown: 'it is unknown when it was chosen',
  not_held_up: 'there was no outage: only the page says when it was chosen',
  outdated: 'a newer choice is stored',
  open: 'the test continues',
} as const

/** Lists answers that arrived after the end, and whether they would count (product 7.15.8). */
export function LateDialog(props: { onClose: () => void; onDone: () => void }) {
  const place = usePlace()
  const { timeZone } = useAssessment()
  const reason = useReason()
  const late = useEndpoint(listLateAnswers, { params: place }, { staleTime: 0 })
  const { people = [], acceptable = 0, changes = 0 } = late.data ?? {}
  const accept = useAct(
    (_: undefined, requestId) => {
      const body = { requestId, reason: reason.reason, candidate: null }
      return call(acceptLateAnswers, { params: place, body })
    },
    (done) => {
      const changed = `${countOf(done.changes, 'result')} changed.`
      toast.success(`${countOf(done.accepted, 'answer')} counted`, changed)
      props.onDone()
    },
  )
  const effect = countOf(changes, 'result changes', 'results change')
  return (
    <DialogFrame
      work="narrow"
      title="Late answers"
      problem={accept.problem ?? (late.error ? sentenceOf(late.error) : null)}
      note="Answers chosen too late never count. Where only the page says when one was chosen, reopen the test."
      button={
        acceptable > 0 ? [`Count ${countOf(acceptable, 'answer')}: ${effect}`, 'Counting…'] : null
      }
      isReady={reason.isGiven}
      isBusy={accept.isBusy}
      onAct={() => reason.isGiven && accept.run()}
      onClose={props.onClose}
    >
      <div className="grid flex-1 auto-rows-max content-start gap-4 overflow-y-auto px-6 py-5">
        {late.data && people.length === 0 && <p>No answer came after the end.</p>}
        {people.map((person) => (
          <section key={person.id}>
            <h3 className="head">{nameOf(person)}</h3>
            <ul className="figures">
              {person.answers.map(({ item, chosenAt, receivedAt, standing }) => (
                <li
                  key={`${item} ${receivedAt} ${standing}`}
                  className="grid grid-cols-[92px_minmax(0,1fr)] gap-x-3 border-line border-b py-1.5"
                >
                  <span>Question {item}</span>
                  <span className={standing === 'counts' ? 'font-medium' : 'text-ink-2'}>
                    {chosenAt && `chosen ${zoneTime(chosenAt, timeZone)}, `}came{' '}
                    {zoneTime(receivedAt, timeZone)}: {STANDING[standing]}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        ))}
        {acceptable > 0 && <Reason of={reason} />}
      </div>
    </DialogFrame>
  )
}

const QUICK = [
  'Carry on, everything is in order.',
  'Please wait where you are. You will get the time back.',
  'Please raise your hand.',
]

/** Sends a message to candidates. They see it within a minute, above their question (product 7.15.6). */
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
      // If the response to an earlier request was lost, the server has already sent that request's text.
      const earlier = sent === message ? '' : `Sent before: “${sent}” `
      toast.undoable(
        `Wrote to ${whom.name}`,
        () => withdraw.run(ids),
        `${earlier}${countOf(inside, 'candidate is', 'candidates are')} taking the test and will see it within a minute.`,
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
