import { entryMeanings, NOT_THE_PERSON } from '../../../assessments/incident-words.ts'

/** What an entry does not mean: also in the candidate's own copy (product 7.16.9). */
export function EntryMeanings({ unseenMs }: { unseenMs: number }) {
  return (
    <section aria-labelledby="meanings">
      <div className="head">
        <h2 id="meanings">What an entry does not mean</h2>
      </div>
      <p className="mt-3 font-serif text-[17px] leading-snug">{NOT_THE_PERSON}</p>
      <dl className="text-[13.5px]">
        {entryMeanings(unseenMs).map(({ term, text }) => (
          <div key={term}>
            <dt className="mt-3.5 font-medium">{term}</dt>
            <dd className="mt-0.5 text-pretty text-ink-2">{text}</dd>
          </div>
        ))}
      </dl>
      <p className="hint mt-4 text-ink-2">
        The candidate may read these entries too, without verdicts and names.
      </p>
    </section>
  )
}
