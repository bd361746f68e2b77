import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import { clockTime } from '../../../platform/durations.ts'
import { drillUrl, URLS } from '../../../platform/urls.ts'
import { shortDate } from '../../../platform/web/dates.ts'
import { queryClient } from '../../../platform/web/query-client.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { BackLink, PageHead, useTitle } from '../../../platform/web/ui/page.tsx'
import type { DrillSummary } from '../../contract/drills.ts'
import { writeNumber } from '../../drill/fraction.ts'
import { DRILLS, drillOfKind, KIND_NAMES, KINDS, type Preset } from '../../drill/presets.ts'
import { TRACKS } from '../../schedule/tracks.ts'
import { Figure, RetryLine, Section } from '../kit.tsx'
import { todayQuery } from '../queries.ts'
import { drillRuns, remainingMs } from './drill-runs.ts'
import { useDrills } from './queries.ts'
import { SourceLine } from './tape.tsx'

/** /drills (product 3.11.1): all drills with the person's last and best scores. */
export function Drills() {
  useTitle('Drills', 'Timed mental math.')
  const user = useUser()
  const { drills, isPending, isError, refetch } = useDrills(user.id)
  const latest = drills
    .map(({ preset }) => preset)
    .find((id) => DRILLS.some((one) => one.id === id))
  const lead =
    DRILLS.find((preset) => leftSeconds(user.id, preset) > 0)?.id ??
    latest ??
    drillOfPlan() ??
    '80-in-8'
  return (
    <main className="wrap pt-6 pb-20 sm:pt-8">
      <BackLink to={URLS.dashboard}>Dashboard</BackLink>
      <div className="mt-4">
        <PageHead title="Drills">
          Timed mental math. You see each mistake right away. At the end, you see which type of
          question slowed you down, and a trick for it.
        </PageHead>
      </div>
      {isError && (
        <RetryLine className="mt-6 text-ink-2" onRetry={() => void refetch()}>
          Your earlier scores could not be loaded.
        </RetryLine>
      )}
      <ol className="mt-10 border-ink border-t" aria-label="Drills" aria-busy={isPending}>
        {DRILLS.map((preset) => (
          <DrillRow
            key={preset.id}
            preset={preset}
            own={drills.filter((drill) => drill.preset === preset.id)}
            leftSeconds={leftSeconds(user.id, preset)}
            isLead={preset.id === lead}
          />
        ))}
      </ol>
      <OneKind drills={drills} />
    </main>
  )
}

function drillOfPlan(): string | undefined {
  const role = queryClient.getQueryData(todayQuery().queryKey)?.plan?.plan.role
  return role && TRACKS[role].drills[0]
}

function leftSeconds(userId: string, preset: Preset): number {
  const run = drillRuns.load(userId, preset.id)
  return run ? Math.ceil(remainingMs(run, preset, Date.now()) / 1_000) : 0
}

function DrillRow(props: {
  preset: Preset
  own: readonly DrillSummary[]
  leftSeconds: number
  isLead: boolean
}) {
  const { preset, own, isLead } = props
  const [last] = own
  return (
    <li className="grid items-center gap-x-10 gap-y-3 border-line border-b py-6 nav:grid-cols-[minmax(0,1fr)_auto_150px]">
      <div className="min-w-0">
        <h2 className="text-[24px] nav:text-[28px]">
          {preset.name}, <span className="text-ink-2">{preset.extent}</span>
        </h2>
        <p className="running mt-2 max-w-[62ch] text-ink-2">{preset.about}</p>
        <SourceLine preset={preset} />
      </div>
      {/* A wide screen reserves the space, so nothing moves when the scores load. */}
      <dl className="flex gap-8 max-nav:empty:hidden nav:min-h-[52px] nav:min-w-[190px]">
        {last && (
          <>
            <Figure label="best" className="text-[28px]">
              {writeNumber(Math.max(...own.map(({ score }) => score)))}
            </Figure>
            <Figure label={`last, ${shortDate(last.startedAt)}`} className="text-[28px]">
              {writeNumber(last.score)}
            </Figure>
          </>
        )}
      </dl>
      <div className="nav:justify-self-end">
        <Link
          to={drillUrl(preset.id)}
          className={isLead ? 'btn max-nav:w-full' : 'btn btn-ghost max-nav:w-full'}
        >
          {props.leftSeconds > 0 ? 'Continue' : own.length > 0 ? 'Again' : 'Start'}
          <span className="sr-only">
            {' '}
            {preset.name}, {preset.extent}
          </span>
        </Link>
        {props.leftSeconds > 0 && (
          <p className="hint mt-1.5">in progress, {clockTime(props.leftSeconds)} left</p>
        )}
      </div>
    </li>
  )
}

function OneKind({ drills }: { drills: readonly DrillSummary[] }) {
  const bestOf = (id: string) =>
    drills.filter((drill) => drill.preset === id).map(({ score }) => score)
  return (
    <Section
      id="one-kind"
      title="Two minutes of one kind"
      hint="practice one type"
      className="mt-16"
    >
      <ul className="grid gap-x-10 sm:grid-cols-2 nav:grid-cols-3">
        {KIND_NAMES.map((name) => {
          const scores = bestOf(drillOfKind(name).id)
          return (
            <li key={name} className="border-line border-b">
              <Link
                to={drillUrl(drillOfKind(name).id)}
                className="flex min-h-[52px] items-center gap-3 hover:underline"
              >
                <span className="min-w-0 flex-1">{KINDS[name].title}</span>
                {scores.length > 0 && <span className="hint">best {Math.max(...scores)}</span>}
                <ArrowRight size={16} aria-hidden className="flex-none text-ink-2" />
              </Link>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
