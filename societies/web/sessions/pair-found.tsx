import type { ResponseOf } from '../../../platform/endpoint.ts'
import type { checkPair } from '../../contract/sessions.ts'
import { blindNumber, countOf } from '../../number-words.ts'
import { SIMILARITY_CAVEATS } from '../../statistics/similarity/pairs.ts'

type Pair = ResponseOf<typeof checkPair>['pair']

/** What two candidates' answers have in common, in the words of product 7.19.17. */
export function PairFound({ pair }: { pair: Pair }) {
  const { identicalWrong } = pair
  return (
    <div className="grid gap-2 border-line border-t pt-3">
      <p>
        <b className="figures font-[550]">
          {blindNumber(pair.first)} and {blindNumber(pair.second)}
        </b>{' '}
        gave {countOf(pair.identical, 'identical answer')} of {pair.answered}. Two independent
        people of their strength give {pair.expected.toFixed(0)} on average; as many or more happen{' '}
        {rarity(pair.onceIn)}.
      </p>
      {identicalWrong.length > 0 && (
        <div>
          <p>
            {countOf(identicalWrong.length, 'of them is wrong', 'of them are wrong')} in the same
            way:
          </p>
          <ul className="mt-1 grid gap-1 text-ink-2">
            {identicalWrong.map(({ number, question, option, text }) => (
              <li key={number}>
                Question {number}, {question} Both chose {option}: {text}
              </li>
            ))}
          </ul>
        </div>
      )}
      {pair.standsOut ? <p>{SIMILARITY_CAVEATS.present}</p> : <NothingStandsOut />}
    </div>
  )
}

export function NothingStandsOut() {
  return <p>{SIMILARITY_CAVEATS.absent} Absence of a flag proves nothing.</p>
}

/** 'once in 40,000 pairs', 'in every second pair' */
function rarity(onceIn: number): string {
  if (onceIn < 1.5) return 'in nearly every pair'
  if (onceIn > 1e9) return 'less than once in a thousand million pairs'
  const digits = 10 ** Math.max(0, Math.floor(Math.log10(onceIn)) - 1)
  return `once in ${(Math.round(onceIn / digits) * digits).toLocaleString('en-GB')} pairs`
}
