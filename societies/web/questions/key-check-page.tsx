import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { Message, TryAgain } from '../../../platform/web/ui/message.tsx'
import { Spinner } from '../../../platform/web/ui/spinner.tsx'
import { finishKeyCheck, startKeyCheck } from '../../contract/key-check.ts'
import { keyCheckHeadline, leftToCheck } from '../../questions/key-check.ts'
import { useAssessment, useSociety } from '../console/console.tsx'
import { assessmentKey } from '../console/queries.ts'
import { Top } from '../console/top.tsx'
import { areCovered, CoveredKeys } from './covered-keys.tsx'
import { Comparison } from './key-check/comparison.tsx'
import { comparisonQuery, type KeyCheckState, keyCheckQuery } from './key-check/queries.ts'
import { SittingPages } from './key-check/sitting-pages.tsx'
import { useKeyReading } from './key-check/use-key-reading.ts'

/** …/questions/check: the paper without keys, and the comparison (product 7.9.40 to 7.9.44, 7.9.48). */
export function KeyCheck() {
  const { society, may } = useSociety()
  const { code } = useAssessment()
  const client = useQueryClient()
  // A reviewer sits the check, and compares nothing: the keys are for those who write them.
  const mayCompare = useKeyReading() === 'all'
  const [isSitting, setIsSitting] = useState(false)
  const [isPeeking, setIsPeeking] = useState(false)
  const state = useQuery({ ...keyCheckQuery(society.id, code), enabled: may('check_keys') })
  const hasFinished = state.data?.sitters.some(({ checked }) => checked > 0) ?? false
  const comparison = useQuery({
    ...comparisonQuery(society.id, code),
    // Not shown by itself to who still has something to check: it would be blind no more.
    enabled:
      mayCompare &&
      state.data?.sitting === null &&
      hasFinished &&
      (state.data.leftForYou === 0 || isPeeking),
  })
  const refresh = () => client.invalidateQueries({ queryKey: assessmentKey(society.id, code) })
  const starting = useMutation({
    mutationFn: () => call(startKeyCheck, { params: { society: society.id, code } }),
    onSuccess: async () => {
      await refresh()
      setIsSitting(true)
    },
  })
  const finishing = useMutation({
    mutationFn: (sitting: string) =>
      call(finishKeyCheck, { params: { society: society.id, code, sitting } }),
    onSuccess: async () => {
      setIsSitting(false)
      await refresh()
    },
  })
  if (!may('check_keys')) {
    return (
      <Top title="Blind key check" headline="Blind key check">
        Owners, authors and reviewers check the keys.
      </Top>
    )
  }
  if (!state.data) {
    if (!state.isError) return <Spinner />
    return (
      <Message
        isError
        title="The check could not be loaded"
        actions={<TryAgain onClick={() => void state.refetch()} isBusy={state.isFetching} />}
      >
        {state.error.message}
      </Message>
    )
  }
  const { sitting } = state.data
  if (sitting && isSitting) {
    return (
      <>
        <h1 className="sr-only">Blind key check</h1>
        <SittingPages
          key={sitting.id}
          sitting={sitting}
          isFinishing={finishing.isPending}
          mayCompare={mayCompare}
          onStop={() => {
            setIsSitting(false)
            void refresh()
          }}
          onFinish={() => finishing.mutate(sitting.id)}
        />
        <div role="alert" className="amber mx-auto mt-2 max-w-[760px]">
          {finishing.error?.message}
        </div>
      </>
    )
  }
  const compared = comparison.data?.questions
  return (
    <>
      <Top
        title="Blind key check"
        headline={compared ? keyCheckHeadline(compared) : headlineOf(state.data)}
        acts={
          state.data.leftForYou > 0 && (
            <button
              type="button"
              className="btn"
              aria-disabled={starting.isPending}
              onClick={() => {
                if (sitting) setIsSitting(true)
                else if (!starting.isPending) starting.mutate()
              }}
            >
              {starting.isPending ? 'Opening…' : actOf(state.data)}
            </button>
          )
        }
      >
        {compared?.some(({ state: found }) => found === 'disputed') ? (
          'Look at each that differs. Where whoever chose otherwise is right, or the question is unclear, change it: it is then checked anew. Where the key is right, an owner upholds it, with a reason.'
        ) : (
          <>
            You see the questions as candidates do, without their keys, and choose. A key holds when
            two people agree with it. To have a colleague check too, send the address of this page
            to an owner, an author or a reviewer of your team.
          </>
        )}
      </Top>
      <div role="alert" className="amber">
        {(starting.error ?? (areCovered(comparison.error) ? null : comparison.error))?.message}
      </div>
      <Sitters state={state.data} />
      {compared && <Comparison questions={compared} />}
      {!compared && areCovered(comparison.error) && (
        <div className="mt-6">
          <CoveredKeys query={comparisonQuery(society.id, code)} />
        </div>
      )}
      {mayCompare &&
        hasFinished &&
        !sitting &&
        !compared &&
        !comparison.isFetching &&
        !comparison.isError && (
          <p className="mt-6 text-ink-2">
            You have not checked everything yourself.{' '}
            <button
              type="button"
              className="quiet-link min-h-8 max-md:min-h-11"
              onClick={() => setIsPeeking(true)}
            >
              See the answers against the keys all the same
            </button>
          </p>
        )}
      {!mayCompare && hasFinished && (
        <p className="mt-6 text-ink-2">
          Your answers are stored. An owner or an author compares them with the keys.
        </p>
      )}
    </>
  )
}

function headlineOf({ questionCount, leftForYou, sitting }: KeyCheckState): string {
  if (questionCount === 0) return 'There is no question to check yet'
  if (sitting) return 'You are in the middle of it'
  if (leftForYou === 0) return 'You have checked every question'
  return leftForYou === 1 ? 'One question to check' : `${leftForYou} questions to check`
}

function actOf({ sitting, leftForYou, questionCount }: KeyCheckState): string {
  if (sitting) {
    const answered = sitting.questions.filter(({ choice }) => choice !== null).length
    return `Go on, ${answered} of ${sitting.questions.length} answered`
  }
  if (leftForYou < questionCount) return leftToCheck(leftForYou)
  return leftForYou === 1 ? 'Check the question' : `Check ${leftForYou} questions`
}

function Sitters({ state }: { state: KeyCheckState }) {
  const { sitters, questionCount } = state
  return (
    <section aria-labelledby="sitters">
      <div className="head">
        <h2 id="sitters">Who has checked</h2>
        <span className="hint">no answer counts before its sitting is finished</span>
      </div>
      {sitters.length === 0 ? (
        <p className="py-4 text-ink-2">Nobody yet.</p>
      ) : (
        <ul>
          {sitters.map(({ name, isYou, finishedAt, checked }) => (
            <li
              key={`${name}${isYou}`}
              className="flex min-h-9 flex-wrap items-center gap-x-4 border-line border-b py-1.5"
            >
              <b className="font-medium">{isYou ? `${name} (you)` : name}</b>
              <span className="text-ink-2">
                {checked} of {questionCount} as they stand now
                {finishedAt === null ? ', and in the middle of it' : ''}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
