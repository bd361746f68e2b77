import { type ReactNode, useRef, useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { countOf } from '../../../platform/words.ts'
import { Reason, useReason } from '../../acts/web/reason.tsx'
import { useAssessment, useSociety } from '../../kit/web/console/console.tsx'
import { AreaField, Segments } from '../../kit/web/fields.tsx'
import { ActButton, Problem, useAct, useMayAll, usePlace } from '../../kit/web/use-act.tsx'
import { zoneMoment, zoneTime } from '../../kit/zone-time.ts'
import {
  countStrikesAgain,
  DECIDED_AT_ONCE,
  decideIncidents,
  REASON_LENGTH,
  type ShownIncident,
  takeClearedStrikesBack,
  type VerdictWord,
  withdrawVerdict,
} from '../contract.ts'
import {
  type IncidentOf,
  isClearedStrike,
  isOpen,
  standingOf,
  VERDICT_WORDS,
} from './incident-headlines.ts'

/** Whether this member can decide an incident. It must be open, and another member must have reported it. */
export function useMayDecide(): (one: ShownIncident) => boolean {
  const { may } = useSociety()
  const isOwner = useMayAll('decide_incident')
  return (one) => may('decide_incident') && isOpen(one) && (isOwner || one.report?.isMine !== true)
}

/** Saves one decision and one reason for all selected incidents (product 7.16.7). */
export function DecisionForm(props: {
  of: readonly IncidentOf[]
  onDone: () => void
  children?: ReactNode
}) {
  const { of, onDone } = props
  const place = usePlace()
  const [verdict, setVerdict] = useState<VerdictWord | null>(null)
  const [reason, setReason] = useState('')
  // A retry reuses the decision's id, so that it's saved only once.
  const ids = useRef(new Map<string, string>())
  const write = useAct(
    (verdict: VerdictWord) => {
      const incidents = of.map(({ candidate, one }) => {
        const known = standingOf(one)?.id ?? null
        const key = `${candidate.id} ${one.name} ${known}`
        const id = ids.current.get(key) ?? crypto.randomUUID()
        ids.current.set(key, id)
        return { id, candidate: candidate.id, incident: one.name, known }
      })
      return call(decideIncidents, { params: place, body: { incidents, verdict, reason } })
    },
    ({ decided }) => {
      toast.success(`Saved ${countOf(decided, 'decision')}`)
      setVerdict(null)
      setReason('')
      onDone()
    },
  )
  const isTooMany = of.length > DECIDED_AT_ONCE
  const isReady = of.length > 0 && !isTooMany && verdict !== null && reason.trim() !== ''
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) write.run(verdict)
      }}
      aria-label="Decision"
      className="grid gap-2.5 rounded-[8px] border border-ink bg-surface p-4"
    >
      <h2 className="text-[18px]">{countOf(of.length, 'incident')} selected</h2>
      {props.children}
      <Segments
        legend="Verdict"
        className="w-full"
        options={Object.entries(VERDICT_WORDS) as [VerdictWord, string][]}
        value={verdict}
        onChange={setVerdict}
      />
      <p className="hint text-pretty text-ink-2">
        Cleared: nothing is held against the candidate. Upheld: it is held against the candidate.
        Needs follow-up: talk to the candidate first. The incident stays open. No score changes. If
        you clear a strike, you can then take it back.
      </p>
      <AreaField
        label={of.length > 1 ? 'Reason for all of them' : 'Reason'}
        maxLength={REASON_LENGTH}
        placeholder="The candidate may ask why"
        value={reason}
        onChange={setReason}
      />
      {isTooMany && (
        <p className="amber text-[13px]">
          You can save at most {DECIDED_AT_ONCE} decisions at once. Select fewer incidents.
        </p>
      )}
      <button type="submit" className="btn" aria-disabled={!isReady || write.isBusy}>
        {write.isBusy ? 'Saving…' : `Save ${countOf(of.length, 'decision')}`}
      </button>
      <Problem text={write.problem} />
    </form>
  )
}

