import type { Exhibit } from '../../exhibit.ts'

/** An image that may still be loading. */
export type ShownPicture =
  | { state: 'loading' }
  | { state: 'ready'; url: string }
  | { state: 'failed'; onTryAgain: () => void }

/** A question's table or image (product 7.9.13). */
export function ExhibitShown(props: { exhibit: Exhibit; picture: ShownPicture | undefined }) {
  const { exhibit } = props
  return (
    <div className="mt-6">
      {exhibit.kind === 'table' ? (
        <ExhibitTable rows={exhibit.rows} />
      ) : (
        <ExhibitPicture {...exhibit} picture={props.picture} />
      )}
    </div>
  )
}

/** If it is wider than the screen, it scrolls in its own box. */
function ExhibitTable({ rows: [head = [], ...rows] }: { rows: string[][] }) {
  return (
    <section
      aria-label="Table"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it must scroll by keyboard too
      tabIndex={0}
      className="overflow-x-auto border-ink border-y"
    >
      <table className="w-full border-collapse text-[15px] leading-snug">
        <thead>
          <tr className="border-line-strong border-b">
            {head.map((cell, column) => (
              <th
                // biome-ignore lint/suspicious/noArrayIndexKey: cells have no identity but their position
                key={column}
                scope="col"
                className={`px-3 py-2 font-medium first:pl-0 last:pr-0 ${sideOf(rows, column)}`}
              >
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, number) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their position
            <tr key={number} className="border-line border-t first:border-t-0">
              {row.map((cell, column) => (
                <td
                  // biome-ignore lint/suspicious/noArrayIndexKey: cells have no identity but their position
                  key={column}
                  className={`px-3 py-2 first:pl-0 last:pr-0 ${sideOf(rows, column)}`}
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Aligns columns of numbers to the right. */
function sideOf(rows: string[][], column: number): string {
  const cells = rows.map((row) => row[column] ?? '').filter((cell) => cell !== '')
  const isFigures =
    cells.length > 0 && cells.every((cell) => /\d/.test(cell) && !/[a-z]{3}/i.test(cell))
  return isFigures ? 'whitespace-nowrap text-end' : 'text-start'
}

function ExhibitPicture(props: {
  alt: string
  width: number
  height: number
  picture: ShownPicture | undefined
}) {
  const { alt, width, height, picture = { state: 'loading' } } = props
  if (picture.state === 'ready') {
    return (
      <img
        src={picture.url}
        alt={alt}
        width={width}
        height={height}
        draggable={false}
        // The image is drawn for paper, and the page around it may be dark.
        className="h-auto max-w-full bg-white"
      />
    )
  }
  return (
    <div
      role="status"
      className="grid max-w-full content-center justify-items-start gap-3 border border-line bg-surface p-4"
      style={{ width, minHeight: Math.min(height, 240) }}
    >
      {picture.state === 'loading' ? (
        <p className="text-ink-2">Loading the image…</p>
      ) : (
        <>
          <p className="font-medium">The image could not be loaded.</p>
          <p className="text-[15px] text-ink-2">It shows: {alt}</p>
          <button type="button" className="btn btn-ghost" onClick={picture.onTryAgain}>
            Try again
          </button>
        </>
      )}
    </div>
  )
}
