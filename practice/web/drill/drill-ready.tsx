import { type ReactNode, useEffect, useRef, useState } from 'react'
import { URLS } from '../../../platform/urls.ts'
import { shortDate } from '../../../platform/web/dates.ts'
import type { DrillSummary } from '../../contract/drills.ts'
import { PENALTIES, type Preset } from '../../drill/presets.ts'
import { Choices } from '../kit.tsx'
import { ActionBar, KeyHints } from '../sitting/action-bar.tsx'
import { HeadFrame, SittingToggles } from '../sitting/sitting-head.tsx'

export function DrillReady(props: {
  preset: Preset
  last: DrillSummary | undefined
  drills: readonly DrillSummary[]
  isTimeUp: boolean
  onStart: (penalty: number) => void
}) {
  const { preset, last, onStart } = props
  const [penalty, setPenalty] = useState<number>(preset.penalty)
  const start = useRef<HTMLButtonElement>(null)
  // The button has the focus, so Enter starts the drill.
  useEffect(() => start.current?.focus({ preventScroll: true }), [])
  const scores = props.drills.filter((one) => one.preset === preset.id).map(({ score }) => score)
  return (
    <div className="sitting">
      <DrillHeader>
        <p className="min-w-0 flex-1 truncate text-[15px] text-ink-2">Drills</p>
      </DrillHeader>
      <main className="sitting-wrap flex-1 py-10 nav:py-16">
        {props.isTimeUp && (
          <p role="status" className="mb-6 text-ink-2">
            The time ran out before the first answer, so nothing was kept.
          </p>
        )}
        <p className="eyebrow">{preset.name}</p>
        <h1 className="mt-2">{capital(preset.extent)}</h1>
        <p className="running mt-4 max-w-[56ch] text-[17px] text-ink-2">{preset.about}</p>
        <p className="running mt-3 max-w-[56ch] text-[17px] text-ink-2">
          {preset.answering === 'choice'
            ? 'Press a key or tap an answer, and the next question appears.'
            : preset.takesNoEnter
              ? "Type the answer. You don't need Enter."
              : 'Type the answer and press Enter. You can use a comma or a point.'}{' '}
          The clock can't be paused and keeps running behind other windows.
        </p>
        {!preset.takesNoEnter && (
          <div className="mt-8">
            <p aria-hidden className="mb-2 text-[15px]">
              A wrong answer costs
            </p>
            <Choices
              legend="A wrong answer costs"
              options={PENALTIES.map((points) => [points, PRICES[points]])}
              chosen={penalty}
              onChoose={setPenalty}
            />
          </div>
        )}
        <p className="mt-8 min-h-6 text-ink-2">
          {last &&
            `Last time ${last.score}, ${shortDate(last.startedAt)}. Best ${Math.max(...scores)}.`}
        </p>
        <SourceLine preset={preset} />
      </main>
      <ActionBar>
        <KeyHints hints={[['Enter', 'start']]} />
        <button ref={start} type="button" className="btn btn-big" onClick={() => onStart(penalty)}>
          Start
        </button>
      </ActionBar>
    </div>
  )
}

const PRICES = ['nothing', '1 point', '2 points'] as const

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export function DrillHeader({ line, children }: { line?: ReactNode; children: ReactNode }) {
  return (
    <HeadFrame
      closeTo={URLS.drills}
      closeLabel="Close the drill"
      below={
        <div aria-hidden className="h-[3px] bg-line">
          {line}
        </div>
      }
    >
      {children}
      <SittingToggles />
    </HeadFrame>
  )
}

/** Names the test that a drill imitates and its unaffiliated owner (product 3.11.2). It's empty for our own drills. */
export function SourceLine({ preset }: { preset: Preset }) {
  const { source, passMark } = preset
  if (!source) return null
  return (
    <p className="hint mt-3 max-w-[70ch]">
      After {source.whose}, as known in {source.year}: {source.told}
      {passMark !== null && `; ${passMark} is said to pass`}. Not affiliated with {source.whose}.
    </p>
  )
}
