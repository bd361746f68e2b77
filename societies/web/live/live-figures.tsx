import type { LiveCounts } from '../../contract/live.ts'

const FIGURES: readonly [keyof LiveCounts, string][] = [
  ['inside', 'inside'],
  ['absent', 'not here'],
  ['verified', 'signed in, waiting'],
  ['done', 'done'],
]

/** The counts as the headline: how many need somebody, where the others are, and whether answers are saved. */
export function LiveFigures({ counts, updatedAt }: { counts: LiveCounts; updatedAt: string }) {
  const { toLookAt, saving, inside } = counts
  return (
    <section
      aria-label="Numbers"
      className="mb-7.5 grid grid-cols-4 gap-x-2 border-ink border-b pb-3 md:grid-cols-[repeat(5,auto)_minmax(0,1fr)] md:gap-x-0 md:pb-5"
    >
      <p
        className={`col-span-4 flex items-baseline gap-3 pb-3 md:col-span-1 md:block md:pr-8.5 md:pb-0 ${toLookAt > 0 ? 'amber font-medium' : ''}`}
      >
        <b className="figure block text-[64px] md:text-[60px]">{toLookAt}</b>
        <span className="text-[17px] md:mt-1.5 md:block md:whitespace-nowrap md:text-[13.5px]">
          to look at
        </span>
      </p>
      {FIGURES.map(([count, label]) => (
        <p key={count} className="md:border-line md:border-l md:pr-8.5 md:pl-7">
          <b className="figure block text-[30px] md:text-[60px]">{counts[count]}</b>
          <span className="mt-1.5 block text-[12.5px] text-ink-2 md:text-[13.5px]">{label}</span>
        </p>
      ))}
      <div className="col-span-4 mt-3 border-line border-t pt-3 md:col-span-1 md:mt-0 md:border-t-0 md:border-l md:pt-0.5 md:pl-7">
        {inside > 0 && (
          <p className="text-[13.5px]">
            <i aria-hidden className="dot mr-2" />
            Answers are being saved for {saving} of {inside}
          </p>
        )}
        <p className="hint figures mt-1.5 max-md:hidden">updated {updatedAt}</p>
      </div>
    </section>
  )
}
