import TRICKS from '../../../../content/tricks.json' with { type: 'json' }
import type { AskedSum } from '../../../drill/generator.ts'
import { KINDS, type KindName, type Preset } from '../../../drill/presets.ts'
import { type KindReport, type ReachedSum, slowestTen } from '../../../drill/report.ts'
import type { TrickName } from '../../../drill/sum.ts'
import { Section } from '../../kit.tsx'
import { Judged, seconds } from '../tape.tsx'

type Reached = ReachedSum<AskedSum>

const MEASURE = 'py-2.5 pl-4 text-end'

export function KindsTable(props: { kinds: readonly KindReport[]; slow: KindName | null }) {
  return (
    <Section id="by-kind" title="By type of question" className="mt-11">
      <table className="w-full">
        <thead className="hint">
          <tr>
            <th scope="col" className="text-left font-normal">
              Kind
            </th>
            <th scope="col" className={`${MEASURE} font-normal`}>
              Right
            </th>
            <th scope="col" className={`${MEASURE} font-normal`}>
              Median
            </th>
          </tr>
        </thead>
        <tbody>
          {props.kinds.map(({ name, right, reached, medianMs }) => (
            <tr
              key={name}
              className={`border-line border-b ${name === props.slow ? 'font-semibold' : 'font-normal'}`}
            >
              <th scope="row" className="text-left [font-weight:inherit]">
                {KINDS[name].title}
                {name === props.slow && <span className="sr-only"> (slow)</span>}
              </th>
              <td className={MEASURE}>
                {right}{' '}
                <span className="font-normal text-[13px] text-ink-2">of {reached.length}</span>
              </td>
              <td className={MEASURE}>{seconds(medianMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}

export function WrongSums({ reached, preset }: { reached: readonly Reached[]; preset: Preset }) {
  const wrong = reached.filter(({ isRight }) => !isRight)
  return (
    <Section id="wrong" title="Wrong" hint={wrong.length > 0 && 'they come back in the next drill'}>
      {wrong.length === 0 ? (
        <p className="mt-4 text-ink-2">
          {preset.takesNoEnter
            ? 'In a sprint, wrong digits are corrected, not marked.'
            : 'Nothing was wrong.'}
        </p>
      ) : (
        groupsOf(wrong).map(([trick, sums]) => (
          <div key={trick} className="border-line border-b py-3">
            <SumList sums={sums} />
            <Trick name={trick} />
          </div>
        ))
      )}
    </Section>
  )
}

export function SlowSums({ reached }: { reached: readonly Reached[] }) {
  return (
    <Section
      id="slow"
      title="The slowest, with the trick"
      hint={<span className="max-nav:hidden">among right answers</span>}
      className="mt-12"
    >
      <div className="gap-16 nav:columns-2">
        {groupsOf(slowestTen(reached.filter(({ isRight }) => isRight))).map(([trick, sums]) => (
          <div key={trick} className="break-inside-avoid border-line border-b py-3">
            <SumList sums={sums} />
            <Trick name={trick} />
          </div>
        ))}
      </div>
    </Section>
  )
}

function groupsOf(sums: readonly Reached[]): [TrickName, Reached[]][] {
  const groups = new Map<TrickName, Reached[]>()
  for (const one of sums) {
    groups.set(one.sum.trick, [...(groups.get(one.sum.trick) ?? []), one])
  }
  return [...groups]
}

function SumList({ sums }: { sums: readonly Reached[] }) {
  return (
    <ul>
      {sums.map(({ sum, answer, tookMs, isRight }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <li key={index} className="flex items-baseline justify-between gap-4 py-0.5">
          <span className="serif text-[22px]">
            {sum.prompt} <span className="mx-1 text-ink-2">{sum.sign}</span>{' '}
            <Judged sum={sum} answer={answer} isRight={isRight} />
          </span>
          <span className="hint whitespace-nowrap">{seconds(tookMs)}</span>
        </li>
      ))}
    </ul>
  )
}

function Trick({ name }: { name: TrickName }) {
  const trick = TRICKS[name]
  return (
    <p className="running mt-1 max-w-[60ch] text-[14.5px] text-ink-2">
      <span className="font-semibold text-ink">{trick.name}.</span> {trick.how}
    </p>
  )
}
