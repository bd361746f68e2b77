import { memo } from 'react'
import { ColumnChoice } from '../../kit/web/brought-list.tsx'
import { useMore } from '../../kit/web/more.tsx'
import { Heads, Section } from '../../kit/web/section.tsx'
import type { CandidateField, JudgedLine, WrittenLine } from '../candidate-lines.ts'
import { minutesOf } from '../credential-letter.ts'
import { COLUMN_WORDS, type Column } from '../pasted-list.ts'

const HEADS = [
  ...([
    ['Line'],
    ['Name'],
    ['Address'],
    ['Room'],
    ['Extra', 'text-end!'],
    ['Username', 'pl-2!'],
  ] as const),
  [
    <span key="result" className="sr-only">
      Result
    </span>,
  ],
] as const

export function ReadLines(props: {
  judged: readonly JudgedLine[]
  written: readonly WrittenLine[]
  columns: readonly Column[]
  /** An empty array if there is no heading. */
  heading: readonly string[]
  onColumns: (columns: readonly Column[]) => void
  onHeading: (hasHeading: boolean) => void
  onMend: (line: number, field: CandidateField, value: string) => void
}) {
  const { judged, written, columns, heading, onColumns, onHeading } = props
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
      <ColumnChoice
        columns={columns.map((role, at) => ({
          name: heading[at] || `Column ${at + 1}`,
          role,
        }))}
        words={COLUMN_WORDS}
        many={['none']}
        onRoles={onColumns}
      >
        <label className="hint flex items-center gap-1.5 text-ink-2">
          <input
            type="checkbox"
            checked={heading.length > 0}
            onChange={(event) => onHeading(event.target.checked)}
          />
          it has a line of headings
        </label>
      </ColumnChoice>
      <section
        className="relative overflow-x-auto"
        aria-label="The lines as they are read"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls sideways by keyboard on a phone
        tabIndex={0}
      >
        <table className="table">
          <Heads of={HEADS} />
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
  const typed = problem && (written?.[problem.field] ?? '')
  const fix = (value: string) =>
    problem && value !== typed && onMend(one.line, problem.field, value)
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
        <td className="pl-2! text-ink-2">{one.username}</td>
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
              {/* A fix is applied on blur or Enter, so the line doesn't move while the member types. */}
              <input
                key={problem.field}
                aria-label={`${COLUMN_WORDS[problem.field]} of line ${one.line}`}
                aria-describedby={`problem-${one.line}`}
                aria-invalid
                className="field min-h-8! w-64 max-w-full border-[var(--mid)]!"
                defaultValue={typed}
                onBlur={(event) => fix(event.currentTarget.value)}
                onKeyDown={(event) => event.key === 'Enter' && fix(event.currentTarget.value)}
              />
            </div>
          </td>
        </tr>
      )}
    </>
  )
})
