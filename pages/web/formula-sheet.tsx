import { page } from '../../content/pages/formulas.yaml'
import { PageHead, useTitle } from '../../platform/web/ui/page.tsx'

/** /formula-sheet: formulas to read the night before an interview, and to print (product 8.9). */
export function FormulaSheet() {
  useTitle(
    'Formula sheet',
    'The formulas of a finance interview, and the most costly mistake for each.',
  )
  const count = page.groups.reduce((sum, group) => sum + group.formulas.length, 0)
  return (
    <main className="wrap wrap-narrow pt-9 pb-20 sm:pt-12">
      <PageHead title="Formula sheet">{page.lead}</PageHead>
      <nav aria-label="Groups" className="mt-7 flex flex-wrap gap-x-5 print:hidden">
        {page.groups.map(({ id, title }) => (
          <a
            key={id}
            href={`#${id}`}
            className="inline-flex min-h-11 items-center text-[15px] text-accent hover:underline"
          >
            {title}
          </a>
        ))}
      </nav>
      {page.groups.map(({ id, title, formulas }) => (
        <section key={id} id={id} aria-labelledby={`${id}-title`} className="mt-12 scroll-mt-6">
          <h2 id={`${id}-title`} className="border-ink border-b pb-3">
            {title}
          </h2>
          <dl>
            {formulas.map(({ name, formula, slip }) => (
              <div
                key={name}
                className="keep-together grid gap-x-8 gap-y-1 border-line border-b py-3.5 sm:grid-cols-[210px_1fr]"
              >
                <dt className="font-medium">{name}</dt>
                <dd>
                  <p className="text-[17px]">
                    <Formula text={formula} />
                  </p>
                  <p className="hint mt-1">{slip}</p>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <p className="mt-10 flex flex-wrap items-center gap-x-5 gap-y-2 print:hidden">
        <button type="button" className="btn btn-ghost" onClick={() => window.print()}>
          Print it
        </button>
        <span className="hint">{`${count} formulas, on A4 or US Letter.`}</span>
      </p>
    </main>
  )
}

/** A formula on one line. A word or parentheses after ^ are an exponent. */
function Formula({ text }: { text: string }) {
  const [start, ...exponents] = text.split('^')
  return (
    <>
      {start}
      {exponents.map((part) => {
        const [, inBrackets, word, rest] = /^(?:\(([^)]*)\)|(\w+))(.*)$/s.exec(part) ?? []
        return (
          <span key={part}>
            <sup>{inBrackets ?? word}</sup>
            {rest}
          </span>
        )
      })}
    </>
  )
}
