import { ArrowRight } from 'lucide-react'
import { countOf } from '../../../../platform/words.ts'
import { blindNumber } from '../../../blind-number.ts'
import type { Moved, ShownConsequences } from '../../../contract/analysis.ts'
import { decimal } from '../../../statistics/figures.ts'

/** Who stands on the other side of the line afterwards, by blind numbers. */
export function AcrossTheLine({
  line,
  across,
}: {
  line: number
  across: ShownConsequences['lines'][number]
}) {
  const crossing = across.crossing ?? []
  const rises = crossing.filter(({ pointsAfter }) => pointsAfter >= across.points)
  const falls = crossing.filter(({ pointsAfter }) => pointsAfter < across.points)
  return (
    <section aria-labelledby="across">
      <h2 id="across" className="text-[19px]!">
        Across the line
      </h2>
      {crossing.length === 0 ? (
        <p className="mt-2 text-ink-2">
          Nobody crosses the line at{' '}
          {across.points === line
            ? plain(line)
            : `${plain(across.points)} instead of ${plain(line)}`}
          .
        </p>
      ) : (
        <table className="table mt-2">
          <thead>
            <tr>
              <th scope="col">Candidate</th>
              <th scope="col" className="text-end!">
                Score
              </th>
              <th scope="col" className="text-end!">
                Rank
              </th>
            </tr>
          </thead>
          <tbody>
            <Group words={`${countOf(rises.length, 'comes', 'come')} in`} candidates={rises} />
            <Group words={`${countOf(falls.length, 'falls', 'fall')} out`} candidates={falls} />
          </tbody>
        </table>
      )}
    </section>
  )
}

function Group({ words, candidates }: { words: string; candidates: readonly Moved[] }) {
  if (candidates.length === 0) return null
  return (
    <>
      <tr>
        <td colSpan={3} className="align-bottom text-[12.5px] text-ink-2">
          {words}
        </td>
      </tr>
      {candidates.map((one) => (
        <tr key={one.number}>
          <td>{blindNumber(one.number)}</td>
          <Change before={one.points} after={one.pointsAfter} />
          <Change before={one.place} after={one.placeAfter} />
        </tr>
      ))}
    </>
  )
}

/** '16', '16.5': points that were added leave no more digits than a line can have. */
const plain = (value: number) => (Number.isInteger(value) ? value : decimal(value))

function Change({ before, after }: { before: number; after: number }) {
  return (
    <td className="text-end">
      {plain(before)} <ArrowRight size={12} aria-label="to" className="inline text-ink-2" />{' '}
      <b className="font-semibold">{plain(after)}</b>
    </td>
  )
}
