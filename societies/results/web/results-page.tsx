import { TriangleAlert } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { dialogOnDemand } from '../../../platform/web/ui/on-demand.ts'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf, numberWord } from '../../../platform/words.ts'
import { AskButton, REASON } from '../../kit/web/ask.tsx'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { Loaded } from '../../kit/web/loaded.tsx'
import { Heads, Section, Top } from '../../kit/web/section.tsx'
import { useExtent, usePlace, useUrlOf } from '../../kit/web/use-act.tsx'
import { zoneMoment } from '../../kit/zone-time.ts'
import {
  type Results as Answer,
  getResults,
  listNames,
  type NamedCandidate,
  withdrawRelease,
} from '../contract.ts'
import { type Obstacle, obstaclesOf } from '../obstacles.ts'
import { CandidateCard, Files, Names } from './aside.tsx'
import { CutScore, useLine } from './cut-score.tsx'
import {
  headlineOf,
  pointsShown,
  type Shown,
  shownOf,
  tooFewWords,
  worthOf,
} from './results-words.ts'
import { ScoreList } from './score-list.tsx'

const ReleaseDialog = dialogOnDemand(
  async () => (await import('./release-dialog.tsx')).ReleaseDialog,
)

/** …/results shows scores, the cut score, names, files and the release (product 7.17). */
export function Results() {
  const params = usePlace()
  const found = useEndpoint(
    getResults,
    { params },
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

function NotYet({ results: { state, insideCount } }: { results: Answer }) {
  const { lastStartAt, timeZone } = useAssessment()
  if (state === 'nobody') {
    return <Top title="Results" headline="No candidate took this test" />
  }
  return (
    <Top title="Results" headline="Results appear when everyone has finished">
      {state === 'inside'
        ? `${countOf(insideCount, 'candidate is', 'candidates are')} still taking the test. Scores stay hidden until then, so that they don’t influence decisions.`
        : `Candidates can start${lastStartAt ? ` until ${zoneMoment(lastStartAt, timeZone, Date.now())}.` : '. Set a start deadline in the settings.'}`}
    </Top>
  )
}

function Over({ results }: { results: Answer }) {
  const place = usePlace()
  const extent = useExtent('release_results')
  const isOwner = extent === 'all'
  const { forms } = results
  const line = useLine(results.line, isOwner)
  const all = useMemo(() => shownOf(forms, line.points), [forms, line.points])
  // Excluded candidates have a result too.
  const scored = forms.reduce((sum, { candidates }) => sum + candidates.length, 0)
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
  const chosen = all.find(({ id }) => id === chosenId) ?? firstOf(all, line.points)

  return (
    <>
      <Top
        title="Results"
        headline={headlineOf(forms, all, line.points)}
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
        {worthOf(forms)}
      </Top>
      {results.release && <Released release={results.release} mayWithdraw={isOwner} />}
      {obstacles.length > 0 && !isReleased && <Unsettled obstacles={obstacles} />}
      <div className="grid grid-cols-[minmax(0,1fr)_312px] gap-x-14 gap-y-9 max-lg:grid-cols-1">
        <ScoreList
          results={results}
          candidates={all}
          names={names}
          line={line.points}
          isOwner={isOwner}
          filter={filter}
          onFilter={setFilter}
          chosenId={chosen?.id ?? null}
          onChoose={setChosenId}
        />
        <aside className="grid content-start gap-7.5 max-lg:order-first">
          <CutScore
            results={results}
            all={all}
            line={line}
            isOwner={isOwner}
            onReadNear={() => setFilter('near')}
          />
          {chosen && (
            <CandidateCard
              key={chosen.id}
              one={chosen}
              named={names.get(chosen.id) ?? null}
              isOwner={isOwner}
              onNamed={(named) => setAsked(new Map([...asked, [named.id, named]]))}
            />
          )}
          <Names
            results={results}
            count={scored}
            isOwner={isOwner}
            isBlind={isBlind}
            onBlind={setIsBlind}
          />
          {extent.length > 0 && <Files results={results} isOwner={isOwner} />}
        </aside>
      </div>
      {results.sideBySide.length > 0 && <SideBySide groups={results.sideBySide} />}
      {isReleasing && chosen && (
        <ReleaseDialog
          results={results}
          obstacles={obstacles}
          count={scored}
          sample={chosen}
          onClose={() => setIsReleasing(false)}
        />
      )}
    </>
  )
}

function Unsettled({ obstacles }: { obstacles: readonly Obstacle[] }) {
  const urlOf = useUrlOf()
  return (
    <div className="warning mb-6.5">
      <TriangleAlert size={16} aria-hidden />
      <div>
        <p className="font-semibold">
          {numberWord(obstacles.length)} {obstacles.length === 1 ? 'thing' : 'things'} to settle
          before you release
        </p>
        <ul>
          {obstacles.map(({ sentence, page, link }) => (
            <li key={page}>
              {sentence}{' '}
              <Link
                to={urlOf(page)}
                className="link inline-flex min-h-6 items-center max-md:min-h-11"
              >
                {link}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

/** Picks the first candidate to show: at the cut score, if there is one. */
function firstOf(all: readonly Shown[], line: number | null) {
  if (line === null) return all[0]
  const sorted = [...all].sort((a, b) => a.right - b.right)
  return sorted.find(({ right }) => right >= line) ?? sorted.at(-1)
}

/** Shows when results were released or withdrawn, with the button to withdraw them (product 7.17.12). */
function Released(props: { release: NonNullable<Answer['release']>; mayWithdraw: boolean }) {
  const { releasedAt, releasedBy, withdrawnAt, tellsLine } = props.release
  const { timeZone } = useAssessment()
  const place = usePlace()
  const urlOf = useUrlOf()
  const at = (iso: string) => zoneMoment(iso, timeZone, Date.now())
  return (
    <p className="mb-6 border-line border-y py-2.5 text-[13.5px]">
      {withdrawnAt ? (
        `The results released on ${at(releasedAt)} were withdrawn on ${at(withdrawnAt)}. Candidates can’t see them.`
      ) : (
        <>
          <b className="font-semibold">Released</b> by {releasedBy}, {at(releasedAt)}. Each
          candidate sees their own score{tellsLine ? ' and the cut score' : ''}.{' '}
          {props.mayWithdraw && (
            <>
              <AskButton
                words="Withdraw results…"
                className="quiet-link"
                title="Withdraw results?"
                text="Candidates can no longer see their results. Anyone who already opened theirs may remember it."
                endpoint={withdrawRelease}
                input={{ params: place }}
                fields={{ reason: REASON }}
                button={['Withdraw results', 'Withdrawing…']}
                done="Results withdrawn"
              />
              <Link to={urlOf('fairness')} className="quiet-link ml-4">
                Fairness report
              </Link>
            </>
          )}
        </>
      )}
    </p>
  )
}

/** Shows the test's forms and its season's other sessions (product 7.17.14). */
export function SideBySide({ groups }: { groups: Answer['sideBySide'] }) {
  const { society, code } = usePlace()
  return (
    <Section
      title="Side by side"
      hint="a difference can come from the questions or from the candidates"
      isHintWide
      className="mt-9"
    >
      <table className="table">
        <Heads
          of={[
            ['Session'],
            ['Candidates', 'text-end!'],
            ['Questions', 'text-end! max-md:hidden'],
            ['Mean', 'text-end!'],
            ['Median', 'text-end!'],
            ['Middle 50%', 'text-end! whitespace-normal!'],
          ]}
        />
        <tbody>
          {groups.map(({ code: of, name, form, people, questions, middle }) => (
            <tr key={`${of} ${form}`}>
              <th scope="row">
                {of === code ? (
                  name
                ) : (
                  <Link className="link" to={assessmentUrl(society, of, 'results')}>
                    {name}
                  </Link>
                )}
                {form && `, form ${form}`}
              </th>
              <td className="text-end">{people}</td>
              <td className="text-end max-md:hidden">{questions}</td>
              {middle ? (
                <>
                  <td className="text-end">{middle.mean.toFixed(1)}</td>
                  <td className="text-end">{pointsShown(middle.median)}</td>
                  <td className="whitespace-nowrap text-end">
                    {pointsShown(middle.low)} to {pointsShown(middle.high)}
                  </td>
                </>
              ) : (
                <td colSpan={3} className="text-end text-ink-2">
                  {tooFewWords(people)}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}
