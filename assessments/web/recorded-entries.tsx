import { formatMinutes, lengthText } from '../../platform/durations.ts'
import type { ResponseOf } from '../../platform/endpoint.ts'
import { timeOfDay } from '../../platform/web/dates.ts'
import { countOf } from '../../platform/words.ts'
import type { readRecord } from '../contract.ts'
import { entryMeanings, incidentWords, NOT_THE_PERSON, standingWords } from '../incident-words.ts'
import { nameOfAct } from '../violations.ts'

type AttemptRecord = ResponseOf<typeof readRecord>

/** The record of an attempt: its incidents and every entry (product 6.10.7, 6.10.8). */
export function RecordedEntries({ record }: { record: AttemptRecord }) {
  const { entries, entryCount, saves, heartbeats } = record
  return (
    <>
      <p className="hint max-w-[66ch]">
        Times are minutes and seconds since the start. The society sees this record and points it
        may ask you about, and it can take back a violation. We also keep {countOf(saves, 'save')}{' '}
        of your answers, {countOf(heartbeats, 'sign')} that the page was open, one every half
        minute, and the network address and browser of each sign-in and page load.
      </p>
      <Happened record={record} />
      <h3 className="mt-6 text-[18px]">Entry by entry</h3>
      <ol className="mt-4 max-h-[420px] overflow-y-auto text-[16px]">
        {entries.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: recorded entries never change their order
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

/** The incidents of the record, in the same sentences that the society reads (product 6.10.8). */
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
              // biome-ignore lint/suspicious/noArrayIndexKey: incidents never change their order
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
          What an entry doesn’t prove
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

const SUBMITTED = {
  candidate: 'You submitted the test',
  violations: 'The third violation ended the test, and it was submitted',
  // If the society ended the test early, the entry above says so.
  deadline: 'The test was submitted',
}

const RECORDED: Record<string, string> = {
  started: 'You started the test',
  taken_over: 'The test was opened in a new page',
  ready: 'The page started recording',
  page_hidden: 'You left the test page',
  window_blur: 'You left the test page',
  page_visible: 'You came back',
  reload: 'The page was reloaded',
  page_left: 'The page was closed, reloaded or left for another one',
  leave_prompt: "The browser's leave prompt was open",
  focus_lost: 'The page lost focus',
  fullscreen_enter: 'You entered fullscreen',
  fullscreen_exit: 'You left fullscreen',
  drag: 'Dragging text was blocked',
  help: 'You asked for help',
  help_read: 'The society saw your request for help',
  offline: 'The connection was lost',
  online: 'The connection came back',
  late_answer: 'An answer arrived after the end',
  extra_time: 'The society changed your extra time',
  extended: 'The society gave more time',
  ended: 'The society ended the test',
  reopened: 'The society reopened the test',
  late_accepted: 'The society counted late answers',
  print_screen: 'The print-screen key was pressed',
}
/** The word before the length of these kinds. */
const LENGTH: Record<string, string> = {
  page_visible: 'after',
  leave_prompt: 'for',
  focus_lost: 'for',
}

/** Describes one recorded entry to its candidate (product 6.10.7). */
export function recordedWords(
  entry: Pick<AttemptRecord['entries'][number], 'kind' | 'key' | 'awayMs' | 'endedBy'>,
): string {
  const { kind, key, awayMs, endedBy } = entry
  if (kind === 'submitted') return SUBMITTED[endedBy ?? 'deadline']
  const words = RECORDED[kind] ?? `${nameOfAct(kind, key ?? undefined)} was blocked`
  return awayMs !== null && LENGTH[kind] ? `${words} ${LENGTH[kind]} ${lengthText(awayMs)}` : words
}
