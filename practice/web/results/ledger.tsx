import { useQuery } from '@tanstack/react-query'
import { clockTime, wholeLength } from '../../../platform/durations.ts'
import { longDate } from '../../../platform/web/dates.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { percentageOf } from '../../scoring.ts'
import { SECONDS_A_QUESTION } from '../build/built-test.ts'
import { Cell, StreakCell } from '../dashboard/streak-strip.tsx'
import { resultsQuery } from '../queries.ts'
import { useWaitingResults } from '../use-outbox.tsx'
import { paceOf, type ResultsData, type Reviewed, standingOf } from './results-facts.tsx'

export function Ledger({ data, reviewed }: { data: ResultsData; reviewed: readonly Reviewed[] }) {
  const pace = paceOf(reviewed.map(({ tookMs }) => tookMs))
  return (
    <dl className={`ledger ledger-results mt-8 ${pace ? '' : 'ledger-without-pace'}`}>
      {data.built ? (
        <OfBuilt data={data} />
      ) : data.testNumber === null ? (
        <OfMistakes data={data} />
      ) : (
        <AmongAttempts data={data} testNumber={data.testNumber} />
      )}
      {pace && (
        <Cell label={`per question · ${besidePace(data, pace.allMs)}`}>
          {clockTime(Math.round(pace.meanMs / 1000))}
        </Cell>
      )}
      <StreakCell />
    </dl>
  )
}

const besidePace = ({ built }: ResultsData, allMs: number): string =>
  built && built.clock !== 'off'
    ? `target ${clockTime(SECONDS_A_QUESTION)}`
    : `${wholeLength(allMs)} total`

function OfMistakes({ data: { score, totalQuestions } }: { data: ResultsData }) {
  return (
    <>
      <Cell label={score === 1 ? 'mistake right this time' : 'mistakes right this time'}>
        {score}
      </Cell>
      <Cell label="still wrong">{totalQuestions - score}</Cell>
    </>
  )
}

function OfBuilt({ data: { score, totalQuestions, userAnswers } }: { data: ResultsData }) {
  const open = totalQuestions - userAnswers.length
  return (
    <>
      <Cell label={`right of ${totalQuestions}`}>{score}</Cell>
      <Cell label={open > 0 ? `wrong, and ${open} not reached` : 'wrong'}>
        {userAnswers.length - score}
      </Cell>
    </>
  )
}

function AmongAttempts({ data, testNumber }: { data: ResultsData; testNumber: number }) {
  const { category, difficulty } = data
  const user = useUser()
  const saved = useQuery(resultsQuery(category, difficulty))
  const waiting = useWaitingResults(user.id, category, difficulty)
  if (!saved.data) {
    // This reserves the space until earlier attempts are known.
    return (
      <>
        <Cell label={saved.isError ? 'earlier attempts not loaded' : 'against the attempt before'}>
          –
        </Cell>
        <Cell label="best so far">–</Cell>
      </>
    )
  }
  const percentage = percentageOf(data.score, data.totalQuestions)
  const { change, best, bestBefore } = standingOf(
    { id: data.attemptId, testNumber, percentage, completedAt: data.completedAt ?? '9999' },
    [...saved.data, ...waiting.map((item) => ({ ...item, ...item.body }))],
  )
  return (
    <>
      {change ? (
        <Cell label={`points since ${dayOf(change.since)}`}>{signed(change.points)}</Cell>
      ) : (
        <Cell label="first attempt">1</Cell>
      )}
      <Cell label={typeof bestBefore === 'number' ? `new best, was ${bestBefore}%` : 'best so far'}>
        {bestBefore === null ? best : percentage}
        <small>%</small>
      </Cell>
    </>
  )
}

function dayOf(iso: string): string {
  const [day = '', year] = longDate(iso).split(', ')
  return longDate(new Date().toISOString()).endsWith(year ?? '') ? day : `${day}, ${year}`
}

const signed = (points: number) => (points > 0 ? `+${points}` : `${points}`.replace('-', '−'))
