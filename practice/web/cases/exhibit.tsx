import type { Case, Note, Exhibit as Part, Table } from '../../cases/case.ts'
import { changeOf, withMinus, writeCell } from './exhibit-cells.ts'
import { ExhibitChart } from './exhibit-chart.tsx'

export interface Marking {
  marks: ReadonlySet<string>
  onMark: (line: string) => void
}

/** The whole exhibit beside the question: title, story and chart, then tables and notes in their order. */
export function Exhibit({ content, ...marking }: { content: Case } & Marking) {
  const chart = content.exhibits.find(({ kind }) => kind === 'chart')
  return (
    <section aria-label="Exhibit" className="case-exhibit">
      <div className="case-top">
        <div>
          <h2>{content.title}</h2>
          <p className="running case-story">{content.story}</p>
        </div>
        {chart && <ExhibitPart part={chart} {...marking} />}
      </div>
      {content.exhibits
        .filter((part) => part !== chart)
        .map((part) => (
          <ExhibitPart key={part.id} part={part} {...marking} />
        ))}
      <p className="hint mt-4">A line stays marked when you press it.</p>
    </section>
  )
}

export function ExhibitPart(props: { part: Part; isNarrow?: boolean } & Marking) {
  const { part } = props
  if (part.kind === 'chart') return <ExhibitChart chart={part} />
  if (part.kind === 'note') return <ExhibitNote note={part} />
  return (
    <ExhibitTable
      table={part}
      marks={props.marks}
      onMark={props.onMark}
      isNarrow={props.isNarrow === true}
    />
  )
}

function ExhibitNote({ note }: { note: Note }) {
  return (
    <div className="exhibit-note">
      <h3>{note.title}</h3>
      <p className="running">{withMinus(note.text)}</p>
    </div>
  )
}

/** A table as an accountant sets it: rules over sums, parentheses beside the column, lines that can be marked. */
function ExhibitTable(props: {
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
