import type { ReactNode } from 'react'
import { endWords } from '../../../assessments/incident-words.ts'
import { formatMinutes, lengthText } from '../../../platform/durations.ts'
import { minutesOf } from '../../candidates/credential-letter.ts'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { zoneMoment, zoneSecond } from '../../kit/zone-time.ts'
import type { CandidateFile } from '../contract.ts'

type Attempt = NonNullable<CandidateFile['attempt']>

/** The facts of an attempt in a line: answered, time, strikes, monitored, room, receipt. */
export function Facts({ file, attempt }: { file: CandidateFile; attempt: Attempt }) {
  const { timeZone } = useAssessment()
  const { lastSavedAt, submittedAt, strikesSeen, strikesStand, usedMs, unseenMs, form } = attempt
  const takenBack = strikesSeen - strikesStand
  const [receipt, before] = [...attempt.receipts].reverse()
  return (
    <>
      <dl className="mb-2 flex flex-wrap border-line border-t border-t-ink border-b max-md:grid max-md:grid-cols-2 max-md:gap-x-4">
        <Fact name="Answered" more={lastSavedAt && `last at ${zoneSecond(lastSavedAt, timeZone)}`}>
          {attempt.answered} of {attempt.itemCount}
        </Fact>
        <Fact
          name="Time used"
          more={`${ownTimeWords(attempt)}${submittedAt ? `, ${endWords(attempt)}` : ''}`}
        >
          {formatMinutes(usedMs)}
        </Fact>
        <Fact
          name="Strikes"
          more={
            strikesSeen > 0 &&
            `of ${strikesSeen} seen${takenBack > 0 ? `, ${takenBack} taken back` : ''}`
          }
        >
          {strikesSeen === 0
            ? 'none'
            : `${strikesStand} ${strikesStand === 1 ? 'stands' : 'stand'}`}
        </Fact>
        <Fact
          name="Monitored"
          more={
            unseenMs > 0
              ? `${lengthText(unseenMs)} were not seen`
              : file.incidents.some(({ kind }) => kind === 'unmonitored')
                ? 'some entries are missing'
                : 'all the time'
          }
        >
          {formatMinutes(Math.max(0, usedMs - unseenMs))}
        </Fact>
        <Fact name={form ? 'Room, form' : 'Room'} more={form && `form ${form}`}>
          {file.room ?? 'none'}
        </Fact>
        <Fact name="Receipt" more={`reference ${attempt.reference}`}>
          <span className="font-mono text-[14px]">{receipt?.code ?? 'at the end'}</span>
        </Fact>
      </dl>
      {receipt && before && (
        <p className="hint mb-4 text-ink-2">
          The receipt was <span className="font-mono">{before.code}</span> until{' '}
          {zoneMoment(receipt.at, timeZone, Date.now())}, when{' '}
          {receipt.why === 'late_accepted'
            ? 'late answers were counted'
            : 'the test was opened again and submitted once more'}
          .
        </p>
      )}
    </>
  )
}

/** 'of 30 min, 10 min planned, 5 min given': planned extra time and minutes given on the day apart */
function ownTimeWords({ durationSeconds, plannedSeconds, givenSeconds }: Attempt): string {
  return [
    `of ${minutesOf(durationSeconds)} min`,
    plannedSeconds > 0 && `${minutesOf(plannedSeconds)} min planned`,
    givenSeconds > 0 && `${minutesOf(givenSeconds)} min given`,
    givenSeconds < 0 && `${minutesOf(-givenSeconds)} min taken away`,
  ]
    .filter(Boolean)
    .join(', ')
}

const Fact = (props: { name: string; more: string | false | null; children: ReactNode }) => (
  <div className="py-3 max-md:border-line max-md:border-b max-md:py-2.5 md:not-last:mr-6 md:not-last:border-line md:not-last:border-r md:not-last:pr-7">
    <dt className="whitespace-nowrap text-[12.5px] text-ink-2">{props.name}</dt>
    <dd className="figures mt-0.5 font-medium text-[15px] md:whitespace-nowrap">
      {props.children}{' '}
      {props.more && (
        <small className="font-normal text-[13px] text-ink-2 max-md:block">{props.more}</small>
      )}
    </dd>
  </div>
)
