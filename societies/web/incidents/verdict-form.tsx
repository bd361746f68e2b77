import { type ReactNode, useId, useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { decideIncident, REASON_LENGTH, type VerdictWord } from '../../contract/incidents.ts'
import { ReasonField } from '../console/reason-field.tsx'
import { useAct, usePlace } from '../console/use-act.ts'
import { VERDICT_WORDS } from './incident-headlines.ts'

/** Which verdict, and why: the same for an incident and for a whole room. */
export function VerdictFields(props: {
  verdict: VerdictWord | null
  reason: string
  onVerdict: (verdict: VerdictWord) => void
  onReason: (reason: string) => void
  placeholder: string
}) {
  const id = useId()
  return (
    <>
      <fieldset>
        <legend className="sr-only">Verdict</legend>
        <div className="segments w-full md:w-auto">
          {(Object.keys(VERDICT_WORDS) as VerdictWord[]).map((word) => (
            <button
              key={word}
              type="button"
              aria-pressed={word === props.verdict}
              className="max-md:min-h-11! max-md:flex-1 max-md:justify-center"
              onClick={() => props.onVerdict(word)}
            >
              {VERDICT_WORDS[word]}
            </button>
          ))}
        </div>
      </fieldset>
      <p className="hint text-pretty text-ink-2">
        Cleared: nothing is held against them. Upheld: it is held against them. Needs a talk: ask
        first; it stays open. A verdict changes neither the score nor ‘cheated’, which strikes alone
        make: where it clears, one more press takes the strike back.
      </p>
      <label htmlFor={id} className="sr-only">
        Reason
      </label>
      <ReasonField
        id={id}
        maxLength={REASON_LENGTH}
        placeholder={props.placeholder}
        value={props.reason}
        onChange={props.onReason}
      />
    </>
  )
}

/** A verdict on one incident, the first or the second one. */
export function VerdictForm(props: {
  candidate: string
  incident: string
  /** the first verdict as it is known; null: none yet */
  first: { id: string; verdict: VerdictWord } | null
  needsSecond: boolean
  /** the first verdict asked for a talk, and this one takes its place */
  isAfterTalk?: boolean
  onCancel?: () => void
  onDone?: () => void
  children?: ReactNode
}) {
  const { candidate, incident, first, needsSecond, onDone, isAfterTalk = false } = props
  const agreesWith = isAfterTalk ? null : first
  const place = usePlace()
  const [verdict, setVerdict] = useState<VerdictWord | null>(agreesWith?.verdict ?? null)
  const [reason, setReason] = useState('')
  // Sent twice it is written once.
  const [id, setId] = useState(() => crypto.randomUUID())
  const write = useAct(
    (given: { verdict: VerdictWord; reason: string }) =>
      call(decideIncident, {
        params: { ...place, candidate },
        body: { id, incident, first: first?.id ?? null, ...given },
      }),
    () => {
      setId(crypto.randomUUID())
      setReason('')
      onDone?.()
    },
  )
  const isReady = verdict !== null && reason.trim() !== ''
  const press = agreesWith
    ? verdict === agreesWith.verdict
      ? 'Agree'
      : 'Write another verdict'
    : 'Write it down'
  return (
    <form className="grid gap-2.5" onSubmit={(event) => event.preventDefault()}>
      {props.children}
      <VerdictFields
        {...{ verdict, reason, onVerdict: setVerdict, onReason: setReason }}
        placeholder={
          agreesWith
            ? 'Why you agree, or do not'
            : isAfterTalk
              ? 'What came of the talk: the candidate may ask'
              : 'Why: the candidate may ask'
        }
      />
      <div className="flex flex-wrap items-center justify-end gap-2">
        {needsSecond && !agreesWith && (
          <span className="hint mr-auto text-ink-2">A second person has to say the same.</span>
        )}
        {props.onCancel && (
          <button type="button" className="btn btn-quiet" onClick={props.onCancel}>
            Cancel
          </button>
        )}
        <button
          type="button"
          className="btn max-md:w-full"
          aria-disabled={!isReady || write.isBusy}
          onClick={() => isReady && verdict && write.run({ verdict, reason: reason.trim() })}
        >
          {write.isBusy ? 'Writing…' : press}
        </button>
      </div>
      {write.problem && (
        <p role="alert" className="amber text-[13px]">
          {write.problem}
        </p>
      )}
    </form>
  )
}
