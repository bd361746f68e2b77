import { memo, useState } from 'react'
import { useMore } from '../../kit/web/more.tsx'
import { Section } from '../../kit/web/section.tsx'
import type { CandidateField, JudgedLine, WrittenLine } from '../candidate-lines.ts'
import { minutesOf } from '../credential-letter.ts'
import { COLUMN_WORDS, COLUMNS, type Column } from '../pasted-list.ts'

/** How each line is read: first what has to be fixed, each fault at the field that fixes it. */
export function ReadLines(props: {
  judged: readonly JudgedLine[]
  written: readonly WrittenLine[]
  columns: readonly Column[]
  hasHeading: boolean
  onColumns: (columns: readonly Column[]) => void
  onHeading: (hasHeading: boolean) => void
  onMend: (line: number, field: CandidateField, value: string) => void
}) {
  const { judged, written, columns, hasHeading, onColumns, onHeading } = props
  const inOrder = (['problem', 'there', 'new'] as const).flatMap((state) =>
    judged.filter((one) => one.state === state),
  )
  const { shown, more } = useMore(inOrder)
  const byLine = new Map(written.map((one) => [one.line, one]))
  return (
    <Section
      className="min-w-0"
      title="How it is read"
      hint="change a heading if a column was guessed wrong"
      isHintWide
    >
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2 py-3">
        {columns.map((column, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name
          <label key={at} className="hint flex items-center gap-1.5 text-ink-2">
            Column {at + 1}
            <select
              className="field min-h-7! w-auto! px-2! py-0! text-ink"
              value={column}
              onChange={(event) => {
                const next = event.target.value as Column
                // Its other column, if there is one, is left out.
                onColumns(columns.map((one) => (one === next ? 'none' : one)).with(at, next))
              }}
            >
              {COLUMNS.map((one) => (
                <option key={one} value={one}>
                  {COLUMN_WORDS[one]}
                </option>
              ))}
            </select>
          </label>
        ))}
        <label className="hint flex items-center gap-1.5 text-ink-2">
          <input
            type="checkbox"
            checked={hasHeading}
            onChange={(event) => onHeading(event.target.checked)}
          />
          the first line is a heading
        </label>
      </div>
      <section
        className="relative overflow-x-auto"
        aria-label="The lines as they are read"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls sideways by keyboard on a phone
        tabIndex={0}
      >
        <table className="table">
          <thead>
            <tr>
              <th>Line</th>
              <th>Name</th>
              <th>Address</th>
              <th>Room</th>
              <th className="text-end!">Extra</th>
              <th>Username</th>
              <th>
                <span className="sr-only">Result</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((one) => (
              <Line
                key={`${one.line} ${one.email ?? one.name ?? ''}`}
                one={one}
                written={byLine.get(one.line)}
                onMend={props.onMend}
              />
            ))}
          </tbody>
        </table>
      </section>
      {more}
    </Section>
  )
}

const Line = memo(function Line(props: {
  one: JudgedLine
  written: WrittenLine | undefined
  onMend: (line: number, field: CandidateField, value: string) => void
}) {
  const { one, written, onMend } = props
  const isOff = one.state === 'there'
  const [problem] = one.problems
  const extra = written?.extra.trim()
  return (
    <>
      <tr className={isOff ? 'text-ink-2' : ''}>
        <td className="text-ink-2">{one.line}</td>
        <td className={isOff ? '' : 'font-medium'}>
          {one.name ?? (problem?.field === 'name' ? <i className="amber not-italic">blank</i> : '')}
        </td>
        <td className={problem?.field === 'email' ? 'amber' : 'text-ink-2'}>{one.email}</td>
        <td>{one.room}</td>
        <td className="text-end">
          {problem?.field === 'extra' ? (
            <span className="amber">{extra}</span>
          ) : one.extraSeconds > 0 ? (
            minutesOf(one.extraSeconds)
          ) : (
            '–'
          )}
        </td>
        <td className="text-ink-2">{one.username}</td>
        <td className={one.remark && !isOff ? '' : 'text-ink-2'}>
          {problem ? <span className="amber font-medium">a problem</span> : (one.remark ?? 'new')}
        </td>
      </tr>
      {problem && (
        <tr>
          <td />
          <td colSpan={6} className="py-2!">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
              <p className="amber font-medium" id={`problem-${one.line}`}>
                {problem.text}
              </p>
              <MendField
                label={`${FIELD_WORDS[problem.field]} of line ${one.line}`}
                describedBy={`problem-${one.line}`}
                value={written?.[problem.field] ?? ''}
                onDone={(value) => onMend(one.line, problem.field, value)}
              />
            </div>
          </td>
        </tr>
      )}
    </>
  )
})

const FIELD_WORDS: Readonly<Record<CandidateField, string>> = {
  name: 'Name',
  email: 'Address',
  room: 'Room',
  extra: 'Extra minutes',
  username: 'Username',
  exempt: 'Exempt from',
  note: 'Note',
}

/** A fix counts when the field is left or Enter is pressed, so the line stays in place while typing. */
function MendField(props: {
  label: string
  describedBy: string
  value: string
  onDone: (value: string) => void
}) {
  const [value, setValue] = useState(props.value)
  const finish = () => value !== props.value && props.onDone(value)
  return (
    <input
      aria-label={props.label}
      aria-describedby={props.describedBy}
      aria-invalid
      className="field min-h-8! w-64 max-w-full border-[var(--mid)]!"
      value={value}
      onChange={(event) => setValue(event.target.value)}
      onBlur={finish}
      onKeyDown={(event) => event.key === 'Enter' && finish()}
    />
  )
}
