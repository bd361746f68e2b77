import './fairness.css'
import type { ReactNode } from 'react'
import { countOf, listOf, numberWord } from '../../../../platform/words.ts'
import { zoneTime } from '../../../kit/zone-time.ts'
import type { FairnessContent } from '../../contract-fairness.ts'

/** A test's fairness report for screen and print. Each page adds its own buttons. */
export function Report(props: {
  content: FairnessContent
  timeZone: string
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
        {rowsOf(content, timeZone).map(
          (shown) =>
            shown && (
              <section key={shown.title} className="fair-row">
                <h2>{shown.title}</h2>
                <p className="fair-figure">
                  <b>{shown.figure}</b>
                  {shown.unit && <span>{shown.unit}</span>}
                </p>
                <div>
                  <p>{shown.text}</p>
                </div>
              </section>
            ),
        )}
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
            Superday counts them from the log and the answers. The society can’t edit them. Only the
            reasons are in its own words. {dates}
          </p>
          <details className="fair-computed">
            <summary>How each number is counted</summary>
            <p>
              Candidates who only tried a demo aren’t counted. The margin (±) is 1.645 standard
              errors of measurement, rounded to whole points; the standard error is the standard
              deviation of the scores × √(1 − KR-20). No statistics are shown for fewer than 15
              candidates.
            </p>
          </details>
          {props.children}
        </div>
      </section>
    </div>
  )
}

/** '2 December 2026' */
const dayIn = (iso: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).format(new Date(iso))
/** '25 November 2027' of '2027-11-25' */
const dayOf = (day: string): string => dayIn(`${day}T00:00:00Z`, 'UTC')

/** 'Published on 2 December 2026. Changed on 4 December 2026.' */
export function datesOf(
  { publishedAt, changedAt }: { publishedAt: string; changedAt: string | null },
  timeZone: string,
): string {
  const changed = changedAt ? ` Changed on ${dayIn(changedAt, timeZone)}.` : ''
  return `Published on ${dayIn(publishedAt, timeZone)}.${changed}`
}

/** Makes one of the six rows (product 7.21.4) from a figure and a few sentences. */
const row = (title: string, figure: number | string, unit: string, ...said: (string | false)[]) => {
  return { title, figure, unit, text: said.filter(Boolean).join(' ') }
}
const one = (count: number, word: string, words = `${word}s`) => (count === 1 ? word : words)
/** 'Six candidates were', 'One candidate was' */
const candidates = (count: number, was = '', were = '') =>
  `${numberWord(count)} ${one(count, `candidate${was}`, `candidates${were}`)}`

/** Older reports lack some figures, so their rows are left out. */
const rowsOf = (content: FairnessContent, timeZone: string) => [
  whoRow(content),
  content.cutScore !== undefined && cutScoreRow(content.cutScore, content.questions, timeZone),
  content.accuracy !== undefined && accuracyRow(content.accuracy),
  keysRow(content),
  incidentsRow(content),
  timeRow(content),
]

const whoRow = ({ took, invited, firstDay, lastDay, excluded = 0 }: FairnessContent) =>
  row(
    'Who took it',
    took,
    invited === undefined ? one(took, 'candidate') : `of ${invited} invited`,
    firstDay !== null &&
      lastDay !== null &&
      (firstDay === lastDay
        ? `All of them took it on ${dayOf(firstDay)}.`
        : `They took it between ${dayOf(firstDay)} and ${dayOf(lastDay)}, with the same questions.`),
    excluded > 0 &&
      `The society excluded ${countOf(excluded, 'candidate')} from the ranking and gave a reason.`,
  )

