import { useState } from 'react'
import { Link } from 'react-router'
import { assessmentUrl } from '../../../../platform/urls.ts'
import { call } from '../../../../platform/web/api.ts'
import { coefficient } from '../../../kit/statistics/figures.ts'
import { ActionDialog, REASON } from '../../../kit/web/ask.tsx'
import { useAssessment } from '../../../kit/web/console/console.tsx'
import { Heads } from '../../../kit/web/heads.tsx'
import { ActButton, useAct, usePlace } from '../../../kit/web/use-act.tsx'
import { zoneMoment } from '../../../kit/zone-time.ts'
import { type AnalysedQuestion, doubtKey, keepKey } from '../../contract-analysis.ts'
import { type Analysis, evidenceOf, suspectOf } from './analysis-words.ts'

/** An opened row: who chose what, how they did on the rest, and what can be done. */
export function QuestionDetail(props: { question: AnalysedQuestion; analysis: Analysis }) {
  const { question, analysis } = props
  const place = usePlace()
  const { timeZone } = useAssessment()
  const [isKeeping, setIsKeeping] = useState(false)
  const params = { ...place, item: String(question.item) }
  const doubting = useAct(() => call(doubtKey, { params }))
  const { kept } = question
  const evidence = evidenceOf(question, analysis.questionCount)
  const suspect = suspectOf(question)
  return (
    <div className="grid gap-x-12 gap-y-5 py-4.5 md:px-6.5 xl:grid-cols-[minmax(0,1fr)_372px]">
      <div className="min-w-0">
        <h3 className="whitespace-pre-line text-pretty break-words text-[19px]!">
          {question.question}
        </h3>
        <OptionTable question={question} others={analysis.questionCount - 1} />
      </div>
      <div className="text-[13.5px] text-ink-2 leading-[1.5]">
        {evidence && (
          <p>
            <b className="font-semibold text-ink">{evidence[0]}</b> {evidence[1]}
          </p>
        )}
        {kept && (
          <p>
            {kept.by} found the key right on {zoneMoment(kept.at, timeZone, Date.now())}:{' '}
            {kept.reason}
          </p>
        )}
        {question.timed > 0 && question.timed < analysis.people && (
          <p className="mt-2">Times are known for {question.timed}.</p>
        )}
        <div className="mt-3.5 flex flex-wrap gap-2">
          <RuleLink
            item={question.item}
            ruling={analysis.ruling}
            className={suspect ? 'btn' : 'btn btn-ghost'}
          />
          {analysis.ruling === 'rule' && suspect && (
            <button type="button" className="btn btn-ghost" onClick={() => setIsKeeping(true)}>
              Keep the key
            </button>
          )}
          {analysis.ruling === 'rule' && kept && (
            <ActButton act={doubting}>Flag the key again</ActButton>
          )}
        </div>
      </div>
      {isKeeping && (
        <ActionDialog
          title={`The key of question ${question.item} is right`}
          text="No result changes. The notice goes away, and can be brought back."
          endpoint={keepKey}
          input={{ params }}
          fields={{ reason: REASON }}
          button={[`Keep ${question.keys.join(' or ')}`, 'Saving…']}
          onClose={() => setIsKeeping(false)}
        />
      )}
    </div>
  )
}

/** Leads to the page where an owner rules on a question, or an author or reviewer proposes a ruling. */
export function RuleLink(props: { item: number; ruling: Analysis['ruling']; className: string }) {
  const { society, code } = usePlace()
  if (props.ruling === 'none') return null
  return (
    <Link to={assessmentUrl(society, code, `analysis/${props.item}`)} className={props.className}>
      {props.ruling === 'rule' ? 'Rule' : 'Propose a ruling'} on question {props.item}…
    </Link>
  )
}

/** Who chose each option, how they did on the rest, and how many of the best third are among them. */
function OptionTable({ question, others }: { question: AnalysedQuestion; others: number }) {
  const { rows, topCount, isVoid, options } = question
  const suspect = suspectOf(question)
  const most = Math.max(1, ...rows.map(({ count }) => count))
  const hasMeans = rows.some(({ restMean }) => restMean !== null)
  const hasR = rows.some(({ r }) => r !== null)
  return (
    <table className="table mt-2">
      <Heads
        of={[
          ['Option', '', 2],
          ['Chosen by', 'text-end!'],
          [
            <span key="drawn" className="sr-only">
              drawn
            </span>,
            'min-w-38 max-md:hidden',
          ],
          hasMeans && [`Their mean on the other ${others}`, 'text-end! max-md:hidden'],
          hasR && ['Goes with the rest', 'text-end! max-md:hidden'],
          topCount !== null && [`Of the best ${topCount}`, 'text-end!'],
        ]}
      />
      <tbody>
        {rows
          .filter(({ option, count }) => option !== null || count > 0)
          .map(({ option, isKey, count, restMean, r, top }) => {
            const isSuspect = option !== null && option === suspect
            return (
              <tr key={option} className={isSuspect ? 'bg-mid-soft' : ''}>
                <td className="w-7 pl-2!">
                  <b className="font-semibold">{option ?? '–'}</b>
                </td>
                <td className="w-full break-words py-1!">
                  {option ? options[option] : 'nothing chosen'}
                  {isKey && !isVoid && <span className="chip chip-right ml-2">key</span>}
                </td>
                <td className="text-end">{count}</td>
                <td className="max-md:hidden" aria-hidden>
                  <span
                    className={`block h-2 max-w-36 ${isSuspect ? 'bg-mid' : 'bg-ink'}`}
                    style={{ width: `${(count / most) * 140}px` }}
                  />
                </td>
                {hasMeans && (
                  <td className="text-end max-md:hidden">{restMean?.toFixed(1) ?? '–'}</td>
                )}
                {hasR && (
                  <td className="text-end max-md:hidden">{r === null ? '–' : coefficient(r)}</td>
                )}
                {topCount !== null && <td className="pr-2.5! text-end">{top}</td>}
              </tr>
            )
          })}
      </tbody>
    </table>
  )
}
