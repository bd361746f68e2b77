import { useId, useState } from 'react'
import {
  COLUMN_ROLES,
  type ColumnRole,
  type TableLayout,
} from '../../../questions/question-files.ts'
import type { FileReview } from './reviewed.ts'

type Table = NonNullable<FileReview['table']>

const ROLE_NAMES: Record<ColumnRole, string> = {
  question: 'Question',
  a: 'Option A',
  b: 'Option B',
  c: 'Option C',
  d: 'Option D',
  correct: 'Key',
  explanation: 'Explanation',
  topic: 'Topic',
}

/** Which column of a table is what; what nothing in the table says is guessed first (product 7.9.31). */
export function MapColumns(props: {
  table: Table
  isBusy: boolean
  onRead: (layout: TableLayout) => void
}) {
  const { rows } = props.table
  const [columns, setColumns] = useState(props.table.columns)
  const [skip, setSkip] = useState(props.table.skip)
  const id = useId()
  const width = Math.max(0, ...rows.map((row) => row.length))
  const roleAt = (column: number) => COLUMN_ROLES.find((role) => columns[role] === column) ?? ''
  const set = (column: number, role: ColumnRole | '') => {
    const others = COLUMN_ROLES.filter(
      (one) => columns[one] !== undefined && columns[one] !== column && one !== role,
    )
    setColumns({
      ...Object.fromEntries(others.map((one) => [one, columns[one]])),
      ...(role === '' ? {} : { [role]: column }),
    })
  }
  const missing = (['question', 'correct'] as const).filter((role) => columns[role] === undefined)
  const options = (['a', 'b', 'c', 'd'] as const).filter((role) => columns[role] !== undefined)
  const flaw =
    missing.length > 0 || options.length < 2
      ? 'Choose a column for the question, for two options at least and for the key.'
      : null
  return (
    <section aria-label="Columns" className="mb-9">
      <div className="overflow-x-auto">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Row</th>
              {[...Array(width).keys()].map((column) => (
                <th key={column} scope="col">
                  <select
                    aria-label={`Column ${column + 1}`}
                    className="field min-w-32"
                    value={roleAt(column)}
                    onChange={(event) => set(column, event.target.value as ColumnRole | '')}
                  >
                    <option value="">not taken</option>
                    {COLUMN_ROLES.map((role) => (
                      <option key={role} value={role}>
                        {ROLE_NAMES[role]}
                      </option>
                    ))}
                  </select>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing else, and never move
              <tr key={index} className={index < skip ? 'text-ink-2' : ''}>
                <td>{index + 1}</td>
                {[...Array(width).keys()].map((column) => (
                  <td key={column} className="max-w-60 truncate">
                    {row[column]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="mt-4 flex flex-wrap items-center gap-x-5 gap-y-3">
        <label htmlFor={id} className="flex items-center gap-2">
          The first question stands in row
          <select
            id={id}
            className="field w-auto!"
            value={skip}
            onChange={(event) => setSkip(Number(event.target.value))}
          >
            {[...Array(Math.max(rows.length, skip + 1)).keys()].map((row) => (
              <option key={row} value={row}>
                {row + 1}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          className="btn"
          aria-disabled={flaw !== null || props.isBusy}
          onClick={() => flaw === null && !props.isBusy && props.onRead({ columns, skip })}
        >
          {props.isBusy ? 'Reading…' : 'Read the table'}
        </button>
        <span role="status" className="amber">
          {flaw}
        </span>
      </div>
    </section>
  )
}
