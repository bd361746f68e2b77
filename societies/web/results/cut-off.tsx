import { useState } from 'react'
import { countOf } from '../../../platform/words.ts'
import { fixResultLine, setResultLine } from '../../contract/results.ts'
import { zoneMoment } from '../../zone-time.ts'
import { useAssessment } from '../console/console.tsx'
import { ActionDialog, REASON } from '../kit/ask.tsx'
import { Section } from '../kit/section.tsx'
import { Stepper } from '../kit/stepper.tsx'
import { Problem, usePlace } from '../kit/use-act.tsx'
import { clearOf, pointsShown } from './results-words.ts'
import type { Line } from './use-line.ts'
import { type Counts, countsOf, type FormView, type Results } from './view.ts'

/** The line as a number, and how many stand where (product 7.17.5). */
export function CutOff(props: {
  results: Results
  views: readonly FormView[]
  line: Line
  mayKeep: boolean
  onReadNear: () => void
}) {
  const { results, views, line, mayKeep, onReadNear } = props
  const all = views.flatMap(({ candidates }) => candidates)
  const items = Math.max(...views.map((view) => view.items))
  const above = all.filter(({ points }) => line.points !== null && points >= line.points).length
  const counts = countsOf(views)
  const near = counts ? counts['just-above'] + counts['just-below'] : 0
  return (
    <Section title="Cut-off">
      {line.points === null ? (
        <NoLine
          line={line}
          mayKeep={mayKeep}
          suggestion={middleOf(all.map(({ points }) => points))}
        />
      ) : (
        <>
          <div className="my-3.5 flex items-center gap-3">
            <Points line={line} points={line.points} most={items + 1} />
            <span className="text-ink-2">
              of {countOf(items, 'point')},
              <br />
              {above} at or above
            </span>
          </div>
          {counts ? (
            <Standings counts={counts} views={views} />
          ) : (
            <p className="figures border-line border-y py-2 text-[13.5px]">
              <b className="inline-block w-8.5 font-semibold">{above}</b>at or above
              <br />
              <b className="inline-block w-8.5 font-semibold">{all.length - above}</b>below
            </p>
          )}
          {near > 0 && (
            <p className="hint mt-2.5 text-ink-2">
              For the {near} in between read the file, and do not rely on the number.{' '}
              <button type="button" className="link" onClick={onReadNear}>
                Read the {countOf(near, 'file')}
              </button>
            </p>
          )}
          <Kept results={results} line={line} mayKeep={mayKeep} above={above} />
        </>
      )}
    </Section>
  )
}

function middleOf(points: readonly number[]): number {
  const sorted = [...points].sort((a, b) => a - b)
  return Math.ceil(sorted[Math.floor(sorted.length / 2)] ?? 0)
}

function NoLine(props: { line: Line; mayKeep: boolean; suggestion: number }) {
  const { line, mayKeep, suggestion } = props
  return (
    <div className="py-3.5">
      <p className="text-ink-2">
        No line is drawn yet.{' '}
        {mayKeep
          ? 'It begins in the middle, and you move it.'
          : 'An owner draws it; here you may try one on this page alone.'}
      </p>
      <button
        type="button"
        className="btn btn-ghost mt-3"
        aria-disabled={line.isBusy}
        onClick={() => line.set(suggestion)}
      >
        Draw the line
      </button>
    </div>
  )
}

function Points({ line, points, most }: { line: Line; points: number; most: number }) {
  const [typed, setTyped] = useState<string | null>(null)
  const within = (wanted: number) => Math.min(Math.max(0, wanted), most)
  return (
    <Stepper
      label="Cut-off, points"
      unit="point"
      isLarge
      value={typed ?? pointsShown(points)}
      onType={(text) => {
        setTyped(text)
        const wanted = Number(text.replace(',', '.'))
        if (text.trim() !== '' && Number.isInteger(wanted * 2) && wanted === within(wanted)) {
          line.step(wanted)
        }
      }}
      onStep={(by) => {
        setTyped(null)
        line.step(within(points + by))
      }}
      onLeave={() => setTyped(null)}
      onEscape={() => {
        setTyped(null)
        line.leave()
      }}
    />
  )
}

