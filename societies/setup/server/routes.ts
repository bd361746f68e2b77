import { Answer, type Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { type Member, type MemberInTest, serveMembers } from '../../access/server/serve-members.ts'
import { refuse } from '../../kit/server/refuse.ts'
import * as contract from '../contract.ts'
import { copyAssessment, createEmpty, createFromFile, mayCreate } from './create.ts'
import { deleteTest, listDeleted, restoreTest } from './deletion.ts'
import { changeSettings, readSettings, requireNobodyStarted } from './settings.ts'

const DONE = { done: true } as const

/** From the draft to the deletion of an assessment, and its settings (product 7.8). */
export function serveSetup(api: Api, dependencies: AppDependencies): void {
  const serve = serveMembers(api, dependencies)

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
