import { Link } from 'react-router'
import type { SlipMade } from '../../contract/slips.ts'
import { ANYTHING, builtTestUrl } from '../build/built-test.ts'
import { ofTheLast, youDid } from './slip-words.ts'

/** A mistake that comes again, as a card: what you did, your last chances, and ten questions on it (product 3.14.23). */
export function RepeatedMistake(props: {
  slip: SlipMade
  /** whether it was made in each of the last chances, the oldest first */
  chances: readonly boolean[]
  /** how often it was made in the test whose results show it */
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

/** Each of the last chances, the latest at the right: broken where the mistake was made. A number says the same. */
export function Chances({ chances }: { chances: readonly boolean[] }) {
  return (
    <span aria-hidden className="ticks ticks-fine auto-cols-[30px] justify-start gap-[5px]">
      {chances.map((isMade, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a tick is its place
        <span key={index} className={isMade ? 'tick-wrong' : 'tick-done'} />
      ))}
    </span>
  )
}

export function TenOfIt({ slip, className }: { slip: SlipMade; className: string }) {
  return (
    <Link to={builtTestUrl({ ...ANYTHING, slip: slip.code })} className={className}>
      10 questions on this mistake<span className="sr-only">: {slip.name}</span>
    </Link>
  )
}