const BAR: { standing: keyof Counts; look: string }[] = [
  { standing: 'clearly-above', look: 'bg-ink' },
  { standing: 'just-above', look: 'bg-mid opacity-85' },
  { standing: 'just-below', look: 'bg-mid opacity-45' },
  { standing: 'clearly-below', look: 'bg-line-strong opacity-50' },
]

function Standings({ counts, views }: { counts: Counts; views: readonly FormView[] }) {
  const clear = clearOf(views)
  const words: Record<keyof Counts, string> = {
    'clearly-above': clear.above,
    'just-above': 'above, but within measurement error',
    'just-below': 'below, but within measurement error',
    'clearly-below': clear.below,
  }
  return (
    <>
      <div aria-hidden className="mb-2.5 flex h-2.5 gap-0.5">
        {BAR.map(({ standing, look }) =>
          counts[standing] === 0 ? null : (
            <i
              key={standing}
              className={look}
              style={{ flexGrow: counts[standing], flexBasis: 0 }}
            />
          ),
        )}
      </div>
      <ul className="figures text-[13.5px]">
        {BAR.map(({ standing }) => (
          <li
            key={standing}
            className={`grid grid-cols-[34px_1fr] py-1.5 ${standing === 'just-above' ? 'border-ink border-b-2' : 'border-line border-b'}`}
          >
            <b className="font-semibold">{counts[standing]}</b>
            {words[standing]}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Who keeps the line where, and that it is fixed; what to say when somebody else moved it. */
function Kept(props: { results: Results; line: Line; mayKeep: boolean; above: number }) {
  const { results, line, mayKeep, above } = props
  const place = usePlace()
  const { timeZone } = useAssessment()
  const [isFixing, setIsFixing] = useState(false)
  const stored = results.line
  const at = (iso: string) => zoneMoment(iso, timeZone, Date.now())
  if (!mayKeep) {
    return line.isDraft ? (
      <p className="hint mt-2.5 text-ink-2">
        Only here: an owner keeps the line
        {stored ? `, which is at ${pointsShown(stored.points)}` : ''}.{' '}
        {stored && (
          <button type="button" className="link" onClick={line.leave}>
            Back to it
          </button>
        )}
      </p>
    ) : null
  }
  return (
    <>
      {line.isStale ? (
        <div className="warning mt-3" role="alert">
          <span>
            {line.problem}{' '}
            <button
              type="button"
              className="link"
              onClick={() => line.points !== null && line.set(line.points)}
            >
              Set it to {line.points === null ? '' : pointsShown(line.points)} all the same
            </button>
            {' · '}
            <button type="button" className="link" onClick={line.leave}>
              Discard my change
            </button>
          </span>
        </div>
      ) : (
        <Problem text={line.problem} />
      )}
      {stored && (
        <p className="hint mt-2.5 text-ink-2" role="status">
          {stored.fixedAt
            ? `Fixed by ${stored.fixedBy}, ${at(stored.fixedAt)}: it is moved with a reason alone.`
            : line.isDraft
              ? 'Not kept yet …'
              : `Kept for everybody: ${stored.changedBy}, ${at(stored.changedAt)}. `}
          {!stored.fixedAt && !line.isDraft && (
            <button type="button" className="link" onClick={() => setIsFixing(true)}>
              Fix the line…
            </button>
          )}
        </p>
      )}
      {isFixing && stored && (
        <ActionDialog
          title={`Fix the line at ${pointsShown(stored.points)}?`}
          text={`${countOf(above, 'candidate')} ${above === 1 ? 'has' : 'have'} ${pointsShown(stored.points)} points or more. From then on the line moves only with a reason, which is saved in the log, and an owner may show all names.`}
          endpoint={fixResultLine}
          input={{ params: place, body: { version: stored.version } }}
          button={[`Fix it at ${pointsShown(stored.points)}`, 'Fixing…']}
          onClose={() => setIsFixing(false)}
        />
      )}
      {line.isReasonAsked && line.points !== null && (
        <ActionDialog
          title={`Move the fixed line to ${pointsShown(line.points)}`}
          endpoint={setResultLine}
          input={{ params: place, body: { version: stored?.version ?? 0, points: line.points } }}
          fields={{ reason: { ...REASON, isNeeded: true } }}
          button={['Move the line', 'Moving…']}
          done={line.put}
          onClose={line.leave}
        />
      )}
    </>
  )
}
