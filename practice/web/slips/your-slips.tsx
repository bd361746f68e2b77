import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { Link } from 'react-router'
import { HubSection } from '../../../platform/web/ui/section.tsx'
import { Skeleton } from '../../../platform/web/ui/skeleton.tsx'
import type { SlipMade } from '../../contract/sessions.ts'
import { ANYTHING, builtTestUrl } from '../build/built-test.ts'
import { slipsQuery } from '../queries.ts'
import { ofTheLast, youDid } from './slip-words.ts'

/** People who read ten mistakes fix none. */
const SHOWN = 5

/** The repeated mistakes across topics, the worst as a card and the others as rows (product 3.14.23). */
export function YourMistakes() {
  const { data, isPending } = useQuery(slipsQuery())
  if (isPending) return <Skeleton className="mt-7 h-[260px] w-full" />
  const [worst, ...others] = data?.filter(({ isHabit }) => isHabit).slice(0, SHOWN) ?? []
  if (!worst) {
    return (
      <p className="mt-7 max-w-[52ch] text-ink-2">
        {data
          ? 'No repeated mistakes yet. They appear here once you make the same one twice.'
          : 'Your repeated mistakes will show here.'}
      </p>
    )
  }
  return (
    <>
      <RepeatedMistake slip={worst} chances={worst.lastSix} />
      {others.length > 0 && (
        <HubSection title="Your repeated mistakes" note="last 90 days">
          <ul>
            {others.map((slip) => (
              <li key={slip.code} className="border-line border-b">
                <details className="group">
                  <summary className="flex min-h-14 cursor-pointer list-none items-center gap-4 py-3">
                    <span className="grid min-w-0 flex-1 gap-1.5">
                      <span className="font-medium">{slip.name}</span>
                      <span className="flex flex-wrap items-center justify-between gap-x-4">
                        <Chances chances={slip.lastSix} />
                        <span className="hint">{ofTheLast(slip.lastSix)}</span>
                      </span>
                    </span>
                    <ChevronDown
                      size={17}
                      aria-hidden
                      className="flex-none text-ink-2 group-open:rotate-180"
                    />
                  </summary>
                  <p className="running max-w-[58ch] text-[15px] text-ink-2">{slip.line}</p>
                  <TenOfIt slip={slip} className="btn btn-ghost mt-3 mb-4" />
                </details>
              </li>
            ))}
          </ul>
        </HubSection>
      )}
    </>
  )
}

export function RepeatedMistake(props: {
  slip: SlipMade
  chances: readonly boolean[]
  inThisTest?: number
}) {
  const { slip, chances, inThisTest } = props
  return (
    <section aria-labelledby="repeated-mistake" className="repeated-mistake print:hidden">
      <div>
        <p className="eyebrow text-wrong">A mistake you keep making</p>
        <h2 id="repeated-mistake">{youDid(slip)}</h2>
        <p className="running mt-2 max-w-[58ch] text-pretty text-[15px] text-ink-2">{slip.line}</p>
      </div>
      <div className="grid gap-3.5">
        <div>
          <Chances chances={chances} />
          <p className="hint mt-2">
            {ofTheLast(chances)} chances{inThisTest && `, ${inThisTest} in this test`}
          </p>
        </div>
        <TenOfIt slip={slip} className={inThisTest ? 'btn btn-ghost' : 'btn'} />
      </div>
    </section>
  )
}

/** Shows the last chances, latest on the right, as ticks that are broken for a mistake. A number says the same. */
function Chances({ chances }: { chances: readonly boolean[] }) {
  return (
    <span aria-hidden className="ticks ticks-fine auto-cols-[30px] justify-start gap-[5px]">
      {chances.map((isMade, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: ticks never move
        <span key={index} className={isMade ? 'tick-wrong' : 'tick-done'} />
      ))}
    </span>
  )
}

function TenOfIt({ slip, className }: { slip: SlipMade; className: string }) {
  return (
    <Link to={builtTestUrl({ ...ANYTHING, slip: slip.code })} className={className}>
      10 questions on this mistake<span className="sr-only">: {slip.name}</span>
    </Link>
  )
}
