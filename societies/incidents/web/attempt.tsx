import { type ReactNode, useState } from 'react'
import { endWords } from '../../../assessments/incident-words.ts'
import { formatMinutes, lengthText } from '../../../platform/durations.ts'
import { minutesOf } from '../../candidates/credential-letter.ts'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { Heads, Section } from '../../kit/web/section.tsx'
import { zoneMoment, zoneSecond } from '../../kit/zone-time.ts'
import type { CandidateFile, UncoveredScore } from '../contract.ts'

type Attempt = NonNullable<CandidateFile['attempt']>
type Answer = NonNullable<CandidateFile['answers']>[number]

const joined = (parts: readonly (string | false | null)[]) => parts.filter(Boolean).join(', ')

export function Facts({ file, attempt }: { file: CandidateFile; attempt: Attempt }) {
  const { timeZone } = useAssessment()
  const { lastSavedAt, strikesSeen, strikesStand, usedMs, unseenMs, form, givenSeconds } = attempt
  const takenBack = strikesSeen - strikesStand
  const [receipt, before] = [...attempt.receipts].reverse()
  // Planned extra time and minutes given during the test are listed separately.
  const time = joined([
    `of ${minutesOf(attempt.durationSeconds)} min`,
    attempt.plannedSeconds > 0 && `${minutesOf(attempt.plannedSeconds)} min planned`,
    givenSeconds > 0 && `${minutesOf(givenSeconds)} min given`,
    givenSeconds < 0 && `${minutesOf(-givenSeconds)} min removed`,
    attempt.submittedAt && endWords(attempt),
  ])
  const strikes = joined([`of ${strikesSeen} seen`, takenBack > 0 && `${takenBack} taken back`])
  const isIncomplete = file.incidents.some(({ kind }) => kind === 'unmonitored')
  const seen = isIncomplete ? 'some entries are missing' : 'all the time'
  const code = <span className="font-mono text-[14px]">{receipt?.code ?? 'at the end'}</span>
  const facts: [name: string, value: ReactNode, more?: string | false | null][] = [
    [
      'Answered',
      `${attempt.answered} of ${attempt.itemCount}`,
      lastSavedAt && `last at ${zoneSecond(lastSavedAt, timeZone)}`,
    ],
    ['Time used', formatMinutes(usedMs), time],
    strikesSeen === 0
      ? ['Strikes', 'none']
      : ['Strikes', `${strikesStand} ${strikesStand === 1 ? 'counts' : 'count'}`, strikes],
    [
      'Monitored',
      formatMinutes(Math.max(0, usedMs - unseenMs)),
      unseenMs > 0 ? `${lengthText(unseenMs)} not monitored` : seen,
    ],
    [form ? 'Room, form' : 'Room', file.room ?? 'none', form && `form ${form}`],
    ['Receipt', code, `reference ${attempt.reference}`],
  ]
  return (
    <>
      <dl className="mb-2 flex flex-wrap border-line border-t border-t-ink border-b max-md:grid max-md:grid-cols-2 max-md:gap-x-4">
        {facts.map(([name, value, more]) => (
          <div
            key={name}
            className="py-3 max-md:border-line max-md:border-b max-md:py-2.5 md:not-last:mr-6 md:not-last:border-line md:not-last:border-r md:not-last:pr-7"
          >
            <dt className="whitespace-nowrap text-[12.5px] text-ink-2">{name}</dt>
            <dd className="figures mt-0.5 font-medium text-[15px] md:whitespace-nowrap">
              {value}{' '}
              {more && (
                <small className="font-normal text-[13px] text-ink-2 max-md:block">{more}</small>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {receipt && before && (
        <p className="hint mb-4 text-ink-2">
          The receipt was <span className="font-mono">{before.code}</span> until{' '}
          {zoneMoment(receipt.at, timeZone, Date.now())}, when{' '}
          {receipt.why === 'late_accepted'
            ? 'late answers were counted'
            : 'the test was reopened and submitted again'}
          .
        </p>
      )}
    </>
  )
}

export function Answers(props: {
  answers: readonly Answer[]
  score: UncoveredScore | null
  /** Questions whose answer was changed right after an absence. */
  touched: ReadonlySet<number>
}) {
  const { answers, score, touched } = props
  const [isUnfolded, setIsUnfolded] = useState(false)
  const half = Math.ceil(answers.length / 2)
  const halves = { first: answers.slice(0, half), second: answers.slice(half) }
  return (
    <Section
      title="Answers"
      className="mt-10"
      hint={
        <>
          <button
            type="button"
            className="link min-h-11 text-[15px] md:hidden"
            aria-expanded={isUnfolded}
            onClick={() => setIsUnfolded(!isUnfolded)}
          >
            {isUnfolded ? 'Show fewer' : `Show all ${answers.length}`}
          </button>
          <span className="max-md:hidden">
            {score
              ? `${score.correct} right, ${score.incorrect} not`
              : 'Key and points appear after the last verdict'}{' '}
            · times run from one answer to the next, without absences
          </span>
        </>
      }
    >
      <div className={`grid gap-x-14 lg:grid-cols-2 ${isUnfolded ? '' : 'max-md:hidden'}`}>
        {Object.entries(halves).map(
          ([which, part]) =>
            part.length > 0 && (
              <table key={which} className="table table-fixed">
                <caption className="sr-only">The {which} half of the answers</caption>
                <Heads
                  of={[
                    ['#', 'w-8'],
                    ['Question'],
                    ['Choice', 'w-33 max-md:w-24'],
                    ['Saved', 'w-20 text-end! max-md:hidden'],
                    ['Time', 'w-15 text-end! max-md:hidden'],
                    ['Key', 'w-11 text-end!'],
                  ]}
                />
                <tbody>
                  {part.map((one) => (
                    <Row
                      key={one.number}
                      one={one}
                      found={score?.keys.find(({ number }) => number === one.number)}
                      isTouched={touched.has(one.number)}
                    />
                  ))}
                </tbody>
              </table>
            ),
        )}
      </div>
    </Section>
  )
}

function Row(props: {
  one: Answer
  found: UncoveredScore['keys'][number] | undefined
  isTouched: boolean
}) {
  const { found, isTouched } = props
  const { number, question, choice, was, savedAt, seconds, hasWaited } = props.one
  const { timeZone } = useAssessment()
  const look = ['grade-wrong', 'grade-right'][found?.points ?? -1] ?? ''
  const notes = joined([was.length > 0 && `was ${was.join(', ')}`, hasWaited && 'chosen offline'])
  return (
    <tr>
      <td className="text-ink-2">{number}</td>
      <td className="truncate" title={question ?? undefined}>
        {question ?? <span className="text-ink-2">Question {number}</span>}
      </td>
      <td>
        <b className={`font-semibold ${look}`}>{choice ?? '–'}</b>
        {notes && (
          <small className={`ml-1.5 ${isTouched ? 'amber font-medium' : 'text-ink-2'}`}>
            {notes}
          </small>
        )}
      </td>
      <td className="text-end max-md:hidden">{savedAt && zoneSecond(savedAt, timeZone)}</td>
      <td className="text-end max-md:hidden">{seconds !== null && `${seconds} s`}</td>
      <td className="text-end">
        {!found ? (
          <>
            <span aria-hidden className="covered" />
            <span className="sr-only">covered</span>
          </>
        ) : found.points === null ? (
          <span className="text-ink-2">left out</span>
        ) : (
          <span className={`font-medium ${look}`}>
            {found.keys.join(', ')} <span className="sr-only">, </span>
            {found.points}
          </span>
        )}
      </td>
    </tr>
  )
}
