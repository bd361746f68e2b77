import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { endpointKey } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import { ActionDialog, AskButton, REASON } from '../../kit/web/ask.tsx'
import { isStale } from '../../kit/web/console/changed-meanwhile.tsx'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { sentenceOf } from '../../kit/web/loaded.tsx'
import { Section } from '../../kit/web/section.tsx'
import { Stepper } from '../../kit/web/stepper.tsx'
import { Problem, usePlace } from '../../kit/web/use-act.tsx'
import { zoneMoment } from '../../kit/zone-time.ts'
import {
  fixResultLine,
  getResults,
  type ResultLine,
  type Results,
  setResultLine,
} from '../contract.ts'
import { cutsFor, isNear, pointsShown, type Shown } from './results-words.ts'

/** A new cut score is saved after this pause without changes. */
const SETTLED_MS = 700
const KEEPING = ['result-line']

/** Keeps the cut score as a draft on this page until it is saved for all members with access. */
export function useLine(stored: Results['line'], mayKeep: boolean) {
  const place = usePlace()
  const client = useQueryClient()
  const key = endpointKey(getResults, { params: place })
  const [draft, setDraft] = useState<number | null>(null)
  const [isReasonAsked, setIsReasonAsked] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const put = (line: ResultLine | null) =>
    client.setQueryData<Results>(key, (known) => known && { ...known, line })
  // This reads the cache directly, because the last render may be older.
  const kept = () => client.getQueryData<Results>(key)?.line ?? null
  // This is the version when the draft began. If another owner saves meanwhile, the page reports a conflict instead
  // of overwriting it.
  const held = useRef(0)
  const take = (points: number) => {
    clearTimeout(timer.current)
    keeping.reset()
    if (draft === null) held.current = kept()?.version ?? 0
    setDraft(points)
  }
  const keeping = useMutation({
    mutationKey: KEEPING,
    // Saves run one after the other, so each sends the version from the previous one.
    scope: { id: `line of ${place.code}` },
    mutationFn: ({ points }: { points: number }) =>
      call(setResultLine, { params: place, body: { version: held.current, points } }),
    onSuccess: (line) => {
      held.current = line.version
      put(line)
      // The user may have changed it again meanwhile.
      setDraft((now) => (now === line.points ? null : now))
      // The obstacles include how many candidates would cross the new cut score.
      void client.invalidateQueries({ queryKey: key, exact: true })
    },
    onError: (error) => {
      if (!isStale(error)) return
      const line = error.details.line as ResultLine | null
      held.current = line?.version ?? 0
      put(line)
    },
  })

  function keep(points: number): void {
    if (!mayKeep) return
    const line = kept()
    const isWhereItWas =
      line?.points === points && client.isMutating({ mutationKey: KEEPING }) === 0
    if (isWhereItWas) setDraft(null)
    else if (line?.fixedAt && line.points !== points) setIsReasonAsked(true)
    else keeping.mutate({ points })
  }
  return {
    points: draft ?? stored?.points ?? null,
    isDraft: draft !== null,
    isBusy: keeping.isPending,
    set: (points: number) => {
      take(points)
      keep(points)
    },
    /** changes the draft, which is saved after a pause */
    step: (points: number) => {
      take(points)
      timer.current = setTimeout(() => keep(points), SETTLED_MS)
    },
    isReasonAsked,
    /** the version that the draft replaces */
    heldVersion: () => held.current,
    put,
    leave: () => {
      clearTimeout(timer.current)
      keeping.reset()
      setDraft(null)
      setIsReasonAsked(false)
    },
    isStale: isStale(keeping.error),
    problem: keeping.error ? sentenceOf(keeping.error) : null,
  }
}
type Line = ReturnType<typeof useLine>

