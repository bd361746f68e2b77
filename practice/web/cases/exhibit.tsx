import type { Case, Note, Exhibit as Part } from '../../cases/case.ts'
import { withMinus } from './exhibit-cells.ts'
import { ExhibitChart } from './exhibit-chart.tsx'
import { ExhibitTable } from './exhibit-table.tsx'

export interface Marking {
  marks: ReadonlySet<string>
  /** marks a line, or takes its mark away */
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

/** One part of an exhibit. */
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
