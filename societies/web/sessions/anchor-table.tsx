import { type Comparison, signed } from './comparison-words.ts'

/** The common questions, those that became easier most first: where questions were told, these are they. */
export function AnchorTable({ comparison }: { comparison: Comparison }) {
  const { anchors, earlier, later, said } = comparison
  const isTimed = anchors.some(
    ({ medianMs }) => medianMs.earlier !== null || medianMs.later !== null,
  )
  const isSaid = said !== 'hidden'
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col" className="max-md:hidden">
            #
          </th>
          <th scope="col">Question</th>
          <th scope="col" className="text-end!">
            {earlier.name}
          </th>
          <th scope="col" className="text-end!">
            {later.name}
          </th>
          {isSaid && (
            <>
              <th scope="col" className="text-end!">
                Shift
              </th>
              <th scope="col" className="text-end! max-md:hidden">
                Drift
              </th>
            </>
          )}
          {isTimed && (
            <th scope="col" className="text-end! max-md:hidden">
              Median time
            </th>
          )}
          {isSaid && <th scope="col">State</th>}
        </tr>
      </thead>
      <tbody>
        {anchors.map((anchor) => (
          <tr key={anchor.questionId}>
            <td className="text-ink-2 max-md:hidden">
              {anchor.numbers.earlier === anchor.numbers.later
                ? anchor.numbers.earlier
                : `${anchor.numbers.earlier}, ${anchor.numbers.later}`}
            </td>
            <td className="w-full max-w-0">
              <span className="block truncate" title={anchor.question}>
                {anchor.question}
              </span>
            </td>
            <td className="whitespace-nowrap text-end">{shareOf(anchor.earlier)}</td>
            <td className="whitespace-nowrap text-end">{shareOf(anchor.later)}</td>
            {isSaid && (
              <>
                <td className="whitespace-nowrap text-end">
                  {anchor.shift === null ? '' : signed(anchor.shift * 100, 0)}
                </td>
                <td className="whitespace-nowrap text-end text-ink-2 max-md:hidden">
                  {anchor.distance === null ? '' : signed(anchor.distance, 2)}
                </td>
              </>
            )}
            {isTimed && (
              <td className="whitespace-nowrap text-end text-ink-2 max-md:hidden">
                {secondsOf(anchor.medianMs.earlier)} and {secondsOf(anchor.medianMs.later)}
              </td>
            )}
            {isSaid && (
              <td className={anchor.isDropped ? 'amber' : 'text-ink-2'}>
                {anchor.isDropped ? 'dropped' : 'clean'}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** '9 of 12' below 15 people, a percentage from there on (product 7.9.3). */
const shareOf = ({ right, of }: { right: number; of: number }) =>
  of < 15 ? `${right} of ${of}` : `${Math.round((right / of) * 100)}%`

const secondsOf = (ms: number | null) => (ms === null ? '–' : `${Math.round(ms / 1_000)} s`)
