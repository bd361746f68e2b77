import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { serveMembers } from '../../access/server/serve-members.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { CHECKLIST_ROWS, SELF_KEEPING_ROWS } from '../../setup/checklist.ts'
import * as contract from '../../setup/contract-overview.ts'
import { mayCreate } from '../../setup/server/create.ts'
import { missingOf } from './checklist.ts'
import { helpingWords } from './helping.ts'
import { type Surveyed, surveyAssessments } from './list.ts'
import { listHeadline, nextOf, overviewWords } from './next.ts'
import { readPeopleAndChanges } from './overview.ts'
import { publishAssessment, readPublication, takeBackAssessment } from './publish.ts'
import { waitingCounts } from './waiting.ts'

const DONE = { done: true } as const

/** The list of tests, the overview of one with its checklist, and publishing (product 7.8). */
export function serveOverview(api: Api, dependencies: AppDependencies): void {
  const serve = serveMembers(api, dependencies)
  const countWaiting = waitingCounts()

  serve(contract.listChecklists, async ({ organiser }) => {
    const all = await surveyAssessments(organiser, organiser, countWaiting)
    return {
      headline: listHeadline(
        all.map(({ told }) => told),
        organiser.now,
      ),
      mayCreate: await mayCreate(organiser),
      assessments: all.map(shownInList),
    }
  })

  serve(contract.getOverview, async ({ organiser }) => {
    const [found] = await surveyAssessments(organiser, organiser, countWaiting)
    if (!found) throw refuse(404, 'not_found', `There is no test ${organiser.code}.`)
    const { assessment, checklist, told, waiting } = found
    const { duty, changes, helping, contact } = await readPeopleAndChanges(organiser, organiser)
    const times = {
      durationSeconds: assessment.durationSeconds,
      extraSeconds: checklist?.facts.mostExtraSeconds ?? 0,
    }
    // An invigilator has nothing to do about what is missing.
    const own = helping ? null : checklist
    return {
      version: assessment.version,
      isDraft: assessment.isDraft,
      isSample: assessment.isSample,
      ...(helping
        ? helpingWords(helping, { ...told, ...times }, organiser.now)
        : overviewWords(told, organiser.now)),
      helping,
      contact,
      waiting,
      next: own && (missingOf(own)[0]?.link ?? null),
      rows: own
        ? [...CHECKLIST_ROWS, ...SELF_KEEPING_ROWS].map((row) => {
            const { state, word, finding, rest, link } = own[row]
            return { row, state, word, finding, rest, link }
          })
        : [],
      day: {
        ...times,
        candidateCount: told.candidateCount,
        extraCount: checklist?.facts.extraCount ?? 0,
      },
      startedCount: assessment.runningCount + assessment.submittedCount,
      duty,
      changes,
    }
  })

  serve(contract.getPublication, ({ organiser }) => readPublication(organiser))

  serve(contract.publishAssessment, async ({ organiser, body }) => {
    await publishAssessment(organiser, body.version)
    return DONE
  })

  serve(contract.takeBackAssessment, async ({ organiser, body }) => {
    await takeBackAssessment(organiser, body.version)
    return DONE
  })
}

function shownInList(surveyed: Surveyed) {
  const { assessment, checklist, told, waiting, kept, fairnessReport } = surveyed
  return {
    code: assessment.code,
    society: assessment.society,
    session: assessment.session,
    season: assessment.season,
    version: assessment.version,
    isDraft: assessment.isDraft,
    isSample: assessment.isSample,
    durationSeconds: assessment.durationSeconds,
    opensAt: assessment.opensAt,
    closesAt: assessment.closesAt,
    timeZone: assessment.timeZone,
    questionCount: assessment.itemCount,
    candidateCount: told.candidateCount,
    runningCount: told.runningCount,
    submittedCount: told.submittedCount,
    candidateNote: candidateNote(checklist, told),
    checklist: checklist && CHECKLIST_ROWS.map((row) => checklist[row].state),
    next: nextOf(told),
    waiting,
    kept,
    fairnessReport,
  }
}

/** What the list shows under the number of candidates. */
function candidateNote(checklist: Surveyed['checklist'], told: Surveyed['told']): string {
  if (told.runningCount > 0) return `${told.runningCount} inside`
  if (!checklist || told.submittedCount > 0) return `${told.submittedCount} sat`
  const { count, withPassword } = checklist.facts
  if (count === 0) return ''
  if (withPassword === 0) return 'nobody has a password'
  return withPassword === count ? 'all have a password' : `${withPassword} have a password`
}
