import { Link, useParams } from 'react-router'
import { URLS } from '../../../../platform/urls.ts'
import { useUser } from '../../../../platform/web/session.tsx'
import { Message, TryAgain } from '../../../../platform/web/ui/message.tsx'
import { useTitle } from '../../../../platform/web/ui/page.tsx'
import { LoadingNote, Skeleton } from '../../../../platform/web/ui/skeleton.tsx'
import type { Drill, DrillSummary } from '../../../contract/drills.ts'
import { type AskedSum, sumsAnswered } from '../../../drill/generator.ts'
import { isRight, penaltyOf, scoreAt } from '../../../drill/marking.ts'
import { getPreset, type Preset } from '../../../drill/presets.ts'
import { type ReachedSum, reportKinds, slowestKind } from '../../../drill/report.ts'
import { useDrill, useDrills } from '../queries.ts'
import { Curve } from './curve.tsx'
import { DrillSum } from './drill-sum.tsx'
import { KindsTable } from './kinds-table.tsx'
import { Ledger } from './ledger.tsx'
import { Pace } from './pace.tsx'
import { SlowSums, WrongSums } from './sums.tsx'

/** /drills/{preset}/{drill} (product 3.11.7): how a drill went. */
export function DrillEnd() {
  const user = useUser()
  const { preset: presetId = '', drill: id = '' } = useParams()
  const preset = getPreset(presetId)
  const { drill, isPending, error, refetch } = useDrill(user.id, id)
  useTitle(preset ? `${preset.name}, ${preset.extent}` : 'Drill')
  if (drill && preset && drill.preset === preset.id) {
    return <Ended key={id} userId={user.id} preset={preset} drill={drill} />
  }
  return (
    <main className="wrap pt-10 pb-20">
      {isPending && preset ? (
        <>
          <LoadingNote>Loading the drill</LoadingNote>
          <Skeleton className="h-[200px]" />
          <Skeleton className="mt-8 h-24" />
        </>
      ) : (
        <Message
          title={error && preset ? 'The drill could not be loaded' : 'There is no such drill'}
          isError
          actions={
            <>
              {error && preset && <TryAgain onClick={() => void refetch()} isBusy={isPending} />}
              <Link className="btn btn-ghost" to={URLS.drills}>
                All drills
              </Link>
            </>
          }
        />
      )}
    </main>
  )
}

function Ended({ userId, preset, drill }: { userId: string; preset: Preset; drill: Drill }) {
  const { drills } = useDrills(userId)
  // Points are compared at the price that a wrong answer had in this one.
  const penalty = penaltyOf(drill) ?? preset.penalty
  const earlier = drills
    .filter((one) => one.preset === preset.id && isBefore(one, drill))
    .map((one) => ({ ...one, score: scoreAt(one, penalty) }))
  const [last] = earlier
  const { drill: lastDrill } = useDrill(userId, last?.id)
  const reached = reachedSums(preset, drill)
  const kinds = reportKinds(reached ?? [])
  const slow = slowestKind(kinds)
  return (
    <main className="wrap pt-8 pb-20 nav:pt-10">
      <DrillSum
        preset={preset}
        drill={drill}
        penalty={penalty}
        earlierScores={earlier.map(({ score }) => score)}
        slow={slow}
        userId={userId}
      />
      <Ledger drill={drill} last={last} />
      {reached === null ? (
        <p className="mt-10 text-ink-2">
          The sums of this drill were made by an earlier version of the product and cannot be made
          again. Its score stays.
        </p>
      ) : (
        <>
          <KindsTable kinds={kinds} slow={slow} />
          <div className="mt-12 grid items-start gap-x-16 gap-y-10 nav:grid-cols-2">
            <div className="grid gap-y-10">
              <Pace
                preset={preset}
                now={reached}
                last={lastDrill && (reachedSums(preset, lastDrill) ?? undefined)}
                lastAt={last?.startedAt}
              />
              <Curve drills={[...earlier].reverse()} drill={drill} />
            </div>
            <WrongSums reached={reached} preset={preset} />
          </div>
          <SlowSums reached={reached} />
        </>
      )}
    </main>
  )
}

const isBefore = (one: DrillSummary, drill: Drill) =>
  one.id !== drill.id && Date.parse(one.startedAt) < Date.parse(drill.startedAt)

/** The sums that were reached, made again; null where their version is gone. */
function reachedSums(preset: Preset, drill: Drill): ReachedSum<AskedSum>[] | null {
  const sums = sumsAnswered(preset, drill)
  if (!sums) return null
  return drill.answers.flatMap(({ answer, tookMs }, place) => {
    const sum = sums[place]
    return sum ? [{ sum, answer, tookMs, isRight: isRight(sum, answer) }] : []
  })
}
