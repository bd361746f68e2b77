import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { caseUrl, URLS } from '../../../platform/urls.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { AnswerPair } from '../../../platform/web/ui/answer-pair.tsx'
import type { Case, CaseListed } from '../../cases/case.ts'
import { SHORT_NAMES } from '../../categories.ts'
import { percentageOf } from '../../scoring.ts'
import { StreakCell } from '../dashboard/streak-strip.tsx'
import { OnLink, scoreStyle, Verdict } from '../kit.tsx'
import { casesQuery } from '../queries.ts'
import { SittingHead, useEveningOfPart } from '../sitting/frame.tsx'
import { useSavingLine } from '../use-outbox.tsx'
import { CaseNote } from './case-question.tsx'
import type { CaseSitting } from './case-sitting.ts'
import { nextCase } from './cases.tsx'
import { withMinus } from './exhibit.tsx'

export function CaseDone(props: {
  content: Case
  sitting: CaseSitting
  onLeave: () => void
  onAgain: () => void
}) {
  const { content, sitting } = props
  const { id: userId } = useUser()
  const cases = useQuery(casesQuery)
  const saving = useSavingLine(userId, sitting.id, 'case')
  const right = content.questions.filter(
    ({ answer }, index) => sitting.given[index]?.choice === answer,
  ).length
  const total = content.questions.length
  const next = nextCase(cases.data ?? [], content.slug)
  const evening = useEveningOfPart()
  const { onLeave } = props
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the page closes
  useEffect(() => onLeave, [])
  return (
    <div className="sitting case">
      <SittingHead
        title={`Case · ${content.title}`}
        closeTo={URLS.cases}
        closeLabel="Close the case"
        index={content.questions.length - 1}
        ticks={content.questions.map(({ answer }, index) =>
          sitting.given[index]?.choice === answer ? 'right' : 'wrong',
        )}
      />
      <main className="sitting-wrap case-end">
        <div className="flex items-end gap-x-6">
          <p
            className={`fig flex-none whitespace-nowrap text-[72px] ${scoreStyle(percentageOf(right, total)).text}`}
          >
            {right}
            <span className="text-[26px] text-ink-2"> of {total}</span>
            <span className="sr-only"> correct</span>
          </p>
          <div className="min-w-0 pb-1.5">
            <p className="eyebrow">
              {SHORT_NAMES[content.category]} · {content.difficulty}
            </p>
            <h1 className="mt-1 text-[clamp(24px,3.4vw,42px)]">{content.title}</h1>
          </div>
        </div>
        <p role="status" className="hint mt-2 min-h-[1.5em]">
          {saving}
        </p>
        <div className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-1">
          {evening ? (
            <OnLink to={evening.to}>Back to the superday</OnLink>
          ) : (
            <WaysOn next={next} onAgain={props.onAgain} />
          )}
        </div>
        <dl className="ledger mt-6 grid-cols-1">
          <StreakCell />
        </dl>
        <ol className="case-review">
          {content.questions.map((question, index) => {
            const choice = sitting.given[index]?.choice
            const isRight = choice === question.answer
            return (
              <li key={question.finds}>
                <Verdict isCorrect={isRight} />
                <div className="min-w-0">
                  <p className="font-medium">
                    <span className="sr-only">Question {index + 1}: </span>
                    {question.ask}
                  </p>
                  {isRight ? (
                    <p className="hint mt-1">
                      <span className="grade-right font-semibold">Correct</span> ·{' '}
                      {withMinus(question.options[question.answer])}
                    </p>
                  ) : (
                    <div className="mt-2.5">
                      <AnswerPair
                        correct={withMinus(question.options[question.answer])}
                        chosen={choice && withMinus(question.options[choice])}
                        isRight={false}
                      />
                    </div>
                  )}
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

function WaysOn({ next, onAgain }: { next: CaseListed | undefined; onAgain: () => void }) {
  return (
    <>
      {next ? (
        // The text wraps, because a title can be wider than a phone.
        <OnLink to={caseUrl(next.slug)} className="whitespace-normal py-2">
          Next case: {next.title}
        </OnLink>
      ) : (
        <Link to={URLS.cases} className="btn btn-big">
          All cases
        </Link>
      )}
      <button type="button" className="btn btn-flat" onClick={onAgain}>
        Try again
      </button>
      {next && (
        <Link to={URLS.cases} className="btn btn-flat">
          All cases
        </Link>
      )}
    </>
  )
}
