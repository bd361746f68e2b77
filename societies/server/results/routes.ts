import { readReleasedResult } from '../../../assessments/contract.ts'
import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import * as contract from '../../contract/results.ts'
import { serveMembers } from '../serve-members.ts'
import { fileResponse } from './files/file-response.ts'
import { writeResultFile } from './files/result-files.ts'
import { fixLine, setLine } from './line.ts'
import { listNames, showName, showNames } from './names.ts'
import { readResults } from './read-results.ts'
import { readReleased, releaseResults, withdrawRelease } from './release.ts'

/** Results, the cut score, names and release (product 7.17). */
export function serveResults(api: Api, dependencies: AppDependencies): void {
  const serve = serveMembers(api, dependencies)

  // The candidate's call is served here because assessments/ knows no cut scores and releases.
  api.serve(readReleasedResult, async ({ user, params }) => ({
    result: await readReleased(dependencies.db, user.id, params.reference),
  }))

  serve(contract.getResults, ({ organiser }) => readResults(organiser))
  serve(contract.setResultLine, ({ organiser, body }) => setLine(organiser, body))
  serve(contract.fixResultLine, ({ organiser, body }) => fixLine(organiser, body.version))
  serve(contract.showName, ({ organiser, params }) => showName(organiser, params.candidate))
  serve(contract.showNames, ({ organiser }) => showNames(organiser))
  serve(contract.listNames, ({ organiser }) => listNames(organiser))
  serve(contract.exportResultFile, async ({ organiser, body, context }) => {
    const file = await writeResultFile(organiser, body.file, context.req.raw.signal)
    return fileResponse(file.name, file.mediaType, file.content)
  })
  serve(contract.releaseResults, ({ organiser, body }) => releaseResults(organiser, body))
  serve(contract.withdrawRelease, ({ organiser, body }) => withdrawRelease(organiser, body.reason))
}
