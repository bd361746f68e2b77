import { countOf, listOf, numberWord } from '../../../../platform/words.ts'
import { zoneTime } from '../../../kit/zone-time.ts'
import type { FairnessContent } from '../../contract-fairness.ts'

/** One of the six rows of a fairness report (product 7.21.4): a figure and a few sentences. */
export interface ReportRow {
  title: string
  figure: string
  unit: string
  text: string
}

const LONG_DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** '25 November 2027' of '2027-11-25' */
export const dayOf = (day: string): string => LONG_DAY.format(new Date(`${day}T00:00:00Z`))

/** '2 December 2026' */
const dayIn = (iso: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).format(new Date(iso))

/** 'Published on 2 December 2026. Changed on 4 December 2026.' */
export function datesOf(
  { publishedAt, changedAt }: { publishedAt: string; changedAt: string | null },
  timeZone: string,
): string {
  const changed = changedAt ? ` Changed on ${dayIn(changedAt, timeZone)}.` : ''
  return `Published on ${dayIn(publishedAt, timeZone)}.${changed}`
}

/** The rows in their order; those that an older report has no figures for are left out. */
export function reportRows(content: FairnessContent, timeZone: string): ReportRow[] {
  const { cutScore, accuracy } = content
  return [
    whoRow(content),
    ...(cutScore === undefined ? [] : [cutScoreRow(cutScore, content.questions, timeZone)]),
    ...(accuracy === undefined ? [] : [accuracyRow(accuracy)]),
    keysRow(content),
    incidentsRow(content),
    timeRow(content),
  ]
}

type Said = string | false
const row = (title: string, figure: number | string, unit: string, ...said: Said[]): ReportRow => ({
  title,
  figure: `${figure}`,
  unit,
  text: said.filter(Boolean).join(' '),
})
const one = (count: number, word: string, words = `${word}s`) => (count === 1 ? word : words)
/** 'Six candidates', 'One candidate' */
const candidates = (count: number) => `${numberWord(count)} ${one(count, 'candidate')}`

function whoRow({ took, invited, firstDay, lastDay }: FairnessContent): ReportRow {
  return row(
    'Who took it',
    took,
    invited === undefined ? one(took, 'candidate') : `of ${invited} invited`,
    firstDay !== null &&
      lastDay !== null &&
      (firstDay === lastDay
        ? `All took it on ${dayOf(firstDay)}.`
        : `They took it between ${dayOf(firstDay)} and ${dayOf(lastDay)}, with the same questions.`),
  )
}

function cutScoreRow(
  cutScore: NonNullable<FairnessContent['cutScore']> | null,
  questions: number,
  timeZone: string,
): ReportRow {
  if (!cutScore) return row('Cut score', '–', '', 'The society set no cut score.')
  const { points, lockedAt, isBeforeNames, atOrAbove } = cutScore
  return row(
    'Cut score',
    points,
    `of ${questions} points`,
    lockedAt
      ? `Locked on ${dayIn(lockedAt, timeZone)} at ${zoneTime(lockedAt, timeZone)}, ${isBeforeNames ? 'before' : 'after'} names were shown.`
      : 'It isn’t locked.',
    atOrAbove !== null &&
      `${candidates(atOrAbove)} ${one(atOrAbove, 'was', 'were')} at or above it.`,
  )
}

function accuracyRow(accuracy: NonNullable<FairnessContent['accuracy']> | null): ReportRow {
  if (!accuracy) {
    const why = 'With fewer than 15 candidates, or the same score for all, nothing can be said.'
    return row('Accuracy', '–', '', why)
  }
  const { margin, near } = accuracy
  const within = `within ${countOf(margin, 'point')}`
  return row(
    'Accuracy',
    `±${margin}`,
    one(margin, 'point'),
    near === null
      ? `On another day, most scores would have been ${within}.`
      : `${candidates(near)} ${one(near, 'was', 'were')} ${within} of the cut score.`,
    near !== null && near > 0 && 'On another day they could have been on the other side of it.',
  )
}

const RULED: Record<FairnessContent['rulings'][number]['kind'], string> = {
  replace: 'had a wrong key, which was replaced',
  accept: 'had another right answer, which was accepted too',
  void: 'was flawed and was left out for everyone',
  full_marks: 'was flawed and was counted as right for everyone',
}

function keysRow({ rulings, questions }: FairnessContent): ReportRow {
  const said = rulings.map(({ question, kind, reason, changed, isBeforeNames }) => {
    const when = isBeforeNames ? 'before names were shown' : 'after names were shown'
    const scores = changed === null ? '' : `, and ${countOf(changed, 'score')} changed`
    const why =
      reason === null
        ? 'The reason names someone and is left out.'
        : `The reason: “${reason.replace(/[.\s]+$/, '')}”.`
    return `Question ${question} ${RULED[kind]} ${when}${scores}. ${why}`
  })
  return row(
    'Answer keys',
    new Set(rulings.map(({ question }) => question)).size,
    `of ${questions} corrected`,
    said.length === 0 && 'No question was corrected.',
    ...said,
  )
}

function incidentsRow({ incidents }: FairnessContent): ReportRow {
  const { counts, doesNotCount, asked, undecided } = incidents
  const all = counts + doesNotCount + asked + undecided
  const said = listOf(
    [
      doesNotCount > 0 && `${doesNotCount} ${one(doesNotCount, 'doesn’t', 'don’t')} count`,
      counts > 0 && `${counts} ${one(counts, 'counts', 'count')}`,
      asked > 0 && `the society asked about ${asked}`,
      undecided > 0 && `${undecided} ${one(undecided, 'is', 'are')} not decided`,
    ].filter((part) => part !== false),
  )
  return row(
    'Incidents',
    all,
    asked + undecided === 0 ? 'all decided' : one(all, 'incident'),
    all === 0 ? 'None was recorded.' : `${said.charAt(0).toUpperCase()}${said.slice(1)}.`,
    'An incident is no proof. A person decides on each, with a reason, and no score changes.',
  )
}

function timeRow({ time }: FairnessContent): ReportRow {
  const { planned, given, reopened, strikesTakenBack: back, endedEarly } = time
  return row(
    'Time',
    planned,
    'with extra time',
    planned === 0 ? 'No extra time was agreed.' : 'Extra time was agreed before the test.',
    given > 0 && `${candidates(given)} got more time on the day.`,
    reopened > 0 && `${numberWord(reopened)} ${one(reopened, 'test was', 'tests were')} reopened.`,
    back > 0 && `${numberWord(back)} ${one(back, 'strike was', 'strikes were')} taken back.`,
    endedEarly === 0 && 'The society ended no test early.',
    endedEarly !== undefined &&
      endedEarly > 0 &&
      `The society ended ${countOf(endedEarly, 'test')} before ${one(endedEarly, 'its', 'their')} time.`,
  )
}
