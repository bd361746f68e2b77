import { Answer, type Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { serveMembers } from '../../access/server/serve-members.ts'
import * as contract from '../contract.ts'
import { copyAssessment, createEmpty, createFromFile } from './create.ts'
import { deleteTest, listDeleted, restoreTest } from './mark-deleted.ts'
import { changeSettings, readSettings } from './settings.ts'

const DONE = { done: true } as const

/** From the draft to the deletion of an assessment, and its settings (product 7.8). */
export function serveSetup(api: Api, dependencies: AppDependencies): void {
  const serve = serveMembers(api, dependencies)

  serve(
    contract.createAssessment,
    async ({ organiser, body }) => new Answer(201, await createEmpty(organiser, body)),
  )
  serve(
    contract.createAssessmentFromFile,
    async ({ organiser, body }) => new Answer(201, await createFromFile(organiser, body)),
  )
  serve(
    contract.copyAssessment,
    async ({ organiser, body }) => new Answer(201, await copyAssessment(organiser, body)),
  )

  serve(contract.getSettings, ({ organiser }) => readSettings(organiser))
  serve(contract.changeSettings, async ({ organiser, body }) => {
    await changeSettings(organiser, body, 'nobody_started')
    return readSettings(organiser)
  })
  serve(contract.changeSettingsAfterStart, async ({ organiser, body }) => {
    await changeSettings(organiser, body)
    return readSettings(organiser)
  })

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
