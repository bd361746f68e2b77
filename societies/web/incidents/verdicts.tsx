import { call } from '../../../platform/web/api.ts'
import { type ShownIncident, withdrawVerdict } from '../../contract/incidents.ts'
import { zoneDay, zoneTime } from '../../zone-time.ts'
import { useAssessment, useSociety } from '../console/console.tsx'
import { ActButton, useAct, useMayAll, usePlace } from '../kit/use-act.tsx'
import { ClearedStrikes, StrikeTakenBack } from './cleared-strikes.tsx'
import { isClearedStrike, standingOf, VERDICT_WORDS } from './incident-headlines.ts'

type Verdict = ShownIncident['verdicts'][number]

/** What was decided about an incident, and what can be done about it now. */
export function Verdicts(props: {
  candidate: string
  one: ShownIncident
  /** nothing is judged while somebody writes */
  isLive: boolean
}) {
  const { candidate, one, isLive } = props
  const { may } = useSociety()
  const isOwner = useMayAll('decide_incident')
  const standing = standingOf(one)
  const mayDecide = may('decide_incident') && !isLive
  const isOwnReport = one.report?.isMine === true && !isOwner
  const whose = { candidate, incident: one.name, number: one.strike?.number ?? null }
  return (
    <div className="grid gap-2 text-[13px] text-ink-2">
      {standing && (
        <Written verdict={standing} mayWithdraw={mayDecide && (standing.isMine || isOwner)} />
      )}
      {!isLive && isClearedStrike(one) && <ClearedStrikes of={[whose]} isOfOne />}
      {!standing && isOwnReport && (
        <p>You reported this incident, so another reviewer has to decide it.</p>
      )}
      {!standing && !isOwnReport && <p>{waitingWords(one)}</p>}
      {!isLive && one.strike?.standing === 'taken_back' && may('void_event') && (
        <StrikeTakenBack of={whose} />
      )}
      <TakenBack verdicts={one.verdicts} />
    </div>
  )
}

function waitingWords(one: ShownIncident): string {
  if (one.strike?.standing === 'taken_back') {
    return `Taken back${one.strike.reason ? `: “${one.strike.reason}”` : ''}. No verdict is asked.`
  }
  if (one.strike?.standing === 'exempt') return 'Exempt since. No verdict is asked.'
  if (!one.asks)
    return one.kind === 'report'
      ? 'A note. No verdict is asked.'
      : 'Never counted. No verdict is asked.'
  return 'Waits for a verdict.'
}

function Written({ verdict, mayWithdraw }: { verdict: Verdict; mayWithdraw: boolean }) {
  const place = usePlace()
  const { timeZone } = useAssessment()
  const nowMs = Date.now()
  const withdraw = useAct(() =>
    call(withdrawVerdict, { params: { ...place, verdict: verdict.id } }),
  )
  return (
    <div>
      <span className="mb-1 inline-block rounded-[5px] border border-line-strong px-2 py-0.5 font-medium text-[12.5px] text-ink">
        {VERDICT_WORDS[verdict.verdict]}
      </span>
      <p className="text-pretty">
        <span className="whitespace-pre-line">“{verdict.reason}”</span> {verdict.by},{' '}
        {zoneDay(verdict.at, timeZone, nowMs)}, {zoneTime(verdict.at, timeZone)}.
        {mayWithdraw && (
          <>
            {' '}
            <ActButton act={withdraw} className="quiet-link max-md:min-h-11">
              Take the verdict back
            </ActButton>
          </>
        )}
      </p>
    </div>
  )
}

/** Rows that were taken back stay to be read. */
function TakenBack({ verdicts }: { verdicts: readonly Verdict[] }) {
  const { timeZone } = useAssessment()
  const back = verdicts.filter(({ withdrawnAt }) => withdrawnAt !== null)
  if (back.length === 0) return null
  return (
    <details>
      <summary className="w-fit cursor-pointer underline-offset-4 hover:underline max-md:min-h-11">
        {back.length === 1 ? 'One verdict was' : `${back.length} verdicts were`} taken back
      </summary>
      <ul className="grid gap-1 pt-1">
        {back.map((one) => (
          <li key={one.id} className="text-pretty">
            <s>{VERDICT_WORDS[one.verdict]}</s> “{one.reason}” {one.by}; taken back by{' '}
            {one.withdrawnBy}, {one.withdrawnAt && zoneTime(one.withdrawnAt, timeZone)}.
          </li>
        ))}
      </ul>
    </details>
  )
}
