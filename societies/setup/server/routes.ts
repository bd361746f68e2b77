import { Answer, type Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { serveMembers } from '../../access/server/serve-members.ts'
import { createFileTurns } from '../../questions/server/exchange/read-apart.ts'
import * as contract from '../contract.ts'
import { copyAssessment, createEmpty, createFromFile } from './create.ts'
import { deleteTest, listDeleted, restoreTest } from './mark-deleted.ts'
import { changeSettings, readSettings } from './settings.ts'

/** Serves an assessment's life cycle from draft to deletion, and its settings (product 7.8). */
export function serveSetup(api: Api, dependencies: AppDependencies): void {
  const serve = serveMembers(api, dependencies)
  const inTurn = createFileTurns(dependencies)

  serve(
    contract.createAssessment,
    async ({ organizer, body }) => new Answer(201, await createEmpty(organizer, body)),
  )
  serve(
    contract.createAssessmentFromFile,
    async ({ organizer, body }) =>
      new Answer(201, await inTurn(organizer.userId, () => createFromFile(organizer, body))),
  )
  serve(
    contract.copyAssessment,
    async ({ organizer, body }) => new Answer(201, await copyAssessment(organizer, body)),
  )

  serve(contract.getSettings, ({ organizer }) => readSettings(organizer))
  serve(contract.changeSettings, ({ organizer, body }) =>
    changeSettings(organizer, body, 'nobody_started'),
  )
  serve(contract.changeSettingsAfterStart, ({ organizer, body }) => changeSettings(organizer, body))

  serve(contract.deleteAssessment, ({ organizer }) => deleteTest(organizer))
  serve(contract.listDeletedAssessments, ({ organizer }) => listDeleted(organizer))
  serve(contract.restoreAssessment, ({ organizer, body }) => restoreTest(organizer, body.code))
}
