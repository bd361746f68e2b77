import { Link, useParams } from 'react-router'
import { drillUrl, URLS } from '../../../../platform/urls.ts'
import { longDate, shortDate } from '../../../../platform/web/dates.ts'
import { useUser } from '../../../../platform/web/session.tsx'
import { NotLoaded } from '../../../../platform/web/ui/not-loaded.tsx'
import { useTitle } from '../../../../platform/web/ui/page.tsx'
import type { Drill, DrillSummary } from '../../../contract/drills.ts'
import { writeNumber } from '../../../drill/fraction.ts'
import { type AskedSum, sumsAnswered } from '../../../drill/generator.ts'
import {
  drillOfKind,
  getPreset,
  KINDS,
  type KindName,
  type Preset,
} from '../../../drill/presets.ts'
import {
  drillHeading,
  isRight,
  paceByMinute,
  penaltyOf,
  type ReachedSum,
  reportKinds,
  slowestKind,
} from '../../../drill/report.ts'
import { ScorePicture } from '../../charts/score-picture.tsx'
import { Cell, StreakCell } from '../../dashboard/streak-strip.tsx'
import { Loading, OnLink, Section } from '../../kit.tsx'
import { useEveningOfPart } from '../../sitting/frame.tsx'
import { useSavingLine } from '../../use-outbox.tsx'
import { useDrill, useDrills } from '../queries.ts'
import { KindsTable, SlowSums, WrongSums } from './sums.tsx'

/** /drills/{preset}/{drill} (product 3.11.7): a drill's report. */
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
        <Loading note="Loading the drill" shapes={['h-[200px]', 'mt-8 h-24']} />
      ) : (
        <NotLoaded
          title={error && preset ? 'The drill could not be loaded' : 'There is no such drill'}
          query={error && preset ? { refetch, isFetching: isPending } : null}
          wayOut={{ to: URLS.drills, name: 'All drills' }}
        />
      )}
    </main>
  )
}

