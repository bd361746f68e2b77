import { call } from '../../../platform/web/api.ts'
import { countOf } from '../../../platform/words.ts'
import { useAssessment, useSociety } from '../../kit/web/console/console.tsx'
import { ActButton, useAct, useMayAll, usePlace } from '../../kit/web/use-act.tsx'
import { zoneMoment, zoneTime } from '../../kit/zone-time.ts'
import { type ShownIncident, withdrawVerdict } from '../contract.ts'
import { ClearedStrikes, StrikeTakenBack } from './cleared-strikes.tsx'
import { isClearedStrike, standingOf, VERDICT_WORDS } from './incident-headlines.ts'

type Verdict = ShownIncident['verdicts'][number]

/** An incident's verdicts, and what can be done about them now. */
export function Verdicts(props: {
  candidate: { id: string }
  one: ShownIncident
  /** nothing is decided while the candidate takes the test */
  isLive: boolean
}) {
  const { candidate, one, isLive } = props
  const { timeZone } = useAssessment()
  const { may } = useSociety()
  const isOwner = useMayAll('decide_incident')
  const standing = standingOf(one)
  const withdrawn = one.verdicts.filter(({ withdrawnAt }) => withdrawnAt !== null)
  return (
    <div className="grid gap-2 text-[13px] text-ink-2">
      {standing ? (
        <Standing
          verdict={standing}
          mayWithdraw={may('decide_incident') && !isLive && (standing.isMine || isOwner)}
        />
      ) : (
        <p>
          {one.report?.isMine && !isOwner
            ? 'You reported this incident, so another reviewer has to decide it.'
            : waitingWords(one)}
        </p>
      )}
      {!isLive && isClearedStrike(one) && <ClearedStrikes of={[{ candidate, one }]} isOfOne />}
      {!isLive && one.strike?.standing === 'taken_back' && may('void_event') && (
        <StrikeTakenBack of={{ candidate, one }} number={one.strike.number} />
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
    return `Taken back${strike.reason ? `: “${strike.reason}”` : ''}. No verdict is asked.`
  }
  if (strike?.standing === 'exempt') return 'Exempt since. No verdict is asked.'
  if (asks) return 'Waits for a verdict.'
  return `${kind === 'report' ? 'A note' : 'Never counted'}. No verdict is asked.`
}

function Standing({ verdict, mayWithdraw }: { verdict: Verdict; mayWithdraw: boolean }) {
  const place = usePlace()
  const { timeZone } = useAssessment()
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
        {zoneMoment(verdict.at, timeZone, Date.now())}.{' '}
        {mayWithdraw && (
          <ActButton act={withdraw} className="quiet-link max-md:min-h-11">
            Take the verdict back
          </ActButton>
        )}
      </p>
    </div>
  )
}
