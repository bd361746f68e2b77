import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { HubSection } from '../../../platform/web/ui/section.tsx'
import type { SlipMade } from '../../contract/slips.ts'
import { ANYTHING, builtTestUrl } from '../build/built-test.ts'
import { slipsQuery } from './queries.ts'
import { ofTheLast } from './slip-words.ts'

/** The most that is told at once: who reads ten faults mends none. */
const SHOWN = 5

/**
 * 'Your slips' in the Personal Hub (product 3.14.23): the mistakes that come again, whatever the topic. Nothing
 * where there are none, or while it isn't known.
 */
export function YourSlips() {
  const { data } = useQuery(slipsQuery())
  const habits = data?.filter(({ isHabit }) => isHabit).slice(0, SHOWN) ?? []
  if (habits.length === 0) return null
  return (
    <HubSection title="Your slips" note="of the last 90 days, where they were possible">
      <ol>
        {habits.map((slip) => (
          <li
            key={slip.code}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-line border-b py-4"
          >
            <div className="min-w-0 max-w-[56ch]">
              <h3>{slip.name}</h3>
              <p className="mt-1 text-[15px] text-ink-2">{slip.line}</p>
              <p className="mt-2.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-[15px]">
                <LastSix lastSix={slip.lastSix} />
                <span>{ofTheLast(slip)}</span>
                {slip.sixBefore.possible > 0 && <span className="hint">{before(slip)}</span>}
              </p>
            </div>
            <Link
              to={builtTestUrl({ ...ANYTHING, slip: slip.code })}
              className="btn btn-ghost max-sm:w-full"
            >
              Ten of this slip<span className="sr-only">: {slip.name}</span>
            </Link>
          </li>
        ))}
      </ol>
    </HubSection>
  )
}

/** Each of the last six, the latest at the right: broken where the slip was made. The number stands beside it. */
function LastSix({ lastSix }: Pick<SlipMade, 'lastSix'>) {
  return (
    <span aria-hidden className="ticks ticks-fine w-[113px] flex-none gap-[7px]">
      {lastSix.map((isMade, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a tick is its place
        <span key={index} className={isMade ? 'tick-wrong' : 'tick-done'} />
      ))}
    </span>
  )
}

const before = ({ sixBefore: { made, possible } }: SlipMade) =>
  possible === 1
    ? `${made === 1 ? 'and' : 'not in'} the one before`
    : `${made === 0 ? 'none' : made} of the ${possible} before`
