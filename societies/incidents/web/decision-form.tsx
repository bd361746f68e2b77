import { type ReactNode, useRef, useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { countOf } from '../../../platform/words.ts'
import { useSociety } from '../../kit/web/console/console.tsx'
import { AreaField, Segments } from '../../kit/web/fields.tsx'
import { Problem, useAct, useMayAll, usePlace } from '../../kit/web/use-act.tsx'
import {
  DECIDED_AT_ONCE,
  decideIncidents,
  REASON_LENGTH,
  type ShownIncident,
  type VerdictWord,
} from '../contract.ts'
import { type IncidentOf, isOpen, standingOf, VERDICT_WORDS } from './incident-headlines.ts'

/** Whether this member may decide an incident: it is open, and another member reported it. */
export function useMayDecide(): (one: ShownIncident) => boolean {
  const { may } = useSociety()
  const isOwner = useMayAll('decide_incident')
  return (one) => may('decide_incident') && isOpen(one) && (isOwner || one.report?.isMine !== true)
}

/** One decision and one reason for all selected incidents (product 7.16.7). */
export function DecisionForm(props: {
  of: readonly IncidentOf[]
  onDone: () => void
  children?: ReactNode
}) {
  const { of, onDone } = props
  const place = usePlace()
  const [verdict, setVerdict] = useState<VerdictWord | null>(null)
  const [reason, setReason] = useState('')
  // The same decision keeps its id, so that it is saved once even if it is sent twice.
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
      return call(decideIncidents, {
        params: place,
        body: { incidents, verdict, reason: reason.trim() },
      })
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
        Needs a talk: ask first; the incident stays open. No score changes. If you clear a strike,
        one more press takes it back.
      </p>
      <AreaField
        label={of.length > 1 ? 'Reason, the same for all' : 'Reason'}
        maxLength={REASON_LENGTH}
        placeholder="Why: the candidate may ask"
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
