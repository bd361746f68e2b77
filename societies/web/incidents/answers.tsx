import { useState } from 'react'
import type { CandidateFile, UncoveredScore } from '../../contract/incidents.ts'
import { zoneSecond } from '../../zone-time.ts'

type Answer = NonNullable<CandidateFile['answers']>[number]

/** What was chosen, with key and points once they are uncovered. */
export function Answers(props: {
  answers: readonly Answer[]
  score: UncoveredScore | null
  /** numbers of the questions whose answer was changed right after an absence */
  touched: ReadonlySet<number>
  timeZone: string
}) {
  const { answers, score, touched, timeZone } = props
  const [isUnfolded, setIsUnfolded] = useState(false)
  const keys = new Map(score?.keys.map((one) => [one.number, one]) ?? [])
  const half = Math.ceil(answers.length / 2)
  return (
    <section className="mt-10" aria-labelledby="answers">
      <div className="head">
        <h2 id="answers">Answers</h2>
        <button
          type="button"
          className="link ml-auto min-h-11 md:hidden"
          aria-expanded={isUnfolded}
          onClick={() => setIsUnfolded(!isUnfolded)}
        >
          {isUnfolded ? 'Fold' : `Show all ${answers.length}`}
        </button>
        <span className="hint max-md:hidden">
          {score
            ? `${score.correct} right, ${score.incorrect} not · time is from one choice to the next, without absences`
            : 'Key and points appear when the last verdict is written · time is from one choice to the next, without absences'}
        </span>
      </div>
      <div className={`grid gap-x-14 lg:grid-cols-2 ${isUnfolded ? '' : 'max-md:hidden'}`}>
        {[answers.slice(0, half), answers.slice(half)].map((part, index) =>
          part.length === 0 ? null : (
            <table key={part[0]?.number} className="table table-fixed">
              <caption className="sr-only">
                {index === 0 ? 'The first half of the answers' : 'The second half of the answers'}
              </caption>
              <thead>
                <tr>
                  <th scope="col" className="w-8">
                    #
                  </th>
                  <th scope="col">Question</th>
                  <th scope="col" className="w-33 max-md:w-24">
                    Choice
                  </th>
                  <th scope="col" className="w-20 text-end! max-md:hidden">
                    Saved
                  </th>
                  <th scope="col" className="w-15 text-end! max-md:hidden">
                    Time
                  </th>
                  <th scope="col" className="w-11 text-end!">
                    Key
                  </th>
                </tr>
              </thead>
              <tbody>
                {part.map((one) => (
                  <Row
                    key={one.number}
                    one={one}
                    found={keys.get(one.number)}
                    isTouched={touched.has(one.number)}
                    timeZone={timeZone}
                  />
                ))}
              </tbody>
            </table>
          ),
        )}
      </div>
    </section>
  )
}

function Row(props: {
  one: Answer
  found: UncoveredScore['keys'][number] | undefined
  isTouched: boolean
  timeZone: string
}) {
  const { one, found, isTouched, timeZone } = props
  const { number, question, choice, was, savedAt, seconds, hasWaited } = one
  const look =
    !found || found.points === null ? '' : found.points === 1 ? 'grade-right' : 'grade-wrong'
  const notes = [
    ...(was.length > 0 ? [`was ${was.join(', ')}`] : []),
    ...(hasWaited ? ['chosen offline'] : []),
  ]
  return (
    <tr>
      <td className="text-ink-2">{number}</td>
      <td className="truncate" title={question ?? undefined}>
        {question ?? <span className="text-ink-2">Question {number}</span>}
      </td>
      <td>
        <b className={`font-semibold ${look}`}>{choice ?? '–'}</b>
        {notes.length > 0 && (
          <small className={`ml-1.5 ${isTouched ? 'amber font-medium' : 'text-ink-2'}`}>
            {notes.join(', ')}
          </small>
        )}
      </td>
      <td className="text-end max-md:hidden">{savedAt ? zoneSecond(savedAt, timeZone) : ''}</td>
      <td className="text-end max-md:hidden">{seconds === null ? '' : `${seconds} s`}</td>
      <td className="text-end">
        {found ? (
          <Key found={found} look={look} />
        ) : (
          <>
            <span aria-hidden className="covered" />
            <span className="sr-only">covered</span>
          </>
        )}
      </td>
    </tr>
  )
}

function Key({ found, look }: { found: UncoveredScore['keys'][number]; look: string }) {
  if (found.points === null) return <span className="text-ink-2">left out</span>
  return (
    <span className={`font-medium ${look}`}>
      {found.keys.join(', ')} <span className="sr-only">, </span>
      {found.points}
    </span>
  )
}