function cutScoreRow(
  cutScore: NonNullable<FairnessContent['cutScore']> | null,
  questions: number,
  timeZone: string,
) {
  if (!cutScore) return row('Cut score', '–', '', 'The society set no cut score.')
  const { points, lockedAt, isBeforeNames, atOrAbove } = cutScore
  return row(
    'Cut score',
    points,
    `of ${questions} points`,
    lockedAt
      ? `Locked on ${dayIn(lockedAt, timeZone)} at ${zoneTime(lockedAt, timeZone)}, ${isBeforeNames ? 'before' : 'after'} names were shown.`
      : 'It isn’t locked.',
    atOrAbove !== null && `${candidates(atOrAbove, ' was', ' were')} at or above it.`,
  )
}

function accuracyRow(accuracy: NonNullable<FairnessContent['accuracy']> | null) {
  if (!accuracy) {
    const why = 'With fewer than 15 candidates or equal scores, accuracy can’t be computed.'
    return row('Accuracy', '–', '', why)
  }
  const { margin, near } = accuracy
  const within = `within ${countOf(margin, 'point')}`
  return row(
    'Accuracy',
    `±${margin}`,
    one(margin, 'point'),
    near === null
      ? `On another day, most scores would have been ${within} of these.`
      : `${candidates(near, ' was', ' were')} ${within} of the cut score.`,
    near !== null && near > 0 && 'On another day they could have been on the other side of it.',
  )
}

const RULED: Record<FairnessContent['rulings'][number]['kind'], string> = {
  replace: 'had a wrong key, which was replaced',
  accept: 'had another right answer, which was accepted too',
  void: 'was flawed and was left out for everyone',
  full_marks: 'was flawed and was counted as right for everyone',
}

function keysRow({ rulings, questions }: FairnessContent) {
  const said = rulings.map(({ question, kind, reason, changed, isBeforeNames }) => {
    const when = isBeforeNames ? 'before names were shown' : 'after names were shown'
    const scores = changed === null ? '' : `, and ${countOf(changed, 'score')} changed`
    const why =
      reason === null
        ? 'The reason is left out because it names someone.'
        : `The reason: “${reason.replace(/[.\s]+$/, '')}”.`
    return `Question ${question} ${RULED[kind]} ${when}${scores}. ${why}`
  })
  const corrected = new Set(rulings.map(({ question }) => question)).size
  const none = said.length === 0 && 'No question was corrected.'
  return row('Answer keys', corrected, `of ${questions} corrected`, none, ...said)
}

function incidentsRow({ incidents }: FairnessContent) {
  const { counts, doesNotCount, asked, undecided } = incidents
  const all = counts + doesNotCount + asked + undecided
  const said = listOf(
    [
      doesNotCount > 0 && `${doesNotCount} ${one(doesNotCount, 'doesn’t', 'don’t')} count`,
      counts > 0 && `${counts} ${one(counts, 'counts', 'count')}`,
      asked > 0 && `${asked} ${one(asked, 'needs', 'need')} follow-up`,
      undecided > 0 && `${undecided} ${one(undecided, 'is', 'are')} not decided`,
    ].filter((part) => part !== false),
  )
  return row(
    'Incidents',
    all,
    asked + undecided === 0 ? 'all decided' : one(all, 'incident'),
    all === 0 ? 'None was recorded.' : `${said.charAt(0).toUpperCase()}${said.slice(1)}.`,
    'An incident is not proof. A person decides each one and gives a reason. No score changes.',
  )
}

function timeRow({ time }: FairnessContent) {
  const { planned, given, reopened, strikesTakenBack: back, endedEarly = -1 } = time
  return row(
    'Time',
    planned,
    'with extra time',
    planned === 0 ? 'No extra time was agreed.' : 'Extra time was agreed before the test.',
    given > 0 && `${candidates(given)} got more time during the test.`,
    reopened > 0 && `${numberWord(reopened)} ${one(reopened, 'test was', 'tests were')} reopened.`,
    back > 0 && `${numberWord(back)} ${one(back, 'strike was', 'strikes were')} taken back.`,
    endedEarly === 0 && 'The society ended no test early.',
    endedEarly > 0 &&
      `The society ended ${countOf(endedEarly, 'test')} before ${one(endedEarly, 'its', 'their')} time.`,
  )
}