/** Shows the cut score, its effect on the number of places, and who saved it (product 7.17.5, 7.17.16). */
export function CutScore(props: {
  results: Results
  all: readonly Shown[]
  line: Line
  isOwner: boolean
  onReadNear: () => void
}) {
  const { results, all, line, isOwner } = props
  const { line: stored } = results
  const items = Math.max(...results.forms.map((form) => form.items))
  if (line.points === null) {
    const sorted = all.map(({ right }) => right).sort((a, b) => a - b)
    const middle = sorted[Math.floor(sorted.length / 2)] ?? 0
    return (
      <Section title="Cut score">
        <p className="pt-3.5 text-ink-2">
          There is no cut score yet. It starts in the middle, and you can move it.{' '}
          {!isOwner && ' Only owners can save it, so yours stays on this page.'}
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
  const above = all.filter(({ right }) => right >= cut).length
  const near = all.filter(isNear).length
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
      <Places all={all} line={line} inNow={above} />
      {near > 0 && (
        <p className="hint mt-2.5 text-ink-2">
          {countOf(near, 'score is', 'scores are')} too close to call. Review the reports before you
          decide.{' '}
          <button type="button" className="link" onClick={props.onReadNear}>
            Review {countOf(near, 'candidate')}
          </button>
        </p>
      )}
      {isOwner ? (
        <Kept stored={stored} line={line} points={cut} above={above} />
      ) : (
        line.isDraft && (
          <p className="hint mt-2.5 text-ink-2">
            This cut score is only on this page.{' '}
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

/** 'We have 15 places' picks the cut score that fills at least that many, and shows the nearest ones. */
function Places({ all, line, inNow }: { all: readonly Shown[]; line: Line; inNow: number }) {
  const [typed, setTyped] = useState<string | null>(null)
  const places = typed === null ? inNow : Number(typed)
  const isValid = Number.isInteger(places) && places >= 1 && places <= all.length
  const choose = (text: string) => {
    setTyped(text)
    const wanted = Number(text)
    const { best } = cutsFor(all, wanted)
    if (best && Number.isInteger(wanted) && wanted >= 1 && wanted <= all.length) {
      line.step(best.points)
    }
  }
  return (
    <div className="mb-3.5">
      <p className="flex items-center gap-2">
        We have
        <Stepper
          label="Places"
          unit="place"
          value={typed ?? inNow}
          isWrong={!isValid}
          onType={choose}
          onStep={(by) => choose(String(Math.min(Math.max(1, (places || 0) + by), all.length)))}
          onEscape={() => {
            setTyped(null)
            line.leave()
          }}
        />
        places
      </p>
      {isValid && (
        <ul className="figures mt-2 text-[13.5px]">
          {cutsFor(all, places).cuts.map(({ points, letsIn }) => (
            <li key={points} className="border-line border-b">
              <button
                type="button"
                aria-pressed={points === line.points}
                className="flex min-h-8 w-full items-center gap-3 text-left aria-pressed:bg-accent-soft max-md:min-h-11"
                onClick={() => line.set(points)}
              >
                <b className="w-18 font-semibold">{countOf(points, 'point')}</b>
                {letsIn} in{letsIn < places && `, ${countOf(places - letsIn, 'place')} free`}
                {letsIn > places && `, ${letsIn - places} too many`}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
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

function Kept(props: { stored: ResultLine | null; line: Line; points: number; above: number }) {
  const { stored, line, points, above } = props
  const place = usePlace()
  const { timeZone } = useAssessment()
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
        <>
          <p className="hint mt-2.5 text-ink-2" role="status">
            {stored.fixedAt
              ? `Locked by ${stored.fixedBy}, ${at(stored.fixedAt)}. To change it, give a reason.`
              : line.isDraft
                ? 'Not saved yet …'
                : `Saved by ${stored.changedBy}, ${at(stored.changedAt)}.`}
          </p>
          {!stored.fixedAt && !line.isDraft && (
            <AskButton
              words="Lock the cut score…"
              className="btn btn-ghost mt-2.5"
              title={`Lock the cut score at ${pointsShown(stored.points)}?`}
              text={`${countOf(above, 'candidate has', 'candidates have')} ${pointsShown(stored.points)} points or more. Locking freezes the ranking. Later incidents only show next to a candidate’s row, and changing the cut score needs a reason for the log. Owners can then show all names.`}
              endpoint={fixResultLine}
              input={{ params: place, body: { version: stored.version } }}
              button={[`Lock it at ${pointsShown(stored.points)}`, 'Locking…']}
            />
          )}
        </>
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
