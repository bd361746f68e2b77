import { useQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { call } from '../../../platform/web/api.ts'
import {
  checkAllPairs,
  checkPair,
  type listSimilarityChecks,
  REASON_LENGTH,
} from '../../contract/sessions.ts'
import { blindNumber, countOf } from '../../number-words.ts'
import { SIMILARITY_NEEDS } from '../../statistics/similarity/pairs.ts'
import { zoneMoment } from '../../zone-time.ts'
import { useAssessment } from '../console/console.tsx'
import { ReasonField } from '../console/reason-field.tsx'
import { usePlace } from '../console/use-act.ts'
import { useNowMs } from '../console/use-now.ts'
import { NothingStandsOut, PairFound } from './pair-found.tsx'
import { similarityQuery, useSessionsAct } from './queries.ts'

type Checks = ResponseOf<typeof listSimilarityChecks>

const LOCKED = {
  still_inside: 'Answers are compared when everybody is done.',
  too_few_people: `Pairs are compared from ${SIMILARITY_NEEDS.people} candidates on, of each form.`,
  too_few_questions: `Pairs are compared from ${SIMILARITY_NEEDS.items} questions on.`,
}

/**
 * Pairs of answers (product 7.19.13 to 7.19.19): to look at a pair that somebody has a reason to ask about. It
 * hunts nobody, names nobody and decides nothing.
 */
export function SimilaritySection() {
  const id = useId()
  const found = useQuery(similarityQuery(usePlace()))
  return (
    <section aria-labelledby={id} className="mb-9">
      <div className="head">
        <h2 id={id}>Answers that agree</h2>
        <span className="hint">numbers stand for candidates, as under Results</span>
      </div>
      <p className="max-w-[92ch] pt-3 pb-5">
        To check a pair that somebody has a reason to ask about: something was seen, or two sat at
        one address. Copying of half a test is rarely found here. Absence of a flag proves nothing.
      </p>
      {found.isError && <p role="alert">{found.error.message}</p>}
      {found.data &&
        (found.data.lock ? (
          <p>{LOCKED[found.data.lock]}</p>
        ) : (
          <Asking linked={found.data.linked} />
        ))}
      {found.data && found.data.checks.length > 0 && <Asked checks={found.data.checks} />}
    </section>
  )
}

function Asking({ linked }: Pick<Checks, 'linked'>) {
  const [first, setFirst] = useState('')
  const [second, setSecond] = useState('')
  return (
    <>
      {linked.length > 0 && (
        <p className="mb-4">
          At one address in the same minutes:{' '}
          {linked.map((pair, at) => (
            <span key={`${pair.first} ${pair.second}`}>
              {at > 0 && ', '}
              <button
                type="button"
                className="quiet-link figures max-md:min-h-11"
                onClick={() => {
                  setFirst(blindNumber(pair.first))
                  setSecond(blindNumber(pair.second))
                }}
              >
                {blindNumber(pair.first)} and {blindNumber(pair.second)}
              </button>
            </span>
          ))}
          . That is no more than a reason to name them.
        </p>
      )}
      <div className="grid gap-x-12 gap-y-7 min-[1000px]:grid-cols-2">
        <NamedPair {...{ first, second, setFirst, setSecond }} />
        <AllPairs />
      </div>
    </>
  )
}

function NamedPair(props: {
  first: string
  second: string
  setFirst: (text: string) => void
  setSecond: (text: string) => void
}) {
  const { first, second } = props
  const place = usePlace()
  const id = useId()
  const key = useRef(crypto.randomUUID())
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState('')
  const checking = useSessionsAct(
    (pair: { first: number; second: number }) =>
      call(checkPair, { params: { ...place }, body: { id: key.current, ...pair, reason } }),
    () => {
      key.current = crypto.randomUUID()
    },
  )
  const numbers = [first, second].map((text) =>
    /^0*[1-9]\d{0,5}$/.test(text.trim()) ? Number(text) : null,
  )
  const [one = null, other = null] = numbers
  return (
    <form
      className="grid content-start gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (checking.isPending) return
        if (one === null || other === null) setProblem('Please give two numbers.')
        else if (reason.trim() === '') setProblem('Please write why, before anything is shown.')
        else {
          setProblem('')
          checking.mutate({ first: one, second: other })
        }
      }}
    >
      <h3 className="font-[550]">A named pair</h3>
      <div className="flex flex-wrap gap-3.5">
        {(['first', 'second'] as const).map((which) => (
          <div key={which}>
            <label htmlFor={`${id}-${which}`} className="label">
              {which === 'first' ? 'One number' : 'The other'}
            </label>
            <input
              id={`${id}-${which}`}
              className="field w-24"
              inputMode="numeric"
              value={props[which]}
              onChange={(event) =>
                (which === 'first' ? props.setFirst : props.setSecond)(event.target.value)
              }
            />
          </div>
        ))}
      </div>
      <Reason
        {...{ reason, setReason }}
        problem={problem || checking.error?.message}
        isBusy={checking.isPending}
        press={`Keep the reason, compare ${one !== null && other !== null ? `${blindNumber(one)} and ${blindNumber(other)}` : 'them'}`}
      />
      {checking.data && (
        <div role="status">
          <PairFound pair={checking.data.pair} />
        </div>
      )}
    </form>
  )
}

