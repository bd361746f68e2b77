import { Check, TriangleAlert } from 'lucide-react'
import { Link } from 'react-router'
import { useAssessment, useSociety } from '../../kit/web/console/console.tsx'
import { Section } from '../../kit/web/section.tsx'
import { CHECKLIST_ROWS } from '../../setup/checklist.ts'
import { checklistUrl, mayOpen, type OverviewFacts } from '../../setup/web/checklist-links.tsx'
import { RehearsalButtons } from './rehearsal-buttons.tsx'

type Row = OverviewFacts['rows'][number]

const TITLES: Readonly<Record<Row['row'], string>> = {
  questions: 'Questions',
  keys: 'Answer keys',
  window: 'Window',
  candidates: 'Candidates and mails',
  helpers: 'Helpers',
  rehearsal: 'Rehearsal',
  accommodations: 'Accommodations',
  retention: 'Retention',
}

const isCounted = ({ row }: Row) => (CHECKLIST_ROWS as readonly string[]).includes(row)

/** The six rows that count, and below those that look after themselves (product 7.8.7). */
export function ChecklistRows({ rows }: { rows: Row[] }) {
  const counted = rows.filter(isCounted)
  return (
    <section aria-label="Checklist">
      <Section title="Before it opens" hint="updates by itself" isHintWide>
        <ol>
          {counted.map((row, index) => (
            <ChecklistRow key={row.row} row={row} number={index + 1} />
          ))}
        </ol>
      </Section>
      <Section
        title="Looks after itself"
        hint="right as it is, unless you know better"
        isHintWide
        className="mt-8.5"
      >
        <ul>
          {rows
            .filter((row) => !counted.includes(row))
            .map((row) => (
              <ChecklistRow key={row.row} row={row} />
            ))}
        </ul>
      </Section>
    </section>
  )
}

function ChecklistRow({ row, number }: { row: Row; number?: number }) {
  const { society, may } = useSociety()
  const { code } = useAssessment()
  const { state, word, finding, rest, link } = row
  const isAmber = state === 'attention'
  return (
    <li
      className={`grid grid-cols-[28px_minmax(0,1fr)] gap-x-4 border-line border-b py-4 lg:grid-cols-[36px_minmax(0,1fr)_128px_156px] ${isAmber ? 'shadow-[-16px_0_0_var(--paper),-18px_0_0_var(--mid)] max-md:shadow-[-9px_0_0_var(--paper),-11px_0_0_var(--mid)]' : ''}`}
    >
      <span className={`font-medium font-serif text-[20px] ${isAmber ? 'amber' : 'text-ink-2'}`}>
        {number}
      </span>
      <div>
        <h3 className="text-[20px]">{TITLES[row.row]}</h3>
        <p className="mt-1 max-w-[66ch] text-pretty text-ink-2">
          <b className="font-medium text-ink">{finding}</b> {rest}
        </p>
        {row.row === 'rehearsal' && <RehearsalButtons />}
      </div>
      <p
        className={`flex items-start gap-2 pt-1 text-[13.5px] max-lg:col-start-2 ${number === undefined || state === 'todo' ? 'text-ink-2' : 'font-medium'} ${isAmber ? 'amber' : ''}`}
      >
        {number !== undefined && state === 'ready' && (
          <Check size={16} aria-hidden className="mt-0.5" />
        )}
        {isAmber && <TriangleAlert size={16} aria-hidden className="mt-0.5" />}
        {word}
      </p>
      <p className="pt-1 text-[13.5px] max-lg:col-start-2 lg:text-right">
        {link.page !== '' && mayOpen(may, link.page) && (
          <Link
            to={checklistUrl(society.id, code, link)}
            className="link max-md:inline-flex max-md:min-h-11 max-md:items-center"
          >
            {link.label}
          </Link>
        )}
      </p>
    </li>
  )
}
