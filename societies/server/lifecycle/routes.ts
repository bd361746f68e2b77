import { Answer, type Api, ApiError } from '../../../platform/server/api.ts'
import type { CurrentUser } from '../../../platform/server/current-user.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { CHECKLIST_ROWS, SELF_KEEPING_ROWS } from '../../checklist.ts'
import * as contract from '../../contract/lifecycle.ts'
import { memberOf } from '../action.ts'
import { missingOf } from '../checklist/checklist.ts'
import { helpingWords } from '../checklist/helping.ts'
import { type Surveyed, surveyAssessments } from '../checklist/list.ts'
import { listHeadline, nextOf, overviewWords } from '../checklist/next.ts'
import { readPeopleAndChanges } from '../checklist/overview.ts'
import { waitingCounts } from '../checklist/waiting.ts'
import type { Kept } from '../seasons/retention.ts'
import { copyAssessment, createEmpty, createFromFile, mayCreate } from './create.ts'
import { deleteTest, listDeleted, restoreTest } from './deletion.ts'
import { publishAssessment, readPublication, takeBackAssessment } from './publish.ts'
import { answered } from './refused.ts'
import {
  changeSettings,
  type ReadSettings,
  readSettings,
  requireNobodyStarted,
} from './settings.ts'

const DONE = { done: true } as const
const isoOf = (at: Date | null) => at?.toISOString() ?? null

/** From the draft to the deletion of an assessment, its settings, its checklist (product 7.8). */
export function serveLifecycle(api: Api, dependencies: AppDependencies): void {
  const { db, now } = dependencies
  const organiserOf = memberOf(dependencies)
  const countWaiting = waitingCounts()

  const requireMayCreate = async (societyId: string, userId: string) => {
    if (await mayCreate({ db, now: now() }, societyId, userId)) return
    throw new ApiError(
      403,
      'role_is_scoped',
      'Your role is for one test, so it would not reach a new one. Please ask an owner to make it.',
    )
  }

  api.serve(contract.listChecklists, async ({ user, organiser }) => {
    const { societyId } = organiser
    const at = now()
    const all = await surveyAssessments(
      { db, now: at },
      { societyId, userId: user.id },
      countWaiting,
    )
    return {
      headline: listHeadline(
        all.map(({ told }) => told),
        at,
      ),
      mayCreate: await mayCreate({ db, now: at }, societyId, user.id),
      assessments: all.map(shownInList),
    }
  })

  api.serve(contract.getOverview, async ({ user, organiser, params }) => {
    const of = { societyId: organiser.societyId, userId: user.id, code: params.code }
    const at = now()
    const [found] = await surveyAssessments({ db, now: at }, of, countWaiting)
    if (!found) throw new ApiError(404, 'not_found', 'There is no such assessment any more.')
    const { assessment, checklist, told, waiting } = found
    const { duty, changes, helping, contact } = await readPeopleAndChanges({ db, now: at }, of)
    return {
      version: assessment.version,
      isDraft: assessment.isDraft,
      isSample: assessment.isSample,
      ...(helping
        ? helpingWords(helping, { ...told, ...timesOf(assessment, checklist) }, at)
        : overviewWords(told, at)),
      helping,
      contact,
      waiting,
      next: checklist && !helping ? (missingOf(checklist)[0]?.link ?? null) : null,
      // What others have to do is none of an invigilator's business.
      rows:
        checklist && !helping
          ? [...CHECKLIST_ROWS, ...SELF_KEEPING_ROWS].map((row) => {
              const { state, word, finding, rest, link } = checklist[row]
              return { row, state, word, finding, rest, link }
            })
          : [],
      day: {
        ...timesOf(assessment, checklist),
        candidateCount: told.candidateCount,
        extraCount: checklist?.facts.extraCount ?? 0,
      },
      startedCount: assessment.runningCount + assessment.submittedCount,
      duty,
      changes: changes.map(({ at: when, ...change }) => ({ at: when.toISOString(), ...change })),
    }
  })

  api.serve(contract.createAssessment, async ({ user, organiser, body }) => {
    await requireMayCreate(organiser.societyId, user.id)
    const code = await answered(createEmpty(organiserOf(user), organiser.societyId, body))
    return new Answer(201, { code, wanted: body.code })
  })

  api.serve(contract.createAssessmentFromFile, async ({ user, organiser, body }) => {
    await requireMayCreate(organiser.societyId, user.id)
    const made = await answered(createFromFile(organiserOf(user), organiser.societyId, body))
    return new Answer(201, made)
  })

  api.serve(contract.copyAssessment, async ({ user, organiser, params, body }) => {
    const { societyId } = organiser
    await requireMayCreate(societyId, user.id)
    const from = { code: params.code, societyId }
    const code = await answered(copyAssessment(organiserOf(user), from, body))
    return new Answer(201, { code, wanted: body.code })
  })

  api.serve(contract.getPublication, async ({ user, organiser, params }) => {
    const place = { code: params.code, societyId: organiser.societyId }
    const { opensAt, closesAt, ...facts } = await answered(
      readPublication(organiserOf(user), place),
    )
    return { ...facts, opensAt: isoOf(opensAt), closesAt: isoOf(closesAt) }
  })

  api.serve(contract.publishAssessment, async ({ user, organiser, params, body }) => {
    const place = { code: params.code, societyId: organiser.societyId }
    await answered(publishAssessment(organiserOf(user), place, body.version))
    return DONE
  })

  api.serve(contract.takeBackAssessment, async ({ user, organiser, params, body }) => {
    const place = { code: params.code, societyId: organiser.societyId }
    await answered(takeBackAssessment(organiserOf(user), place, body.version))
    return DONE
  })

  api.serve(contract.getSettings, async ({ user, organiser, params }) => {
    const place = { code: params.code, societyId: organiser.societyId }
    return shownSettings(await answered(readSettings(organiserOf(user), place)))
  })

  const change: (
    user: CurrentUser,
    place: { code: string; societyId: string },
    body: Parameters<typeof changeSettings>[2],
  ) => Promise<ReturnType<typeof shownSettings>> = async (user, place, body) => {
    const organiser = organiserOf(user)
    await answered(changeSettings(organiser, place, body))
    return shownSettings(await answered(readSettings(organiser, place)))
  }

  api.serve(contract.changeSettings, async ({ user, organiser, params, body }) => {
    const place = { code: params.code, societyId: organiser.societyId }
    await answered(requireNobodyStarted(organiserOf(user), place))
    return change(user, place, body)
  })

  api.serve(contract.changeSettingsAfterStart, ({ user, organiser, params, body }) =>
    change(user, { code: params.code, societyId: organiser.societyId }, body),
  )

  api.serve(contract.deleteAssessment, async ({ user, organiser, params }) => {
    const place = { code: params.code, societyId: organiser.societyId }
    await answered(deleteTest(organiserOf(user), place))
    return DONE
  })

  api.serve(contract.listDeletedAssessments, async ({ organiser }) => {
    const found = await listDeleted({ db }, organiser.societyId)
    return found.map(({ deletedAt, until, ...one }) => ({
      ...one,
      deletedAt: deletedAt.toISOString(),
      until: until.toISOString(),
    }))
  })

  api.serve(contract.restoreAssessment, async ({ user, organiser, body }) => {
    await restoreTest(organiserOf(user), { code: body.code, societyId: organiser.societyId })
    return DONE
  })
}

