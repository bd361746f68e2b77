import { formatMinutes } from '../../platform/durations.ts'
import type { ResponseOf } from '../../platform/endpoint.ts'
import { timeOfDay } from '../../platform/web/dates.ts'
import { countOf } from '../../platform/words.ts'
import type { readRecord } from '../contract.ts'
import { entryMeanings, incidentWords, NOT_THE_PERSON, standingWords } from '../incident-words.ts'
import { recordedWords } from './recorded-words.ts'

type AttemptRecord = ResponseOf<typeof readRecord>

/** The record of an attempt: what happened, and entry by entry (product 6.10.7, 6.10.8). */
export function RecordedEntries({ record }: { record: AttemptRecord }) {
  const { entries, entryCount, saves, heartbeats } = record
  return (
    <>
      <p className="hint max-w-[66ch]">
        Times are minutes and seconds since the start. The society sees this, with what it may want
        to ask you about, and can take a violation back. Besides: {countOf(saves, 'save')} of your
        answers, {countOf(heartbeats, 'sign')} that the page was there, one each half minute, and
        the network address and browser of each sign-in and each page.
      </p>
      <Happened record={record} />
      <h3 className="mt-6 text-[18px]">Entry by entry</h3>
      <ol className="mt-4 max-h-[420px] overflow-y-auto text-[16px]">
        {entries.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what was recorded never changes its place
          <li key={index} className="flex gap-5 border-line border-b py-2">
            <span className="w-14 flex-none text-ink-2 tabular-nums">
              {formatMinutes(entry.atMs)}
            </span>
            <span>
              {recordedWords(entry)}
              {entry.standing === 'strike' && (
                <span className="font-medium">: counted as a violation</span>
              )}
              {entry.standing === 'taken_back' && ': a violation that no longer counts'}
            </span>
          </li>
        ))}
      </ol>
      {entryCount > entries.length && (
        <p className="hint mt-3">And {entryCount - entries.length} more.</p>
      )}
    </>
  )
}

/** The same gathered into what happened, in the sentences that the society reads (product 6.10.8). */
function Happened({ record }: { record: AttemptRecord }) {
  const { incidents, startedAt, unseenMs } = record
  const at = (ms: number) => timeOfDay(new Date(Date.parse(startedAt) + ms).toISOString())
  return (
    <>
      {incidents.length > 0 && (
        <ol className="mt-4 text-[16px]">
          {incidents.map((one, index) => {
            const { lead, rest } = incidentWords(one, at)
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: what was recorded never changes its place
              <li key={index} className="flex gap-5 border-line border-b py-2">
                <span className="w-14 flex-none text-ink-2 tabular-nums">
                  {formatMinutes(Math.max(0, one.atMs))}
                </span>
                <span>
                  <b className="font-medium">{lead}</b> {rest.join(' ')}{' '}
                  <span className="text-ink-2">({standingWords(one)})</span>
                </span>
              </li>
            )
          })}
        </ol>
      )}
      <section className="mt-6" aria-labelledby="no-meaning">
        <h3 id="no-meaning" className="text-[18px]">
          What an entry does not mean
        </h3>
        <p className="mt-1">{NOT_THE_PERSON}</p>
        <dl className="mt-2 text-[16px]">
          {entryMeanings(unseenMs).map(({ term, text }) => (
            <div key={term} className="py-1">
              <dt className="inline font-medium">{term}: </dt>
              <dd className="inline text-ink-2">{text}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  )
}
