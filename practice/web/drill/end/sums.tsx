import type { AskedSum } from '../../../drill/generator.ts'
import type { Preset } from '../../../drill/presets.ts'
import { type ReachedSum, slowestTen } from '../../../drill/report.ts'
import { TRICKS } from '../../../drill/tricks.ts'
import { Judged, seconds } from '../tape.tsx'

type Reached = ReachedSum<AskedSum>

/** What was wrong, corrected, with the trick for it. */
export function WrongSums({ reached, preset }: { reached: readonly Reached[]; preset: Preset }) {
  const wrong = reached.filter(({ isRight }) => !isRight)
  return (
    <section aria-labelledby="wrong">
      <div className="section-head">
        <h2 id="wrong" className="text-[23px]">
          Wrong
        </h2>
        {wrong.length > 0 && <p className="hint">they come back in the next drill</p>}
      </div>
      {wrong.length === 0 ? (
        <p className="mt-4 text-ink-2">
          {preset.takesNoEnter
            ? 'In a sprint a wrong digit is mended and not marked.'
            : 'Nothing was wrong.'}
        </p>
      ) : (
        <SumList sums={wrong} />
      )}
    </section>
  )
}

/** The ten that took longest, each kind of trick told once; those that were wrong stand above already. */
export function SlowSums({ reached }: { reached: readonly Reached[] }) {
  const slow = slowestTen(reached).filter(({ isRight }) => isRight)
  return (
    <section aria-labelledby="slow">
      <div className="section-head">
        <h2 id="slow" className="text-[23px]">
          Slowest, with the trick
        </h2>
        <p className="hint">of the ten that took longest</p>
      </div>
      {slow.length === 0 ? (
        <p className="mt-4 text-ink-2">The slowest were those that were wrong.</p>
      ) : (
        <SumList sums={slow} />
      )}
    </section>
  )
}

function SumList({ sums }: { sums: readonly Reached[] }) {
  const told = new Set<string>()
  return (
    <ul>
      {sums.map(({ sum, answer, tookMs, isRight }, index) => {
        const isTold = told.has(sum.trick)
        told.add(sum.trick)
        const trick = TRICKS[sum.trick]
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <li key={index} className="border-line border-b py-3">
            <p className="flex items-baseline justify-between gap-4">
              <span className="serif text-[22px] [font-feature-settings:'tnum','lnum']">
                {sum.prompt} <span className="text-ink-2">{sum.sign}</span>{' '}
                <Judged sum={sum} answer={answer} isRight={isRight} />
              </span>
              <span className="hint whitespace-nowrap">{seconds(tookMs)}</span>
            </p>
            <p className="running mt-1 max-w-[60ch] text-[14.5px] text-ink-2">
              <span className="font-semibold text-ink">{trick.name}.</span> {!isTold && trick.how}
            </p>
          </li>
        )
      })}
    </ul>
  )
}
