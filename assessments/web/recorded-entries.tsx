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

/** Describes one recorded entry to its candidate (product 6.10.7). */
export function recordedWords(entry: {
  kind: string
  key: string | null
  awayMs: number | null
  endedBy: 'candidate' | 'violations' | 'deadline' | null
}): string {
  const length = entry.awayMs === null ? '' : ` for ${lengthText(entry.awayMs)}`
  switch (entry.kind) {
    case 'started':
      return 'You started the test'
    case 'taken_over':
      return 'The test was opened in a new page'
    case 'ready':
      return 'The page started recording'
    case 'page_hidden':
    case 'window_blur':
      return 'You left the test page'
    case 'page_visible':
      return entry.awayMs === null
        ? 'You came back'
        : `You came back after ${lengthText(entry.awayMs)}`
    case 'reload':
      return 'The page was reloaded'
    case 'page_left':
      return 'The page was closed, reloaded or left for another one'
    case 'leave_prompt':
      return `The browser's leave prompt was open${length}`
    case 'focus_lost':
      return `The page lost focus${length}`
    case 'fullscreen_enter':
      return 'You entered fullscreen'
    case 'fullscreen_exit':
      return 'You left fullscreen'
    case 'drag':
      return 'Dragging text was blocked'
    case 'help':
      return 'You asked for help'
    case 'help_read':
      return 'The society saw your request for help'
    case 'offline':
      return 'The connection was lost'
    case 'online':
      return 'The connection came back'
    case 'late_answer':
      return 'An answer arrived after the end'
    case 'submitted':
      return SUBMITTED[entry.endedBy ?? 'deadline']
    case 'extra_time':
      return 'The society changed your extra time'
    case 'extended':
      return 'The society gave more time'
    case 'ended':
      return 'The society ended the test'
    case 'reopened':
      return 'The society reopened the test'
    case 'late_accepted':
      return 'The society counted late answers'
    case 'print_screen':
      return 'The print-screen key was pressed'
    default:
      return `${nameOfAct(entry.kind, entry.key ?? undefined)} was blocked`
  }
}
