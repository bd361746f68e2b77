import { useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { caseUrl, URLS } from '../../../platform/urls.ts'
import { useUser } from '../../../platform/web/session.tsx'
import type { Case } from '../../cases/case.ts'
import type { CaseListed } from '../../contract/cases.ts'
import { casesQuery } from '../queries.ts'
import { SittingHead } from '../sitting/sitting-head.tsx'
import { useEveningOfPart } from '../superday/way-back.tsx'
import { useItemState } from '../use-outbox.tsx'
import { CaseNote } from './case-question.tsx'
import type { CaseSitting } from './case-sitting.ts'
import { nextCase } from './cases.tsx'
import { withMinus } from './exhibit-cells.ts'

/** The end of a case (product 3.12.8): what was right, the slip behind the rest, and one next step. */
export function CaseDone(props: {
  content: Case
  sitting: CaseSitting
  /** the case is over: what the device kept of it may go */
  onLeave: () => void
  onAgain: () => void
}) {
  const { content, sitting } = props
  const { id: userId } = useUser()
  const cases = useQuery(casesQuery)
  const state = useItemState(userId, sitting.id)
  const right = content.questions.filter(
    ({ answer }, index) => sitting.given[index]?.choice === answer,
  ).length
  const next = nextCase(cases.data ?? [], content.slug)
  const evening = useEveningOfPart()
  const { onLeave } = props
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the end is left
  useEffect(() => onLeave, [])
  return (
    <div className="sitting case">
      <SittingHead
        title={`Case · ${content.title}`}
        closeTo={evening?.to ?? URLS.cases}
        closeLabel="Close the case"
        index={content.questions.length - 1}
        ticks={content.questions.map(({ answer }, index) =>
          sitting.given[index]?.choice === answer ? 'right' : 'wrong',
        )}
      />
      <main className="sitting-wrap case-end">
        <p className="eyebrow">{content.title}</p>
        <h1 className="mt-2 text-[clamp(30px,3.4vw,42px)]">
          {right} of {content.questions.length} right
        </h1>
        <p role="status" className="hint mt-2 min-h-[1.5em]">
          {state === 'waiting' && 'Saved when you are back online'}
          {state === 'refused' && 'This case could not be saved because the server refused it.'}
        </p>
        <div className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-1">
          {evening ? (
            <Link to={evening.to} className="btn btn-big">
              Back to the superday
              <ArrowRight size={18} aria-hidden />
            </Link>
          ) : (
            <WaysOn next={next} onAgain={props.onAgain} />
          )}
        </div>
        <ol className="case-review">
          {content.questions.map((question, index) => {
            const choice = sitting.given[index]?.choice
            const isRight = choice === question.answer
            return (
              <li key={question.finds}>
                <span className="case-chain-number">{index + 1}</span>
                <div className="min-w-0">
                  <p className="font-medium">{question.ask}</p>
                  <p className="mt-1">
                    <span className={isRight ? 'text-[var(--right)]' : 'text-[var(--wrong)]'}>
                      {isRight ? 'Right' : 'Wrong'}
                    </span>
                    {': '}
                    {withMinus(question.options[question.answer])}
                    {choice && !isRight && (
                      <span className="text-ink-2">
                        {' '}
                        · you chose {withMinus(question.options[choice])}
                      </span>
                    )}
                  </p>
                  {choice && !isRight && (
                    <CaseNote content={content} index={index} sitting={sitting} />
                  )}
                </div>
              </li>
            )
          })}
        </ol>
      </main>
    </div>
  )
}

/** One next step, and besides it the same case once more. */
function WaysOn({ next, onAgain }: { next: CaseListed | undefined; onAgain: () => void }) {
  return (
    <>
      {next ? (
        // It wraps: a title may be longer than a phone is wide.
        <Link to={caseUrl(next.slug)} className="btn btn-big whitespace-normal py-2">
          Next case: {next.title}
          <ArrowRight size={18} className="flex-none" aria-hidden />
        </Link>
      ) : (
        <Link to={URLS.cases} className="btn btn-big">
          All cases
        </Link>
      )}
      <button type="button" className="btn btn-flat" onClick={onAgain}>
        Start over
      </button>
      {next && (
        <Link to={URLS.cases} className="btn btn-flat">
          All cases
        </Link>
      )}
    </>
  )
}
