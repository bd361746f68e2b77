import './fairness.css'
import type { ReactNode } from 'react'
import type { FairnessContent } from '../../contract-fairness.ts'
import { dayOf, reportRows } from './report-rows.ts'

/** A test's fairness report as it is read and printed; the pages add their buttons. */
export function Report(props: {
  content: FairnessContent
  timeZone: string
  /** when it was published */
  dates?: string
  children?: ReactNode
}) {
  const { content, timeZone, dates } = props
  const { society, name, took, questions, minutes, deletedOn } = content
  return (
    <div className="fair">
      <section className="fair-lead">
        <p className="eyebrow">{society} · fairness report</p>
        <h1 className="fair-title">How the test {name} was run</h1>
        <p className="fair-said">
          {took === 1 ? 'One candidate' : `${took} candidates`} took a test of {questions} questions
          in {minutes} minutes. This page says how accurate it was, what went wrong, and what the
          society did about it.
        </p>
      </section>
      <div className="fair-rows">
        {reportRows(content, timeZone).map(({ title, figure, unit, text }) => (
          <section key={title} className="fair-row">
            <h2>{title}</h2>
            <p className="fair-figure">
              <b>{figure}</b>
              {unit && <span>{unit}</span>}
            </p>
            <div>
              <p>{text}</p>
            </div>
          </section>
        ))}
      </div>
      <section className="fair-foot">
        <div>
          <h2>Questions and appeals</h2>
          <p>
            Ask the society. You can ask for the report on your own test.{' '}
            {deletedOn && `Names and answers are deleted on ${dayOf(deletedOn)}.`}
          </p>
        </div>
        <div>
          <h2>Where the numbers come from</h2>
          <p>
            Superday counts them from the log and the answers. The society can’t edit them; only the
            reasons are its words. {dates}
          </p>
          <details className="fair-computed">
            <summary>How each number is counted</summary>
            <p>
              Candidates who only tried a demo aren’t counted. The margin (±) is 1.645 standard
              errors of measurement, rounded to whole points; the standard error is the deviation of
              the scores × √(1 − KR-20). Of fewer than 15 candidates no statistic is shown.
            </p>
          </details>
          {props.children}
        </div>
      </section>
    </div>
  )
}