function AllPairs() {
  const place = usePlace()
  const key = useRef(crypto.randomUUID())
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState('')
  const checking = useSessionsAct(
    () => call(checkAllPairs, { params: { ...place }, body: { id: key.current, reason } }),
    () => {
      key.current = crypto.randomUUID()
    },
  )
  const found = checking.data
  return (
    <form
      className="grid content-start gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (checking.isPending) return
        if (reason.trim() === '') setProblem('Please write why, before anything is shown.')
        else {
          setProblem('')
          checking.mutate(undefined)
        }
      }}
    >
      <h3 className="font-[550]">All pairs</h3>
      <p className="text-ink-2">
        A list of those that stand out by a limit which all pairs share. Expected by chance: 0.05 in
        a whole exam.
      </p>
      <Reason
        {...{ reason, setReason }}
        problem={problem || checking.error?.message}
        isBusy={checking.isPending}
        press="Keep the reason, list what stands out"
      />
      {found && (
        <div role="status" className="grid gap-4">
          <p className="figures">
            {countOf(found.listed.length, 'pair')} of {found.pairs.toLocaleString('en-GB')}{' '}
            {found.listed.length === 1 ? 'stands' : 'stand'} out; expected by chance:{' '}
            {found.expectedByChance} in a whole exam.
          </p>
          {found.listed.map((pair) => (
            <PairFound key={`${pair.first} ${pair.second}`} pair={pair} />
          ))}
          {found.listed.length === 0 && <NothingStandsOut />}
        </div>
      )}
    </form>
  )
}

/** The end of both forms: why it is asked, what is wrong, and the press. */
function Reason(props: {
  reason: string
  setReason: (text: string) => void
  problem: string | undefined
  isBusy: boolean
  /** the words of the button */
  press: string
}) {
  const id = useId()
  return (
    <>
      <div>
        <label htmlFor={id} className="label">
          Reason <span className="hint ml-2 font-normal">kept first, with your name</span>
        </label>
        <ReasonField
          id={id}
          maxLength={REASON_LENGTH}
          value={props.reason}
          onChange={props.setReason}
        />
      </div>
      <p role="alert" className="empty:hidden">
        {props.problem}
      </p>
      <div>
        <button type="submit" className="btn btn-ghost" aria-disabled={props.isBusy}>
          {props.isBusy ? 'Comparing…' : props.press}
        </button>
      </div>
    </>
  )
}

/** Who asked, for which pair and why; what was found is shown to who asks again. */
function Asked({ checks }: Pick<Checks, 'checks'>) {
  const { timeZone } = useAssessment()
  const nowMs = useNowMs(60_000)
  return (
    <details className="mt-6">
      <summary className="min-h-8 cursor-pointer py-1.5 max-md:min-h-11">
        Asked {checks.length === 1 ? 'once' : `${checks.length} times`}
      </summary>
      <ul className="grid gap-1 py-2">
        {checks.map(({ id, asked, askedBy, askedAt, reason }) => (
          <li key={id}>
            {asked ? `${blindNumber(asked.first)} and ${blindNumber(asked.second)}` : 'All pairs'}
            <span className="text-ink-2">
              , {askedBy}, {zoneMoment(askedAt, timeZone, nowMs)}: {reason}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