function Ended({ userId, preset, drill }: { userId: string; preset: Preset; drill: Drill }) {
  const { drills } = useDrills(userId)
  // Scores are compared with this drill's penalty.
  const penalty = penaltyOf(drill) ?? preset.penalty
  const earlier = drills
    .filter(
      (one) =>
        one.preset === preset.id &&
        one.id !== drill.id &&
        Date.parse(one.startedAt) < Date.parse(drill.startedAt),
    )
    .map((one) => ({ ...one, score: one.correct - one.wrong * penalty }))
  const [last] = earlier
  const { drill: lastDrill } = useDrill(userId, last?.id)
  const saving = useSavingLine(userId, drill.id, 'drill')
  const reached = reachedSums(preset, drill)
  const kinds = reportKinds(reached ?? [])
  const slow = slowestKind(kinds)
  return (
    <main className="wrap pt-8 pb-20 nav:pt-10">
      <section className="grid gap-x-14 gap-y-5 pb-8 nav:grid-cols-[auto_1fr] nav:[align-items:last_baseline]">
        <p className="fig text-[128px] leading-[0.8] nav:text-(length:--fig-1)">
          <span className="sr-only">Score: </span>
          {writeNumber(drill.score)}
        </p>
        <div>
          <p className="eyebrow">
            {preset.name}, {preset.extent}
          </p>
          <h1 className="mt-2 max-w-[24ch] text-[30px] nav:text-[42px]">
            {drillHeading(
              drill.score,
              earlier.map(({ score }) => score),
              slow,
            )}
          </h1>
          <p className="running mt-2.5 text-[17px] text-ink-2">{account(preset, drill, penalty)}</p>
          <p role="status" className="hint mt-1.5 min-h-5">
            {saving}
          </p>
          <div className="mt-4 flex flex-wrap items-center gap-x-2 gap-y-1 nav:gap-x-3">
            <WaysOn preset={preset} slow={slow} />
          </div>
        </div>
      </section>
      <Ledger drill={drill} last={last} />
      {reached === null ? (
        <p className="mt-10 text-ink-2">
          This drill comes from an earlier version of Superday, so its questions can't be shown. You
          keep the score.
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

function reachedSums(preset: Preset, drill: Drill): ReachedSum<AskedSum>[] | null {
  const sums = sumsAnswered(preset, drill)
  if (!sums) return null
  return drill.answers.flatMap(({ answer, tookMs }, place) => {
    const sum = sums[place]
    return sum ? [{ sum, answer, tookMs, isRight: isRight(sum, answer) }] : []
  })
}

function Ledger({ drill, last }: { drill: Drill; last: DrillSummary | undefined }) {
  const count = drill.answers.length
  const answeredMs = drill.answers.reduce((sum, { tookMs }) => sum + tookMs, 0)
  return (
    <dl className="ledger">
      <Cell label={last ? `points since ${monthAndDay(last.startedAt)}` : 'drill of this kind'}>
        {last ? change(drill.score - last.score) : '1st'}
      </Cell>
      <Cell label="seconds a question">{(answeredMs / count / 1_000).toFixed(1)}</Cell>
      <Cell label="of your answers were right">
        {Math.round((drill.correct / count) * 100)}
        <small>%</small>
      </Cell>
      <StreakCell />
    </dl>
  )
}

const change = (points: number) =>
  points === 0 ? '±0' : `${points > 0 ? '+' : ''}${writeNumber(points)}`
const monthAndDay = (iso: string) => longDate(iso).replace(/, \d+$/, '')

const SHOWN = 40

function Curve({ drills, drill }: { drills: readonly DrillSummary[]; drill: Drill }) {
  const shown = [...drills, drill].slice(-SHOWN)
  const scores = shown.map(({ score }) => score)
  const count = shown.length
  return (
    <Section id="curve" title="Your scores" hint={count === 1 ? 'your first' : `the last ${count}`}>
      {count === 1 ? (
        <p className="mt-4 text-ink-2">Do a second drill to see a line.</p>
      ) : (
        <Course
          label={`Your scores, oldest first: ${scores.join(', ')}.`}
          values={scores}
          from={shortDate(shown[0]?.startedAt ?? '')}
          to={shortDate(drill.startedAt)}
        />
      )}
    </Section>
  )
}

type Answered = readonly { tookMs: number; isRight: boolean }[]

function Pace(props: {
  preset: Preset
  now: Answered
  last: Answered | undefined
  lastAt: string | undefined
}) {
  const { last, lastAt } = props
  const { limitSeconds } = props.preset
  const counts = paceByMinute(props.now, limitSeconds)
  const before = last && paceByMinute(last, limitSeconds)
  return (
    <Section
      id="pace"
      title="Pace"
      hint={`right answers by ${limitSeconds > 240 ? 'minute' : 'quarter of a minute'}`}
    >
      <Course
        label={`Right answers so far: ${counts.join(', ')}.${before ? ` Last time: ${before.join(', ')}.` : ''}`}
        values={[0, ...counts]}
        from="0"
        to={`${limitSeconds / 60} min`}
      />
      {before && lastAt && (
        <p aria-hidden className="hint mt-2">
          {counts.at(-1)} right, {before.at(-1)} on {shortDate(lastAt)}
        </p>
      )}
    </Section>
  )
}

function Course(props: { label: string; values: readonly number[]; from: string; to: string }) {
  const { values } = props
  const [lowest, highest] = [Math.min(0, ...values), Math.max(4, ...values)]
  return (
    <figure className="mt-5">
      <figcaption className="sr-only">{props.label}</figcaption>
      <div aria-hidden className="grid grid-cols-[30px_1fr]">
        <ScorePicture
          width={500}
          height={180}
          inset={8}
          lowest={lowest}
          highest={highest}
          scores={values}
          guides={[...new Set([highest, 0, lowest])]}
          dotsOf={(index) => (index === values.length - 1 ? [['var(--accent)', 10]] : [])}
        />
        <span />
        <div className="hint mt-2 flex justify-between">
          <span>{props.from}</span>
          <span>{props.to}</span>
        </div>
      </div>
    </figure>
  )
}

function WaysOn({ preset, slow }: { preset: Preset; slow: KindName | null }) {
  const evening = useEveningOfPart()
  if (evening) {
    return (
      <OnLink className="max-nav:w-full" to={evening.to}>
        Back to the superday
      </OnLink>
    )
  }
  return (
    <>
      {slow && (
        <OnLink className="max-nav:w-full" to={drillUrl(drillOfKind(slow).id)}>
          Two minutes of {lower(KINDS[slow].title)}
        </OnLink>
      )}
      <Link
        className={slow ? 'btn btn-flat max-nav:flex-1' : 'btn btn-big max-nav:w-full'}
        to={drillUrl(preset.id)}
      >
        Again, {preset.short}
      </Link>
      <Link className="btn btn-flat max-nav:flex-1" to={URLS.drills}>
        All drills
      </Link>
      <Link className="btn btn-flat max-nav:flex-1" to={URLS.dashboard}>
        Dashboard
      </Link>
    </>
  )
}

function account(preset: Preset, drill: Drill, penalty: number): string {
  const parts = [`${drill.correct} right`]
  if (!preset.takesNoEnter) {
    const price = ['', ' at one point each', ' at two points each'][penalty] ?? ''
    parts.push(drill.wrong === 0 ? 'none wrong' : `${drill.wrong} wrong${price}`)
  }
  if (!preset.isEndless)
    parts.push(drill.skipped === 0 ? 'all reached' : `${drill.skipped} not reached`)
  const { passMark, source } = preset
  const pass = passMark !== null && source ? ` ${passMark} is said to pass (${source.year}).` : ''
  return `${parts.join(', ')}.${pass}`
}

const lower = (title: string) => title.charAt(0).toLowerCase() + title.slice(1)