/** How long candidates have. */
const timesOf = (
  { durationSeconds }: Surveyed['assessment'],
  checklist: Surveyed['checklist'],
) => ({
  durationSeconds,
  extraSeconds: checklist?.facts.mostExtraSeconds ?? 0,
})

function shownInList(surveyed: Surveyed) {
  const { assessment, checklist, told, waiting, kept, fairnessReport } = surveyed
  const { code, society, session, season, version, isDraft, isSample } = assessment
  const { durationSeconds, timeZone } = assessment
  return {
    ...{ code, society, session, season, version, isDraft, isSample, durationSeconds, timeZone },
    opensAt: isoOf(assessment.opensAt),
    closesAt: isoOf(assessment.closesAt),
    questionCount: assessment.itemCount,
    candidateCount: told.candidateCount,
    runningCount: told.runningCount,
    submittedCount: told.submittedCount,
    candidateNote: candidateNote(checklist, told),
    checklist: checklist && CHECKLIST_ROWS.map((row) => checklist[row].state),
    next: nextOf(told),
    waiting,
    kept: kept && shownKept(kept),
    fairnessReport,
  }
}

/** What stands under the number of candidates. */
function candidateNote(checklist: Surveyed['checklist'], told: Surveyed['told']): string {
  if (told.runningCount > 0) return `${told.runningCount} inside`
  if (!checklist || told.submittedCount > 0) return `${told.submittedCount} sat`
  const { count, withPassword } = checklist.facts
  if (count === 0) return ''
  if (withPassword === 0) return 'nobody has a password'
  return withPassword === count ? 'all have a password' : `${withPassword} have a password`
}

const shownKept = ({ until, hasOwnDay, warnedAt }: Kept) => ({
  ...{ until: isoOf(until), hasOwnDay, warnedAt: isoOf(warnedAt) },
})

function shownSettings({ changed, opensAt, closesAt, kept, ...rest }: ReadSettings) {
  return {
    ...rest,
    kept: kept && shownKept(kept),
    opensAt: isoOf(opensAt),
    closesAt: isoOf(closesAt),
    changed: changed && { by: changed.by, at: changed.at.toISOString() },
  }
}
