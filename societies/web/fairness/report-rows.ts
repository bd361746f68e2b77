import { countOf, listOf, numberWord } from '../../../platform/words.ts'
import type { FairnessContent } from '../../contract/fairness.ts'
import { zoneTime } from '../../zone-time.ts'

/** One of the six rows of a fairness report (product 7.21.4): a figure and a few sentences. */
export interface ReportRow {
  title: string
  figure: string
  unit: string
  sentences: string[]
}

const LONG_DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** '25 November 2027' of '2027-11-25' */
export const dayOf = (day: string): string => LONG_DAY.format(new Date(`${day}T00:00:00Z`))

/** '2 December 2026', where it is now */
export const dayIn = (iso: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).format(new Date(iso))

/** The rows in their order; those that an older report has no figures for are left out. */
export function reportRows(content: FairnessContent, timeZone: string): ReportRow[] {
  return [
    whoRow(content),
    ...(content.cutScore === undefined ? [] : [cutScoreRow(content, content.cutScore, timeZone)]),
    ...(content.accuracy === undefined ? [] : [accuracyRow(content.accuracy)]),
    keysRow(content),
    incidentsRow(content),
    timeRow(content),
  ]
}

/** 'Six candidates', 'One candidate' */
const candidates = (count: number) =>
  `${numberWord(count)} ${count === 1 ? 'candidate' : 'candidates'}`

function whoRow({ took, invited, firstDay, lastDay }: FairnessContent): ReportRow {
  const when =
    firstDay === null || lastDay === null
      ? []
      : firstDay === lastDay
        ? [`All took it on ${dayOf(firstDay)}.`]
        : [
            `They took it between ${dayOf(firstDay)} and ${dayOf(lastDay)}, with the same questions.`,
          ]
  return {
    title: 'Who took it',
    figure: `${took}`,
    unit:
      invited === undefined ? (took === 1 ? 'candidate' : 'candidates') : `of ${invited} invited`,
    sentences: when,
  }
}

function cutScoreRow(
  { questions }: FairnessContent,
  cutScore: NonNullable<FairnessContent['cutScore']> | null,
  timeZone: string,
): ReportRow {
  const title = 'Cut score'
  if (!cutScore) {
    return { title, figure: '–', unit: '', sentences: ['The society set no cut score.'] }
  }
  const { points, lockedAt, isBeforeNames, atOrAbove } = cutScore
  const when = lockedAt && `${dayIn(lockedAt, timeZone)} at ${zoneTime(lockedAt, timeZone)}`
  return {
    title,
    figure: `${points}`,
    unit: `of ${questions} points`,
    sentences: [
      when
        ? `Locked on ${when}, ${isBeforeNames ? 'before' : 'after'} names were shown.`
        : 'It isn’t locked.',
      ...(atOrAbove === null
        ? []
        : [`${candidates(atOrAbove)} ${atOrAbove === 1 ? 'was' : 'were'} at or above it.`]),
    ],
  }
}

function accuracyRow(accuracy: (FairnessContent['accuracy'] & object) | null): ReportRow {
  const title = 'Accuracy'
  if (!accuracy) {
    const why = 'With fewer than 15 candidates, or the same score for all, nothing can be said.'
    return { title, figure: '–', unit: '', sentences: [why] }
  }
  const { margin, near } = accuracy
  const points = margin === 1 ? 'point' : 'points'
  return {
    title,
    figure: `±${margin}`,
    unit: points,
    sentences:
      near === null
        ? [`On another day, most scores would have been within ${countOf(margin, 'point')}.`]
        : [
            `${candidates(near)} ${near === 1 ? 'was' : 'were'} within ${countOf(margin, 'point')} of the cut score.`,
            ...(near > 0 ? ['On another day they could have been on the other side of it.'] : []),
          ],
  }
}

const RULED: Record<FairnessContent['rulings'][number]['kind'], string> = {
  replace: 'had a wrong key, which was replaced',
  accept: 'had another right answer, which was accepted too',
  void: 'was flawed and was left out for everyone',
  full_marks: 'was flawed and was counted as right for everyone',
}

function keysRow({ rulings, questions }: FairnessContent): ReportRow {
  const ruledOn = new Set(rulings.map(({ question }) => question)).size
  return {
    title: 'Answer keys',
    figure: `${ruledOn}`,
    unit: `of ${questions} corrected`,
    sentences:
      ruledOn === 0
        ? ['No question was corrected.']
        : rulings.map(({ question, kind, reason, changed, isBeforeNames }) => {
            const when = isBeforeNames ? 'before names were shown' : 'after names were shown'
            const scores = changed === null ? '' : `, and ${countOf(changed, 'score')} changed`
            const why =
              reason === null
                ? 'The reason names someone and is left out.'
                : `The reason: “${reason.replace(/[.\s]+$/, '')}”.`
            return `Question ${question} ${RULED[kind]} ${when}${scores}. ${why}`
          }),
  }
}

function incidentsRow({ incidents }: FairnessContent): ReportRow {
  const { counts, doesNotCount, asked, undecided } = incidents
  const all = counts + doesNotCount + asked + undecided
  const parts = [
    doesNotCount > 0 ? `${doesNotCount} ${doesNotCount === 1 ? 'doesn’t' : 'don’t'} count` : '',
    counts > 0 ? `${counts} ${counts === 1 ? 'counts' : 'count'}` : '',
    asked > 0 ? `the society asked about ${asked}` : '',
    undecided > 0 ? `${undecided} ${undecided === 1 ? 'is' : 'are'} not decided` : '',
  ].filter(Boolean)
  const said = listOf(parts)
  return {
    title: 'Incidents',
    figure: `${all}`,
    unit: asked + undecided === 0 ? 'all decided' : all === 1 ? 'incident' : 'incidents',
    sentences: [
      ...(all === 0
        ? ['None was recorded.']
        : [`${said.charAt(0).toUpperCase()}${said.slice(1)}.`]),
      'An incident is no proof. A person decides on each, with a reason, and no score changes.',
    ],
  }
}

function timeRow({ time }: FairnessContent): ReportRow {
  const { planned, given, reopened, strikesTakenBack, endedEarly } = time
  return {
    title: 'Time',
    figure: `${planned}`,
    unit: 'with extra time',
    sentences: [
      planned === 0 ? 'No extra time was agreed.' : 'Extra time was agreed before the test.',
      ...(given > 0 ? [`${candidates(given)} got more time on the day.`] : []),
      ...(reopened > 0
        ? [`${numberWord(reopened)} ${reopened === 1 ? 'test was' : 'tests were'} reopened.`]
        : []),
      ...(strikesTakenBack > 0
        ? [
            `${numberWord(strikesTakenBack)} ${strikesTakenBack === 1 ? 'strike was' : 'strikes were'} taken back.`,
          ]
        : []),
      ...(endedEarly === undefined
        ? []
        : [
            endedEarly === 0
              ? 'The society ended no test early.'
              : `The society ended ${countOf(endedEarly, 'test')} before ${endedEarly === 1 ? 'its' : 'their'} time.`,
          ]),
    ],
  }
}
