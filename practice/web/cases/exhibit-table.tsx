import type { Table } from '../../cases/case.ts'
import { changeOf, writeCell } from './exhibit-cells.ts'

/** A table as an accountant sets it: rules over sums, parentheses beside the column, lines that can be marked. */
export function ExhibitTable(props: {
  table: Table
  marks: ReadonlySet<string>
  onMark: (line: string) => void
  /** on a phone the tab says the title */
  isNarrow?: boolean
}) {
  const { table, marks } = props
  return (
    <table className={`exhibit ${table.columns.length > 2 ? 'exhibit-wide' : ''}`}>
      <caption className="sr-only">
        {table.title}
        {table.unit && `, ${table.unit}`}
      </caption>
      <thead>
        <tr>
          <th scope="col">
            {props.isNarrow ? (
              table.unit
            ) : (
              <>
                {table.title} {table.unit && <span className="exhibit-unit">{table.unit}</span>}
              </>
            )}
          </th>
          {table.columns.map(({ id, label }) =>
            label === '' ? (
              <td key={id} />
            ) : (
              <th key={id} scope="col">
                {label}
              </th>
            ),
          )}
          {table.change && (
            <th scope="col" className="exhibit-change">
              Change
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row) => {
          const line = `${table.id}.${row.id}`
          const isMarked = marks.has(line)
          const classes = [
            row.line && `exhibit-${row.line}`,
            row.gap && 'exhibit-gap',
            isMarked && 'is-marked',
          ]
          return (
            <tr key={row.id} className={classes.filter(Boolean).join(' ')}>
              <th scope="row">
                <button type="button" aria-pressed={isMarked} onClick={() => props.onMark(line)}>
                  {(props.isNarrow && row.short) || row.label}
                </button>
              </th>
              {table.columns.map((column, index) => {
                const format = row.format ?? column.format ?? table.format
                const { text, isNegative } = writeCell(row.values[index], format)
                return (
                  <td key={column.id}>
                    {text}
                    {isNegative && <i>)</i>}
                  </td>
                )
              })}
              {table.change && (
                <td className="exhibit-change">{changeOf(row.values[0], row.values[1])}</td>
              )}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
