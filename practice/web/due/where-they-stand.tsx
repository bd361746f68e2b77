/** Columns of the chart: days until a question comes back, at most. */
const COLUMNS = [
  { label: '1 day', upTo: 1 },
  { label: '2–4 days', upTo: 4 },
  { label: '5–10 days', upTo: 10 },
  { label: '11–30 days', upTo: 30 },
  { label: 'longer', upTo: Number.POSITIVE_INFINITY },
]
/** Beyond so many a column has one bar of their height, so that it stays in its picture. */
const BARS = 8

/** In how many days the questions of a sitting come back: a bar for each, with the number above. */
export function WhereTheyStand({ intervals }: { intervals: readonly number[] }) {
  const columns = COLUMNS.map(({ label, upTo }, index) => {
    const above = COLUMNS[index - 1]?.upTo ?? 0
    return { label, count: intervals.filter((days) => days > above && days <= upTo).length }
  })
  return (
    <section aria-labelledby="stand">
      <div className="section-head">
        <h2 id="stand" className="text-[23px]">
          When they come back
        </h2>
      </div>
      <ol className="mt-6 grid grid-cols-5">
        {columns.map(({ label, count }, column) => (
          <li key={label} className="flex flex-col text-center">
            <div
              aria-hidden
              className="flex min-h-[150px] flex-1 flex-col items-center justify-end border-ink border-b pb-0.5"
            >
              {count > 0 && (
                <span className="mb-2 font-semibold text-[13px] leading-none">{count}</span>
              )}
              {Array.from({ length: Math.min(count, BARS) }, (_, bar) => (
                <span
                  // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
                  key={bar}
                  className={`mt-1 h-[10px] w-[26px] rounded-[1px] ${column === COLUMNS.length - 1 ? 'bg-right' : 'bg-ink'}`}
                />
              ))}
            </div>
            <span className="hint mt-2 text-[12px]">
              {label}
              <span className="sr-only">: {count}</span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
