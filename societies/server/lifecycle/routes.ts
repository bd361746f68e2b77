import { Answer, type Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { CHECKLIST_ROWS, SELF_KEEPING_ROWS } from '../../checklist.ts'
import * as contract from '../../contract/lifecycle.ts'
import { missingOf } from '../checklist/checklist.ts'
import { helpingWords } from '../checklist/helping.ts'
import { type Surveyed, surveyAssessments } from '../checklist/list.ts'
import { listHeadline, nextOf, overviewWords } from '../checklist/next.ts'
import { readPeopleAndChanges } from '../checklist/overview.ts'
import { waitingCounts } from '../checklist/waiting.ts'
import { refuse } from '../refuse.ts'
import { type Member, type MemberInTest, serveMembers } from '../serve-members.ts'
import { copyAssessment, createEmpty, createFromFile, mayCreate } from './create.ts'
import { deleteTest, listDeleted, restoreTest } from './deletion.ts'
import { publishAssessment, readPublication, takeBackAssessment } from './publish.ts'
import { changeSettings, readSettings, requireNobodyStarted } from './settings.ts'

const DONE = { done: true } as const

/** From the draft to the deletion of an assessment, its settings, its checklist (product 7.8). */
export function serveLifecycle(api: Api, dependencies: AppDependencies): void {
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

  serve(contract.createAssessment, async ({ organiser, body }) => {
    await requireMayCreate(organiser)
    return new Answer(201, await createEmpty(organiser, body))
  })

  serve(contract.createAssessmentFromFile, async ({ organiser, body }) => {
    await requireMayCreate(organiser)
    return new Answer(201, await createFromFile(organiser, body))
  })

  serve(contract.copyAssessment, async ({ organiser, body }) => {
    await requireMayCreate(organiser)
    return new Answer(201, await copyAssessment(organiser, body))
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

  serve(contract.getSettings, ({ organiser }) => readSettings(organiser))

  serve(contract.changeSettings, async ({ organiser, body }) => {
    await requireNobodyStarted(organiser)
    return changeAndRead(organiser, body)
  })

  serve(contract.changeSettingsAfterStart, ({ organiser, body }) => changeAndRead(organiser, body))

  serve(contract.deleteAssessment, async ({ organiser }) => {
    await deleteTest(organiser)
    return DONE
  })

  serve(contract.listDeletedAssessments, ({ organiser }) => listDeleted(organiser))

  serve(contract.restoreAssessment, async ({ organiser, body }) => {
    await restoreTest(organiser, body.code)
    return DONE
  })
}

async function requireMayCreate(organiser: Member): Promise<void> {
  if (await mayCreate(organiser)) return
  const sentence =
    'Your role is for one test, so it would not reach a new one. Ask an owner to create it.'
  throw refuse(403, 'role_is_scoped', sentence)
}

async function changeAndRead(
  organiser: MemberInTest,
  change: Parameters<typeof changeSettings>[1],
) {
  await changeSettings(organiser, change)
  return readSettings(organiser)
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
