import type { ReactNode } from 'react'
import { endWords } from '../../../assessments/incident-words.ts'
import { formatMinutes, lengthText } from '../../../platform/durations.ts'
import type { CandidateFile } from '../../contract/incidents.ts'
import { minutesOf } from '../../credential-letter.ts'
import { zoneDay, zoneSecond, zoneTime } from '../../zone-time.ts'

type Attempt = NonNullable<CandidateFile['attempt']>

/** The facts line: answered, time, strikes, monitored, room, receipt. */
export function Facts(props: { file: CandidateFile; attempt: Attempt; timeZone: string }) {
  const { file, attempt, timeZone } = props
  const takenBack = attempt.strikesSeen - attempt.strikesStand
  const receipt = attempt.receipts.at(-1)
  return (
    <>
      <dl className="mb-2 flex flex-wrap border-line border-t border-t-ink border-b max-md:grid max-md:grid-cols-2 max-md:gap-x-4">
        <Fact
          name="Answered"
          more={attempt.lastSavedAt && `last at ${zoneSecond(attempt.lastSavedAt, timeZone)}`}
        >
          {attempt.answered} of {attempt.itemCount}
        </Fact>
        <Fact
          name="Time used"
          more={[ownTimeWords(attempt), ...(attempt.submittedAt ? [endWords(attempt)] : [])].join(
            ', ',
          )}
        >
          {formatMinutes(attempt.usedMs)}
        </Fact>
        <Fact
          name="Strikes"
          more={
            attempt.strikesSeen === 0
              ? null
              : `of ${attempt.strikesSeen} seen${takenBack > 0 ? `, ${takenBack} taken back` : ''}`
          }
        >
          {attempt.strikesSeen === 0
            ? 'none'
            : `${attempt.strikesStand} ${attempt.strikesStand === 1 ? 'stands' : 'stand'}`}
        </Fact>
        <Fact
          name="Monitored"
          more={
            attempt.unseenMs > 0
              ? `${lengthText(attempt.unseenMs)} were not seen`
              : file.incidents.some(({ kind }) => kind === 'unmonitored')
                ? 'some entries are missing'
                : 'all the time'
          }
        >
          {formatMinutes(Math.max(0, attempt.usedMs - attempt.unseenMs))}
        </Fact>
        <Fact
          name={attempt.form ? 'Room, form' : 'Room'}
          more={attempt.form && `form ${attempt.form}`}
        >
          {file.room ?? 'none'}
        </Fact>
        <Fact name="Receipt" more={`reference ${attempt.reference}`} isLast>
          <span className="font-mono text-[14px]">{receipt?.code ?? 'at the end'}</span>
        </Fact>
      </dl>
      <ReceiptChange receipts={attempt.receipts} timeZone={timeZone} />
    </>
  )
}

/** 'of 30 min, 10 min planned, 5 min given': what was promised is told apart from what was given on the day. */
function ownTimeWords({ durationSeconds, plannedSeconds, givenSeconds }: Attempt): string {
  return [
    `of ${minutesOf(durationSeconds)} min`,
    ...(plannedSeconds > 0 ? [`${minutesOf(plannedSeconds)} min planned`] : []),
    ...(givenSeconds > 0 ? [`${minutesOf(givenSeconds)} min given`] : []),
    ...(givenSeconds < 0 ? [`${minutesOf(-givenSeconds)} min taken away`] : []),
  ].join(', ')
}

function Fact(props: {
  name: string
  more?: string | null | undefined
  isLast?: boolean
  children: ReactNode
}) {
  const { name, more, isLast, children } = props
  return (
    <div
      className={`py-3 max-md:border-line max-md:border-b max-md:py-2.5 ${isLast ? '' : 'md:mr-6 md:border-line md:border-r md:pr-7'}`}
    >
      <dt className="whitespace-nowrap text-[12.5px] text-ink-2">{name}</dt>
      <dd className="figures mt-0.5 font-medium text-[15px] md:whitespace-nowrap">
        {children}{' '}
        {more && <small className="font-normal text-[13px] text-ink-2 max-md:block">{more}</small>}
      </dd>
    </div>
  )
}

/** That the receipt is another one since, and why (product 6.10.9). */
function ReceiptChange(props: { receipts: Attempt['receipts']; timeZone: string }) {
  const { receipts, timeZone } = props
  const [now, before] = [receipts.at(-1), receipts.at(-2)]
  if (!now || !before) return null
  const why =
    now.why === 'late_accepted'
      ? 'answers that came late were counted'
      : 'the test was opened again and handed in once more'
  return (
    <p className="hint mb-4 text-ink-2">
      The receipt was <span className="font-mono">{before.code}</span> until{' '}
      {zoneDay(now.at, timeZone, Date.now())}, {zoneTime(now.at, timeZone)}, when {why}.
    </p>
  )
}
