import { readReleasedResult } from '../../../assessments/contract.ts'
import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import * as contract from '../../contract/results.ts'
import { memberOf } from '../action.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { fileResponse } from './files/file-response.ts'
import { writeResultFile } from './files/result-files.ts'
import { fixLine, setLine } from './line.ts'
import { listNames, showName, showNames } from './names.ts'
import { readResults } from './read-results.ts'
import { answered } from './refused.ts'
import { releaseResults, withdrawRelease } from './release.ts'
import { readReleased } from './released.ts'

/** Results, the line, names and release (product 7.17). */
export function serveResults(api: Api, dependencies: AppDependencies): void {
  const organiserOf = memberOf(dependencies)

  // The candidate's side: a room below, which knows no lines.
  api.serve(readReleasedResult, async ({ user, params }) => ({
    result: await readReleased(dependencies.db, { userId: user.id, reference: params.reference }),
  }))

  api.serve(contract.getResults, ({ user, params }) =>
    answered(readResults(organiserOf(user), params.code)),
  )

  api.serve(contract.setResultLine, ({ user, params, body: { reason, ...given } }) =>
    answered(
      setLine(organiserOf(user), params.code, {
        ...given,
        ...(reason === undefined ? {} : { reason }),
      }),
    ),
  )

  api.serve(contract.fixResultLine, ({ user, params, body }) =>
    answered(fixLine(organiserOf(user), params.code, body.version)),
  )

  api.serve(contract.showName, ({ user, params }) =>
    answered(showName(organiserOf(user), params.code, params.candidate)),
  )

  api.serve(contract.showNames, ({ user, params }) =>
    answered(showNames(organiserOf(user), params.code)),
  )

  api.serve(contract.listNames, ({ user, params }) =>
    answered(listNames(organiserOf(user), params.code)),
  )

  api.serve(contract.exportResultFile, async ({ user, organiser, params, body, context }) => {
    const { file } = body
    const isWhole = organiser.extent === 'all'
    const written = await answered(
      isWhole || file === 'csv_without_names'
        ? writeResultFile(organiserOf(user), params.code, file, context.req.raw.signal)
        : Promise.reject(new OrganiserRefusal('without_names_only', {})),
    )
    return fileResponse(written.name, written.mediaType, written.content)
  })

  api.serve(contract.releaseResults, ({ user, params, body: { reason, ...given } }) =>
    answered(
      releaseResults(organiserOf(user), params.code, {
        ...given,
        ...(reason === undefined ? {} : { reason }),
      }),
    ),
  )

  api.serve(contract.withdrawRelease, ({ user, params, body }) =>
    answered(withdrawRelease(organiserOf(user), params.code, body.reason)),
  )
}
