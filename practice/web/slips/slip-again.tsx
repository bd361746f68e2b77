import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { ANYTHING, builtTestUrl } from '../build/built-test.ts'
import { slipsBeforeQuery } from './queries.ts'
import { type AnsweredQuestion, ofTheLast, slipAgain, slipOf, timesWord } from './slip-words.ts'

/**
 * In the results: the slip that showed most in this test, when it had shown before (product 3.14.24). Its place
 * stands from the start where there may be one, so that nothing moves when it comes.
 */
export function SlipAgain(props: {
  answered: readonly AnsweredQuestion[]
  attemptId: string | undefined
}) {
  const hasSlips = props.answered.some((one) => slipOf(one) !== undefined)
  const isAsked = hasSlips && props.attemptId !== undefined
  const { data } = useQuery({ ...slipsBeforeQuery(props.attemptId ?? ''), enabled: isAsked })
  if (!isAsked) return null
  const again = slipAgain(props.answered, data ?? [])
  return (
    <p className="slip-again print:hidden">
      {again && (
        <>
          <span>
            <b>{again.slip.name}</b>, {timesWord(again.times)} in this test and{' '}
            {ofTheLast(again.slip)} before it.
          </span>{' '}
          <Link to={builtTestUrl({ ...ANYTHING, slip: again.slip.code })} className="quiet-link">
            Ten of this slip
          </Link>
        </>
      )}
    </p>
  )
}
