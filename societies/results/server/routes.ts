import { readReleasedResult } from '../../../assessments/contract.ts'
import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { serveMembers } from '../../access/server/serve-members.ts'
import { exportCandidateReport } from '../../incidents/contract.ts'
import { fileResponse } from '../../kit/server/file-response.ts'
import * as contract from '../contract.ts'
import * as fairness from '../contract-fairness.ts'
import { previewReport, publishReport, readPublicReport } from './fairness-report.ts'
import { writeResultFile } from './files/result-files.ts'
import { fixLine, setLine } from './line.ts'
import { listNames, showName, showNames } from './names.ts'
import { readResults } from './read-results.ts'
import { readReleased, releaseResults, withdrawRelease } from './release.ts'
import { exportReport } from './report-file.ts'

/** Results, the cut score, names, release and the fairness report (product 7.17, 7.21). */
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
  serve(exportCandidateReport, async ({ organiser, params, body, context }) => {
    const { name, content } = await exportReport(
      organiser,
      params.code,
      {
        candidate: params.candidate,
        // A reviewer exports without names (product 7.7.4).
        withName: body.withName && organiser.extent === 'all',
        withKeys: body.withKeys,
      },
      context.req.raw.signal,
    )
    return fileResponse(name, 'application/pdf', content)
  })

  serve(fairness.previewFairnessReport, ({ organiser }) => previewReport(organiser))
  serve(fairness.publishFairnessReport, ({ organiser }) => publishReport(organiser))
  api.serve(fairness.readFairnessReport, async ({ params }) => ({
    report: await readPublicReport(dependencies.db, params.report),
  }))
}
