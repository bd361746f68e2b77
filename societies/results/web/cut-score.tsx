import { useState } from 'react'
import { countOf } from '../../../platform/words.ts'
import { ActionDialog, REASON } from '../../kit/web/ask.tsx'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { Section } from '../../kit/web/section.tsx'
import { Stepper } from '../../kit/web/stepper.tsx'
import { Problem, usePlace } from '../../kit/web/use-act.tsx'
import { zoneMoment } from '../../kit/zone-time.ts'
import { fixResultLine, type ResultLine, setResultLine } from '../contract.ts'
import { pointsShown } from './results-words.ts'
import type { Line } from './use-line.ts'
import { type Counts, countsOf, type FormView, type Shown } from './view.ts'

/** The cut score, how many candidates are above and below it, and who saved it (product 7.17.5). */
export function CutScore(props: {
  stored: ResultLine | null
  views: readonly FormView[]
  line: Line
  mayKeep: boolean
  onReadNear: () => void
}) {
  const { stored, views, line, mayKeep } = props
  const all = views.flatMap(({ candidates }) => candidates)
  const items = Math.max(...views.map((view) => view.items))
  if (line.points === null) {
    const sorted = all.map(({ points }) => points).sort((a, b) => a - b)
    const middle = Math.ceil(sorted[Math.floor(sorted.length / 2)] ?? 0)
    return (
      <Section title="Cut score">
        <p className="pt-3.5 text-ink-2">
          There is no cut score yet. It starts in the middle, and you can move it.
          {!mayKeep && ' Only an owner can save it. Yours stays on this page.'}
        </p>
        <button
          type="button"
          className="btn btn-ghost mt-3 mb-3.5"
          aria-disabled={line.isBusy}
          onClick={() => line.set(middle)}
        >
          Set a cut score
        </button>
      </Section>
    )
  }
  const cut = line.points
  const above = all.filter(({ points }) => points >= cut).length
  const counts = countsOf(views)
  const near = counts ? counts['just-above'] + counts['just-below'] : 0
  return (
    <Section title="Cut score">
      <div className="my-3.5 flex items-center gap-3">
        <Points line={line} points={cut} most={items + 1} />
        <span className="text-ink-2">
          of {countOf(items, 'point')},
          <br />
          {above} at or above
        </span>
      </div>
      {counts ? (
        <Standings counts={counts} all={all} />
      ) : (
        <p className="figures border-line border-y py-2 text-[13.5px]">
          <b className="inline-block w-8.5 font-semibold">{above}</b>at or above
          <br />
          <b className="inline-block w-8.5 font-semibold">{all.length - above}</b>below
        </p>
      )}
      {near > 0 && (
        <p className="hint mt-2.5 text-ink-2">
          For the {near} in between, read the file. Don’t rely on the score.{' '}
          <button type="button" className="link" onClick={props.onReadNear}>
            Read the {countOf(near, 'file')}
          </button>
        </p>
      )}
      {mayKeep ? (
        <Kept stored={stored} line={line} points={cut} above={above} />
      ) : (
        line.isDraft && (
          <p className="hint mt-2.5 text-ink-2">
            Only on this page.{' '}
            {stored && (
              <button type="button" className="link" onClick={line.leave}>
                Back to the saved cut score, {pointsShown(stored.points)}
              </button>
            )}
          </p>
        )
      )}
    </Section>
  )
}

function Points({ line, points, most }: { line: Line; points: number; most: number }) {
  const [typed, setTyped] = useState<string | null>(null)
  const within = (wanted: number) => Math.min(Math.max(0, wanted), most)
  return (
    <Stepper
      label="Cut score, points"
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

/** A bar and a list of how many candidates are clearly, or within measurement error, above and below. */
function Standings({ counts, all }: { counts: Counts; all: readonly Shown[] }) {
  /** ', 20 and more': the score nearest to the cut score that is clear of it */
  const edge = (standing: keyof Counts, pick: typeof Math.min, word: string) => {
    const points = all.filter((one) => one.standing === standing).map((one) => one.points)
    return points.length > 0 ? `, ${pointsShown(pick(...points))} and ${word}` : ''
  }
  const rows: [standing: keyof Counts, look: string, words: string][] = [
    ['clearly-above', 'bg-ink', `clearly above${edge('clearly-above', Math.min, 'more')}`],
    ['just-above', 'bg-mid opacity-85', 'above, but within measurement error'],
    ['just-below', 'bg-mid opacity-45', 'below, but within measurement error'],
    [
      'clearly-below',
      'bg-line-strong opacity-50',
      `clearly below${edge('clearly-below', Math.max, 'less')}`,
    ],
  ]
  return (
    <>
      <div aria-hidden className="mb-2.5 flex h-2.5 gap-0.5">
        {rows.map(
          ([standing, look]) =>
            counts[standing] > 0 && (
              <i
                key={standing}
                className={look}
                style={{ flexGrow: counts[standing], flexBasis: 0 }}
              />
            ),
        )}
      </div>
      <ul className="figures text-[13.5px]">
        {rows.map(([standing, , words]) => (
          <li
            key={standing}
            className={`grid grid-cols-[34px_1fr] py-1.5 ${standing === 'just-above' ? 'border-ink border-b-2' : 'border-line border-b'}`}
          >
            <b className="font-semibold">{counts[standing]}</b>
            {words}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Who saved or locked the cut score, what to do when another owner moved it, and the lock. */
function Kept(props: { stored: ResultLine | null; line: Line; points: number; above: number }) {
  const { stored, line, points, above } = props
  const place = usePlace()
  const { timeZone } = useAssessment()
  const [isFixing, setIsFixing] = useState(false)
  const at = (iso: string) => zoneMoment(iso, timeZone, Date.now())
  return (
    <>
      {line.isStale ? (
        <div className="warning mt-3" role="alert">
          <span>
            {line.problem}{' '}
            <button type="button" className="link" onClick={() => line.set(points)}>
              Set it to {pointsShown(points)} anyway
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
          {stored.fixedAt ? (
            `Locked by ${stored.fixedBy}, ${at(stored.fixedAt)}. To change it, give a reason.`
          ) : line.isDraft ? (
            'Not saved yet …'
          ) : (
            <>
              Saved by {stored.changedBy}, {at(stored.changedAt)}.{' '}
              <button type="button" className="link" onClick={() => setIsFixing(true)}>
                Lock the cut score…
              </button>
            </>
          )}
        </p>
      )}
      {isFixing && stored && (
        <ActionDialog
          title={`Lock the cut score at ${pointsShown(stored.points)}?`}
          text={`${countOf(above, 'candidate has', 'candidates have')} ${pointsShown(stored.points)} points or more. Any later change needs a reason, which is saved in the log. An owner can then show all names.`}
          endpoint={fixResultLine}
          input={{ params: place, body: { version: stored.version } }}
          button={[`Lock it at ${pointsShown(stored.points)}`, 'Locking…']}
          onClose={() => setIsFixing(false)}
        />
      )}
      {line.isReasonAsked && (
        <ActionDialog
          title={`Change the locked cut score to ${pointsShown(points)}?`}
          endpoint={setResultLine}
          input={{ params: place, body: { version: line.heldVersion(), points } }}
          fields={{ reason: { ...REASON, isNeeded: true } }}
          button={['Change the cut score', 'Changing…']}
          done={line.put}
          onClose={line.leave}
        />
      )}
    </>
  )
}
