import type { Guide, GuideSection } from '../page-shapes.ts'

type Entry = NonNullable<GuideSection['entries']>[number]
type Figures = NonNullable<GuideSection['table']>

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

/** A guide of /recruitment-resources: introduction, then sections in order (product 8.5). */
export function GuideText({ guide }: { guide: Guide }) {
  return (
    <div className="running max-w-[40em]">
      {'invented' in guide && (
        <p className="mb-5 border-ink border-l-2 pl-4 text-[15px] text-ink-2">{guide.invented}</p>
      )}
      <p className="font-serif text-[19px] leading-[1.45]">{guide.lead}</p>
      {guide.sections.map((section) => (
        <Section key={section.heading} section={section} />
      ))}
    </div>
  )
}

function Section({ section }: { section: GuideSection }) {
  const { heading, paragraphs = [], entries, table, steps, said } = section
  return (
    <section className="mt-8">
      <h4 className="font-semibold">{heading}</h4>
      {paragraphs.map((paragraph) => (
        <p key={paragraph} className="mt-2.5">
          {paragraph}
        </p>
      ))}
      {entries && <Entries entries={entries} />}
      {table && <FigureTable caption={heading} table={table} />}
      {steps && (
        <ol className="mt-2 flex list-decimal flex-col gap-2 pl-6 marker:text-ink-2">
          {steps.map((step) => (
            <li key={step} className="pl-1">
              {step}
            </li>
          ))}
        </ol>
      )}
      {said && (
        <blockquote className="mt-4 border-line-strong border-l-2 pl-5 font-serif text-[18px] leading-[1.5]">
          {said.map((words) => (
            <p key={words} className="mt-3 first:mt-0">
              {words}
            </p>
          ))}
        </blockquote>
      )}
    </section>
  )
}

/** Named entries. Those with months show them on a strip of twelve. */
function Entries({ entries }: { entries: readonly Entry[] }) {
  return (
    <dl className="mt-3">
      {entries.map(({ name, months, text }) => (
        <div
          key={name}
          className="keep-together grid gap-x-8 gap-y-1 border-line border-t py-3.5 sm:grid-cols-[190px_1fr]"
        >
          <dt className="font-medium">{name}</dt>
          <dd>
            {months && <MonthStrip first={months[0]} last={months[1]} />}
            <p>{text}</p>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** 'Usually September to December', after twelve bars with those months filled. */
function MonthStrip({ first, last }: { first: number; last: number }) {
  const isAllYear = first === 1 && last === 12
  const isOpen = (month: number) =>
    first <= last ? month >= first && month <= last : month >= first || month <= last
  return (
    <p className="mb-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-[15px] max-sm:text-[14px]">
      <span aria-hidden className="flex gap-[3px]">
        {MONTHS.map((name, index) => (
          <span
            key={name}
            className={`print-exact h-3.5 w-[7px] border ${isOpen(index + 1) ? 'border-ink bg-ink' : 'border-line-strong'}`}
          />
        ))}
      </span>
      <span className="text-ink-2">
        {isAllYear ? 'All year' : `Usually ${MONTHS[first - 1]} to ${MONTHS[last - 1]}`}
      </span>
    </p>
  )
}

/** Figures in accounting style. A table wider than a phone scrolls by itself, also by keyboard. */
function FigureTable({ caption, table }: { caption: string; table: Figures }) {
  const [corner, ...columns] = table.columns
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it must scroll by keyboard too
    <section aria-label={caption} tabIndex={0} className="mt-3 overflow-x-auto">
      <table className="w-full text-[14px] sm:text-[15px]">
        <thead>
          <tr className="border-ink border-b text-ink-2">
            <th scope="col" className="py-2 pr-2 text-start font-normal">
              {corner}
            </th>
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                className="py-2 pl-3 text-end align-bottom sm:pl-4 font-medium"
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map(([name, ...cells]) => (
            <tr key={name} className="border-line border-b">
              <th scope="row" className="py-1.5 pr-2 text-start font-normal">
                {name}
              </th>
              {cells.map((cell, index) => (
                <td key={columns[index]} className="whitespace-nowrap py-1.5 pl-3 text-end sm:pl-4">
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