export function Verdicts({ of }: { of: IncidentOf }) {
  const { one } = of
  const place = usePlace()
  const { timeZone } = useAssessment()
  const { may } = useSociety()
  const isOwner = useMayAll('decide_incident')
  const withdraw = useAct((verdict: string) =>
    call(withdrawVerdict, { params: { ...place, verdict } }),
  )
  const standing = standingOf(one)
  const withdrawn = one.verdicts.filter(({ withdrawnAt }) => withdrawnAt !== null)
  return (
    <div className="grid gap-2 text-[13px] text-ink-2">
      {standing ? (
        <div>
          <span className="mb-1 inline-block rounded-[5px] border border-line-strong px-2 py-0.5 font-medium text-[12.5px] text-ink">
            {VERDICT_WORDS[standing.verdict]}
          </span>
          <p className="text-pretty">
            <span className="whitespace-pre-line">“{standing.reason}”</span> {standing.by},{' '}
            {zoneMoment(standing.at, timeZone, Date.now())}.{' '}
            {may('decide_incident') && (standing.isMine || isOwner) && (
              <ActButton
                act={{ ...withdraw, run: () => withdraw.run(standing.id) }}
                className="quiet-link max-md:min-h-11"
              >
                Take the verdict back
              </ActButton>
            )}
          </p>
        </div>
      ) : (
        <p>
          {one.report?.isMine && !isOwner
            ? 'You reported this incident, so another reviewer has to decide it.'
            : waitingWords(one)}
        </p>
      )}
      {isClearedStrike(one) && <ClearedStrikes of={[of]} isOfOne />}
      {one.strike?.standing === 'taken_back' && may('void_event') && (
        <StrikeTakenBack of={of} number={one.strike.number} />
      )}
      {withdrawn.length > 0 && (
        <details>
          <summary className="w-fit cursor-pointer underline-offset-4 hover:underline max-md:min-h-11">
            {countOf(withdrawn.length, 'verdict was', 'verdicts were')} taken back
          </summary>
          <ul className="grid gap-1 pt-1">
            {withdrawn.map(({ id, verdict, reason, by, withdrawnBy, withdrawnAt }) => (
              <li key={id} className="text-pretty">
                <s>{VERDICT_WORDS[verdict]}</s> “{reason}” {by}; taken back by {withdrawnBy},{' '}
                {withdrawnAt && zoneTime(withdrawnAt, timeZone)}.
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

function waitingWords({ strike, asks, kind }: ShownIncident): string {
  if (strike?.standing === 'taken_back') {
    return `Taken back${strike.reason ? `: “${strike.reason}”` : ''}. No verdict needed.`
  }
  if (strike?.standing === 'exempt') return 'Now exempt. No verdict needed.'
  if (asks) return 'Waiting for a verdict.'
  return `${kind === 'report' ? 'A note' : 'Never counted'}. No verdict needed.`
}

const named = ({ candidate, one }: IncidentOf) => ({ candidate: candidate.id, incident: one.name })

/**
 * Warns that strikes of cleared incidents still count, and takes them back with the verdicts' reasons, without names
 * (product 7.16.14).
 * @param props.isOfOne whether it's shown next to a single incident
 */
export function ClearedStrikes(props: { of: readonly IncidentOf[]; isOfOne?: boolean }) {
  const { of, isOfOne = false } = props
  const place = usePlace()
  const { may } = useSociety()
  const incidents = of.map(named)
  const again = useCountAgain()
  const what = isOfOne ? `Strike ${of[0]?.one.strike?.number}` : countOf(of.length, 'strike')
  const takeBack = useAct(
    () => call(takeClearedStrikesBack, { params: place, body: { incidents } }),
    ({ takenBack, mayBeReopened }) =>
      toast.undoable(
        `Took back ${countOf(takenBack, 'strike')}`,
        () => again.run({ incidents, reason: 'undone immediately' }),
        mayBeReopened > 0
          ? `${countOf(mayBeReopened, 'test')} had been ended by strikes. An owner can reopen ${mayBeReopened === 1 ? 'it' : 'them'} on Live.`
          : undefined,
      ),
  )
  return (
    <div className="grid justify-items-start gap-2">
      <p className="amber text-pretty">
        {isOfOne ? what : `${what} of cleared incidents`} still{' '}
        {of.length === 1 ? 'counts' : 'count'}. While a strike counts, the results say ‘cheated’.
      </p>
      {may('void_event') && (
        <ActButton act={takeBack} busy="Taking back…" className="btn btn-ghost btn-small">
          Take {what.toLowerCase()} back too
        </ActButton>
      )}
    </div>
  )
}

/** Restores strikes. It reports the outcome in a toast, because the page may be gone by then. */
function useCountAgain() {
  const place = usePlace()
  return useAct(
    (body: { incidents: ReturnType<typeof named>[]; reason: string }) =>
      call(countStrikesAgain, { params: place, body }),
    ({ counted }) =>
      toast.success(counted === 1 ? 'The strike counts again' : `${counted} strikes count again`),
    (problem) => toast.error('The strike was not counted again', problem),
  )
}

const focus = (form: HTMLFormElement | null) => form?.focus()

/** Restores a strike that was taken back, with a reason (product 7.16.14). */
function StrikeTakenBack({ of, number }: { of: IncidentOf; number: number }) {
  const [isAsking, setIsAsking] = useState(false)
  const again = useCountAgain()
  const reason = useReason()
  const label = `Count strike ${number} again`
  const small = (look: string) => `btn ${look} btn-small max-md:min-h-11`
  return isAsking ? (
    <form
      ref={focus}
      tabIndex={-1}
      className="grid gap-2.5 outline-none"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        if (reason.isGiven) again.run({ incidents: [named(of)], reason: reason.reason })
      }}
    >
      <Reason of={reason} />
      <div className="flex flex-wrap gap-3">
        <button type="submit" className={small('')} aria-disabled={!reason.isGiven || again.isBusy}>
          {again.isBusy ? 'Counting…' : label}
        </button>
        <button type="button" className={small('btn-ghost')} onClick={() => setIsAsking(false)}>
          Cancel
        </button>
      </div>
    </form>
  ) : (
    <button
      type="button"
      className="quiet-link w-fit max-md:min-h-11"
      onClick={() => setIsAsking(true)}
    >
      {label}
    </button>
  )
}
