import { useState } from 'react'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { Heads } from '../../kit/web/heads.tsx'
import { Section } from '../../kit/web/section.tsx'
import { zoneSecond } from '../../kit/zone-time.ts'
import type { CandidateFile, UncoveredScore } from '../contract.ts'

type Answer = NonNullable<CandidateFile['answers']>[number]

/** The chosen answers, with key and points once they are shown. */
export function Answers(props: {
  answers: readonly Answer[]
  score: UncoveredScore | null
  /** questions whose answer was changed right after an absence */
  touched: ReadonlySet<number>
}) {
  const { answers, score, touched } = props
  const [isUnfolded, setIsUnfolded] = useState(false)
  const keys = new Map(score?.keys.map((one) => [one.number, one]))
  const half = Math.ceil(answers.length / 2)
  const halves = [
    { caption: 'The first half of the answers', part: answers.slice(0, half) },
    { caption: 'The second half of the answers', part: answers.slice(half) },
  ]
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
            {isUnfolded ? 'Fold' : `Show all ${answers.length}`}
          </button>
          <span className="max-md:hidden">
            {score
              ? `${score.correct} right, ${score.incorrect} not`
              : 'Key and points appear when the last verdict is written'}{' '}
            · time is from one choice to the next, without absences
          </span>
        </>
      }
    >
      <div className={`grid gap-x-14 lg:grid-cols-2 ${isUnfolded ? '' : 'max-md:hidden'}`}>
        {halves.map(
          ({ caption, part }) =>
            part.length > 0 && (
              <table key={caption} className="table table-fixed">
                <caption className="sr-only">{caption}</caption>
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
                      found={keys.get(one.number)}
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
  const look =
    !found || found.points === null ? '' : found.points === 1 ? 'grade-right' : 'grade-wrong'
  const notes = [was.length > 0 && `was ${was.join(', ')}`, hasWaited && 'chosen offline']
    .filter(Boolean)
    .join(', ')
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
