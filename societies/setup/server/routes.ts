import { Answer, type Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { serveMembers } from '../../access/server/serve-members.ts'
import { createFileTurns } from '../../questions/server/exchange/read-apart.ts'
import * as contract from '../contract.ts'
import { copyAssessment, createEmpty, createFromFile } from './create.ts'
import { deleteTest, listDeleted, restoreTest } from './mark-deleted.ts'
import { changeSettings, readSettings } from './settings.ts'

/** From the draft to the deletion of an assessment, and its settings (product 7.8). */
export function serveSetup(api: Api, dependencies: AppDependencies): void {
  const serve = serveMembers(api, dependencies)
  const inTurn = createFileTurns(dependencies)

  serve(
    contract.createAssessment,
    async ({ organiser, body }) => new Answer(201, await createEmpty(organiser, body)),
  )
  serve(
    contract.createAssessmentFromFile,
    async ({ organiser, body }) =>
      new Answer(201, await inTurn(organiser.userId, () => createFromFile(organiser, body))),
  )
  serve(
    contract.copyAssessment,
    async ({ organiser, body }) => new Answer(201, await copyAssessment(organiser, body)),
  )

  serve(contract.getSettings, ({ organiser }) => readSettings(organiser))
  serve(contract.changeSettings, ({ organiser, body }) =>
    changeSettings(organiser, body, 'nobody_started'),
  )
  serve(contract.changeSettingsAfterStart, ({ organiser, body }) => changeSettings(organiser, body))

  serve(contract.deleteAssessment, ({ organiser }) => deleteTest(organiser))
  serve(contract.listDeletedAssessments, ({ organiser }) => listDeleted(organiser))
  serve(contract.restoreAssessment, ({ organiser, body }) => restoreTest(organiser, body.code))
}
