import { TriangleAlert } from 'lucide-react'
import { Fragment, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { dialogOnDemand } from '../../../platform/web/ui/on-demand.ts'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { blindNumber } from '../../blind-number.ts'
import { getResults, listNames, type NamedCandidate } from '../../contract/results.ts'
import { coefficient } from '../../statistics/figures.ts'
import { zoneMoment } from '../../zone-time.ts'
import { useAssessment } from '../console/console.tsx'
import { Top } from '../console/top.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { useExtent, usePlace } from '../kit/use-act.tsx'
import { CandidateCard } from './candidate-card.tsx'
import { CutOff } from './cut-off.tsx'
import { Files } from './files.tsx'
import { Names } from './names.tsx'
import { ReleasedLine } from './released-line.tsx'
import { headlineOf, obstaclesOf, obstaclesTitle, pointsShown, worthOf } from './results-words.ts'
import { ScoreList } from './score-list.tsx'
import { SideBySide } from './side-by-side.tsx'
import { useLine } from './use-line.ts'
import { type FormView, type Results as ResultsAnswer, type Shown, viewOf } from './view.ts'

const ReleaseDialog = dialogOnDemand(
  async () => (await import('./release-dialog.tsx')).ReleaseDialog,
)

/** …/results: scores, the line, names, files, release (product 7.17). */
export function Results() {
  const place = usePlace()
  const found = useEndpoint(
    getResults,
    { params: place },
    // Until the last one is out.
    { every: (data) => (data && data.state !== 'over' ? 10_000 : false) },
  )
  return (
    <Loaded of={found} name="results">
      {(results) =>
        results.state === 'over' ? <Over results={results} /> : <NotYet results={results} />
      }
    </Loaded>
  )
}

function NotYet({ results: { state, insideCount } }: { results: ResultsAnswer }) {
  const { closesAt, timeZone } = useAssessment()
  if (state === 'nobody') {
    return (
      <Top title="Results" headline="Nobody has sat this test">
        Results appear when the last one is out.
      </Top>
    )
  }
  return (
    <Top title="Results" headline="Results appear when the last one is out">
      {state === 'inside'
        ? `${insideCount} ${insideCount === 1 ? 'is' : 'are'} still inside. Nobody’s score is shown before, so that nobody’s end is judged by it.`
        : `Candidates can start${closesAt ? ` until ${zoneMoment(closesAt, timeZone, Date.now())}` : ''}.`}
    </Top>
  )
}

function Over({ results }: { results: ResultsAnswer }) {
  const place = usePlace()
  const extent = useExtent('release_results')
  const isOwner = extent === 'all'
  const line = useLine(results, isOwner)
  const views = useMemo(
    () => results.forms.map((one) => viewOf(one, line.points)),
    [results.forms, line.points],
  )
  const all = views.flatMap(({ candidates }) => candidates)
  const covered = results.forms.flatMap(({ underReview }) => underReview)
  const [isReleasing, setIsReleasing] = useState(false)
  const [chosenId, setChosenId] = useState<string | null>(null)
  const [filter, setFilter] = useState('all')
  const [isBlind, setIsBlind] = useState(results.names.shownAt === null || !isOwner)
  const [asked, setAsked] = useState<ReadonlyMap<string, NamedCandidate>>(new Map())
  const everybody = useEndpoint(
    listNames,
    { params: place },
    { enabled: isOwner && results.names.shownAt !== null && !isBlind },
  )
  const names = useMemo(() => {
    const known = isBlind ? [] : (everybody.data?.names ?? [])
    return new Map([...asked, ...known.map((one) => [one.id, one] as const)])
  }, [asked, everybody.data, isBlind])
  const obstacles = obstaclesOf(results.obstacles, line.points)
  const isReleased = results.release !== null && results.release.withdrawnAt === null
  const chosen =
    all.find(({ id }) => id === chosenId) ??
    (line.points === null ? all[0] : atLine(all, line.points))
  const items = views.find(({ form }) => form === (chosen?.form ?? null))?.items ?? 0

  return (
    <>
      <Top
        title="Results"
        headline={headlineOf(views, line.points, covered.length)}
        acts={
          isOwner &&
          !isReleased && (
            <button
              type="button"
              className={`btn ${obstacles.length > 0 ? 'btn-ghost text-ink-2!' : ''}`}
              onClick={() => setIsReleasing(true)}
            >
              Release results…
            </button>
          )
        }
      >
        {worthOf(results)}
      </Top>
      <ReleasedLine results={results} mayWithdraw={isOwner} />
      {obstacles.length > 0 && !isReleased && (
        <p className="warning mb-6.5">
          <TriangleAlert size={16} aria-hidden />
          <span>
            <b className="font-semibold">{obstaclesTitle(obstacles.length)}</b>{' '}
            {obstacles.map(({ sentence }) => sentence).join(' ')}{' '}
            {obstacles.map(({ page, link }) => (
              <Link
                key={page}
                to={assessmentUrl(place.society, place.code, page)}
                className="link mr-3 inline-block"
              >
                {link}
              </Link>
            ))}
          </span>
        </p>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)_312px] gap-x-14 gap-y-9 max-lg:grid-cols-1">
        <Scores
          {...{ results, views, names, filter, covered }}
          line={line.points}
          onFilter={setFilter}
          chosenId={chosen?.id ?? null}
          onChoose={setChosenId}
        />
        <aside className="grid content-start gap-7.5 max-lg:order-first">
          <CutOff
            {...{ results, views, line }}
            mayKeep={isOwner}
            onReadNear={() => setFilter('near')}
          />
          {chosen && (
            <CandidateCard
              one={chosen}
              named={names.get(chosen.id) ?? null}
              onNamed={(named) => setAsked(new Map([...asked, [named.id, named]]))}
            />
          )}
          <Names
            {...{ results, isBlind }}
            count={all.length}
            mayShowAll={isOwner}
            onBlind={setIsBlind}
          />
          {extent.length > 0 && (
            <Files
              mayTakeNames={isOwner}
              isFixed={results.line?.fixedAt != null}
              covered={covered.length}
            />
          )}
        </aside>
      </div>
      <SideBySide groups={results.sideBySide} />
      {isReleasing && chosen && (
        <ReleaseDialog
          {...{ results, obstacles, items }}
          count={all.length}
          sample={chosen}
          onClose={() => setIsReleasing(false)}
        />
      )}
    </>
  )
}

type Covered = ResultsAnswer['forms'][number]['underReview'][number]

/** Somebody at the line, for the card at first. */
const atLine = (all: readonly Shown[], points: number) => {
  const sorted = [...all].sort((a, b) => a.points - b.points)
  return sorted.find((one) => one.points >= points) ?? sorted.at(-1)
}

/** Every candidate by score, with the line between those above and below it. */
function Scores(props: {
  results: ResultsAnswer
  views: readonly FormView[]
  names: ReadonlyMap<string, NamedCandidate>
  line: number | null
  /** whose score is covered until the incidents are decided */
  covered: readonly Covered[]
  filter: string
  onFilter: (filter: string) => void
  chosenId: string | null
  onChoose: (id: string) => void
}) {
  const { results, views, names, line, filter, onFilter, chosenId, onChoose } = props
  const [room, setRoom] = useState('')
  const rooms = [...new Set([...names.values()].flatMap((one) => one.room ?? []))].sort()
  const candidates = views
    .flatMap((view) => view.candidates)
    .filter(({ id }) => room === '' || names.get(id)?.room === room)
  return (
    <section aria-labelledby="every-candidate">
      <div className="head flex-wrap items-center!">
        <h2 id="every-candidate">Every candidate, by score</h2>
        {results.names.shownAt && rooms.length > 1 && (
          <label className="hint">
            Room{' '}
            <select
              className="field w-auto!"
              value={room}
              onChange={(event) => setRoom(event.target.value)}
            >
              <option value="">all</option>
              {rooms.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </label>
        )}
      </div>
      <ScoreList {...{ candidates, names, line, filter, onFilter, chosenId, onChoose }} />
      <UnderReview covered={props.covered} />
      {results.forms.map((form) => (
        <Legend key={form.form} form={form} />
      ))}
    </section>
  )
}

/** Whose score is covered, with the way to what is to be decided (product 7.16.13). */
function UnderReview({ covered }: { covered: readonly Covered[] }) {
  const place = usePlace()
  if (covered.length === 0) return null
  return (
    <p className="mt-4 max-w-[90ch]">
      <span className="amber font-[550]">
        {covered.length === 1 ? 'One score is' : `${covered.length} scores are`} covered
      </span>{' '}
      until the incidents are decided, so that nobody decides by the score:{' '}
      {covered.map(({ id, number }, at) => (
        <Fragment key={id}>
          {at > 0 && ', '}
          <Link
            className="link max-md:inline-flex max-md:min-h-11 max-md:items-center"
            to={assessmentUrl(place.society, place.code, `incidents/${id}`)}
          >
            {blindNumber(number)}
          </Link>
        </Fragment>
      ))}
      .
    </p>
  )
}

/** What a form's figures are good for. */
function Legend({ form }: { form: ResultsAnswer['forms'][number] }) {
  const { middle, reliability, errors } = form
  const sentences = [
    ...(errors ? ['± is one standard error at that score.'] : []),
    ...(middle
      ? [
          `Half of all have ${pointsShown(middle.low)} to ${pointsShown(middle.high)} right; median ${pointsShown(middle.median)}, mean ${middle.mean.toFixed(1)}.`,
        ]
      : []),
    ...(reliability === null ? [] : [`KR-20 ${coefficient(reliability)}.`]),
  ]
  if (sentences.length === 0) return null
  return (
    <p className="hint mt-3 text-ink-2">
      {form.form && `Form ${form.form}: `}
      {sentences.join(' ')}
    </p>
  )
}
