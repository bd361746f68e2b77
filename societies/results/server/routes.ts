import sql from 'sql-template-tag'
import { readReleasedResult } from '../../../assessments/contract.ts'
import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { nudgeMailQueue } from '../../../platform/server/mail-queue.ts'
import { requireAssessment } from '../../access/server/assessments.ts'
import { type MemberInTest, serveMembers } from '../../access/server/serve-members.ts'
import { createMailLimits } from '../../candidates/server/credentials.ts'
import { exportCandidateReport } from '../../incidents/contract.ts'
import type { ResultChange } from '../../incidents/server/changed-results.ts'
import { stateOf } from '../../kit/assessment-state.ts'
import { extentOf } from '../../kit/roles.ts'
import { type Client, read } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { noteOnceAnHour } from '../../questions/server/key-checks.ts'
import * as contract from '../contract.ts'
import * as analysis from '../contract-analysis.ts'
import * as fairness from '../contract-fairness.ts'
import { createPublicReports, previewReport, publishReport } from './fairness.ts'
import { fileResponse } from './file-response.ts'
import { excludeFromRanking, fixLine, listNames, setLine, showName, showNames } from './line.ts'
import { readAnalysis } from './read-analysis.ts'
import { readResults } from './read-results.ts'
import * as rulings from './regrade.ts'
import { readReleased, releaseResults, withdrawRelease } from './release.ts'
import { exportReport } from './report-sheet.ts'
import { writeResultFile } from './result-files.ts'
import { readRulingPreview } from './ruling-preview.ts'

export function serveResults(api: Api, dependencies: AppDependencies): void {
  const serve = serveMembers(api, dependencies)

  // This call is here because assessments/ doesn't know cut scores and releases.
  api.serve(readReleasedResult, async ({ user, params }) => ({
    result: await readReleased(dependencies, user, params.reference),
  }))

  serve(contract.getResults, ({ organizer }) => readResults(organizer))
  serve(contract.setResultLine, ({ organizer, body }) => setLine(organizer, body))
  serve(contract.fixResultLine, ({ organizer, body }) => fixLine(organizer, body.version))
  serve(contract.excludeFromRanking, ({ organizer, params, body }) =>
    excludeFromRanking(organizer, params.candidate, body),
  )
  serve(contract.showName, ({ organizer, params }) => showName(organizer, params.candidate))
  serve(contract.showNames, ({ organizer }) => showNames(organizer))
  serve(contract.listNames, ({ organizer }) => listNames(organizer))
  serve(contract.exportResultFile, async ({ organizer, body, context }) => {
    const file = await writeResultFile(organizer, body, context.req.raw.signal)
    return fileResponse(file.name, file.mediaType, file.content)
  })
  const limits = createMailLimits(dependencies)
  serve(contract.releaseResults, async ({ organizer, body }) => {
    const released = await releaseResults(organizer, body, limits)
    if (released.emails > 0) nudgeMailQueue(dependencies.db)
    return released
  })
  serve(contract.withdrawRelease, ({ organizer, body }) => withdrawRelease(organizer, body.reason))
  serve(exportCandidateReport, async ({ organizer, params, body, context }) => {
    // A reviewer exports without names (product 7.7.4).
    const withName = body.withName && organizer.extent === 'all'
    const asked = { candidate: params.candidate, withName, withKeys: body.withKeys }
    const { name, content } = await exportReport(organizer, asked, context.req.raw.signal)
    return fileResponse(name, 'application/pdf', content)
  })

  serve(analysis.getAnalysis, async ({ organizer, query }) => {
    const found = await readWithKeys(organizer, (client) =>
      readAnalysis(client, organizer.code, query.form),
    )
    const extent = extentOf(organizer.roles, 'rule_on_question')
    const ruling: 'rule' | 'propose' | 'none' =
      extent === 'all' ? 'rule' : extent.includes('propose') ? 'propose' : 'none'
    return { ...found, ruling }
  })
  serve(analysis.getRulingPreview, async ({ organizer, params }) => {
    const seesScores = extentOf(organizer.roles, 'see_scores') === 'all'
    const preview = await readWithKeys(organizer, (client) =>
      readRulingPreview(client, organizer.code, params.item, seesScores),
    )
    const ruling: 'rule' | 'propose' = organizer.extent === 'all' ? 'rule' : 'propose'
    return { ...preview, ruling }
  })
  serve(analysis.ruleOnQuestion, ({ organizer, params, body: { ruling, reason, ...press } }) =>
    done(rulings.regradeItem(organizer, params.item, ruling, reason, press)),
  )
  serve(analysis.proposeRuling, async ({ organizer, params, body }) => {
    // A proposal fails if its option already counts as right, so it reveals the key.
    await readWithKeys(organizer, async () => null)
    const { ruling, reason, version } = body
    return done(rulings.proposeRuling(organizer, params.item, ruling, reason, version))
  })
  serve(analysis.declineRuling, ({ organizer, params, body }) =>
    done(rulings.declineProposal(organizer, params.ruling, body.reason)),
  )
  serve(analysis.withdrawRuling, ({ organizer, params, body }) =>
    done(rulings.withdrawRuling(organizer, params.ruling, body.reason, body.version)),
  )
  serve(analysis.keepKey, ({ organizer, params, body }) =>
    done(rulings.keepKey(organizer, params.item, body.reason)),
  )
  serve(analysis.doubtKey, ({ organizer, params }) =>
    done(rulings.doubtKey(organizer, params.item)),
  )

  serve(fairness.previewFairnessReport, ({ organizer }) => previewReport(organizer))
  serve(fairness.publishFairnessReport, ({ organizer }) => publishReport(organizer))
  const readPublicReport = createPublicReports(dependencies)
  api.serve(fairness.readFairnessReport, ({ params }) => readPublicReport(params.report))
}

/**
 * All figures of the analysis reveal keys. Members who can read keys only afterward get 403 not_closed before
 * (product 7.18.2), and the log records early views (product 7.9.2).
 */
async function readWithKeys<T>(
  organizer: MemberInTest,
  look: (client: Client) => Promise<T>,
): Promise<T> {
  const { state, found } = await read(organizer, async (client) => {
    const assessment = await requireAssessment(client, organizer)
    const { rows } = await client.query<{ runningCount: number }>(
      sql`select count(*)::int as "runningCount" from attempts
       where assessment = ${organizer.code} and not is_demo and submitted_at is null`,
    )
    const runningCount = rows[0]?.runningCount ?? 0
    const state = stateOf({ ...assessment, runningCount }, organizer.now)
    if (extentOf(organizer.roles, 'read_keys') !== 'all' && state !== 'closed') {
      const sentence = 'The analysis opens when the test is over for everyone.'
      throw refuse(403, 'not_closed', sentence)
    }
    return { state, found: await look(client) }
  })
  if (state !== 'closed') await noteOnceAnHour(organizer, organizer, 'read-keys')
  return found
}

/** Returns the number of changed results, without demo candidates. */
async function done(act: Promise<{ changes?: ResultChange[] }>) {
  const { changes = [] } = await act
  return { done: true as const, changed: changes.filter(({ isDemo }) => !isDemo).length }
}
