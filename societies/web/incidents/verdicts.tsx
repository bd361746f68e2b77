import { call } from '../../../platform/web/api.ts'
import { type ShownIncident, withdrawReport, withdrawVerdict } from '../../contract/incidents.ts'
import { mayWith } from '../../roles.ts'
import { zoneDay, zoneTime } from '../../zone-time.ts'
import { useAssessment, useSociety } from '../console/console.tsx'
import { useAct, usePlace } from '../console/use-act.ts'
import { ClearedStrikes, StrikeTakenBack } from './cleared-strikes.tsx'
import { isClearedStrike, VERDICT_WORDS, waitsForTalk } from './incident-headlines.ts'
import { VerdictForm } from './verdict-form.tsx'

type Verdict = ShownIncident['verdicts'][number]

/** What was decided about an incident, and the form where something is left to decide. */
export function Verdicts(props: {
  candidate: string
  one: ShownIncident
  needsSecond: boolean
  /** nothing is judged while somebody writes */
  isLive: boolean
  /** the form stands open */
  isOpen: boolean
  onOpen: () => void
}) {
  const { candidate, one, needsSecond } = props
  const { may, society } = useSociety()
  const roles = society.roles.map(({ role }) => role)
  const isOwner = mayWith(roles, 'decide_incident') === 'all'
  const standing = one.verdicts.filter(({ withdrawnAt }) => withdrawnAt === null)
  const first = standing.find(({ isSecond }) => !isSecond)
  const second = standing.find(({ isSecond }) => isSecond)
  const mayDecide = may('decide_incident') && !props.isLive
  const isOwnReport = one.report?.isMine === true && !isOwner
  const awaitsMe =
    mayDecide &&
    !isOwnReport &&
    (waitsForTalk(one) ||
      (!first && (one.asks || one.state === 'waiting')) ||
      (first && !second && one.state === 'waiting_for_second' && !first.isMine))
  return (
    <div className="grid gap-2 text-[13px] text-ink-2">
      {standing.map((verdict) => (
        <Written
          key={verdict.id}
          verdict={verdict}
          mayWithdraw={mayDecide && (verdict.isMine || isOwner)}
        />
      ))}
      {!props.isLive && isClearedStrike(one) && (
        <ClearedStrikes
          of={[{ candidate, incident: one.name, number: one.strike?.number ?? null }]}
          isOfOne
        />
      )}
      {one.state === 'waiting_for_second' && first?.isMine && (
        <p className="amber">Waits for a second person.</p>
      )}
      {one.state === 'disagreed' && (
        <p className="amber">
          Undecided: two people say different things. One of them has to be taken back.
        </p>
      )}
      {awaitsMe && !props.isOpen && (
        <button type="button" className="btn btn-ghost btn-small w-fit" onClick={props.onOpen}>
          {waitsForTalk(one)
            ? 'Decide after the talk'
            : first
              ? 'Agree or disagree'
              : 'Write a verdict'}
        </button>
      )}
      {awaitsMe && props.isOpen && (
        <VerdictForm
          key={first?.id ?? 'first'}
          candidate={candidate}
          incident={one.name}
          first={first ?? null}
          needsSecond={needsSecond}
          isAfterTalk={waitsForTalk(one)}
        />
      )}
      {isOwnReport && !first && <p>You reported this, so somebody else decides.</p>}
      {!first && !awaitsMe && !isOwnReport && <p>{waitingWords(one, mayDecide)}</p>}
      {!props.isLive && one.strike?.standing === 'taken_back' && may('void_event') && (
        <StrikeTakenBack of={{ candidate, incident: one.name, number: one.strike.number }} />
      )}
      {one.report?.isMine && !first && <WithdrawReport id={one.report.id} />}
      <TakenBack verdicts={one.verdicts} />
    </div>
  )
}

function waitingWords(one: ShownIncident, mayDecide: boolean): string {
  if (one.strike?.standing === 'taken_back') {
    return `Taken back${one.strike.reason ? `: “${one.strike.reason}”` : ''}. No verdict is asked.`
  }
  if (one.strike?.standing === 'exempt') return 'Exempt since. No verdict is asked.'
  if (!one.asks)
    return one.kind === 'report'
      ? 'A note. No verdict is asked.'
      : 'Never counted. No verdict is asked.'
  return mayDecide ? '' : 'Waits for a verdict.'
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
        <span className="whitespace-pre-line">“{verdict.reason}”</span> {verdict.by}
        {verdict.isSecond ? ', second' : ''}
        {verdict.isForRoom ? ', for the whole room' : ''}, {zoneDay(verdict.at, timeZone, nowMs)},{' '}
        {zoneTime(verdict.at, timeZone)}.
        {verdict.isForRoom && ' No second reviewer is needed for a room.'}
        {mayWithdraw && (
          <>
            {' '}
            <button
              type="button"
              className="quiet-link max-md:min-h-11"
              aria-disabled={withdraw.isBusy}
              onClick={() => withdraw.run(undefined)}
            >
              Take the verdict back
            </button>
          </>
        )}
      </p>
      {withdraw.problem && <p role="alert">{withdraw.problem}</p>}
    </div>
  )
}

function WithdrawReport({ id }: { id: string }) {
  const place = usePlace()
  const withdraw = useAct(() => call(withdrawReport, { params: { ...place, report: id } }))
  return (
    <p>
      <button
        type="button"
        className="quiet-link max-md:min-h-11"
        aria-disabled={withdraw.isBusy}
        onClick={() => withdraw.run(undefined)}
      >
        Take your report back
      </button>
      {withdraw.problem && <span role="alert"> {withdraw.problem}</span>}
    </p>
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
