import type { Api } from '../../../../platform/server/api.ts'
import type { AppDependencies } from '../../../../platform/server/dependencies.ts'
import { requireAssessment } from '../../../access/server/assessments.ts'
import { type MemberInTest, serveMembers } from '../../../access/server/serve-members.ts'
import type { Form } from '../../../incidents/server/sat.ts'
import { type AssessmentState, stateOf } from '../../../kit/assessment-state.ts'
import { extentOf } from '../../../kit/roles.ts'
import { type Client, read } from '../../../kit/server/action.ts'
import { refuse } from '../../../kit/server/refuse.ts'
import { noteOnceAnHour } from '../../../questions/server/key-checks.ts'
import * as contract from '../../contract-analysis.ts'
import { rulingOf } from '../../ruling.ts'
import {
  declineProposal,
  proposeRuling,
  type Regraded,
  regradeItem,
  withdrawRuling,
} from '../regrade.ts'
import { doubtKey, keepKey } from './keep-key.ts'
import { readAnalysis, writeAnalysisTable } from './read-analysis.ts'
import { readRulingPreview } from './read-ruling.ts'

/** What the test is worth, question by question, and rulings (product 7.18). */
export function serveAnalysis(api: Api, dependencies: AppDependencies): void {
  const serve = serveMembers(api, dependencies)

  serve(contract.getAnalysis, ({ organiser, query }) => analysisFor(organiser, query.form))

  serve(contract.writeAnalysis, async ({ organiser, query }) => {
    const { questions } = await analysisFor(organiser, query.form)
    return { csv: writeAnalysisTable(questions) }
  })

  serve(contract.getRulingPreview, async ({ organiser, params }) => {
    const seesScores = extentOf(organiser.roles, 'see_scores') === 'all'
    const preview = await readWithKeys(organiser, (client) =>
      readRulingPreview(client, organiser.code, params.item, seesScores),
    )
    const ruling: 'rule' | 'propose' = rulingRightOf(organiser) === 'rule' ? 'rule' : 'propose'
    return { ...preview, ruling }
  })

  serve(contract.ruleOnQuestion, ({ organiser, params, body }) => {
    const { ruling, reason, version, proposal, line } = body
    const press = { version, proposal, line }
    return done(regradeItem(organiser, params.item, rulingOf(ruling), reason, press))
  })

  serve(contract.proposeRuling, ({ organiser, params, body: { ruling, reason, version } }) =>
    done(proposeRuling(organiser, params.item, rulingOf(ruling), reason, { version })),
  )

  serve(contract.declineRuling, ({ organiser, params, body }) =>
    done(declineProposal(organiser, params.ruling, body.reason)),
  )

  serve(contract.withdrawRuling, ({ organiser, params, body }) =>
    done(withdrawRuling(organiser, params.ruling, body.reason, body.version)),
  )

  serve(contract.keepKey, ({ organiser, params, body }) =>
    done(keepKey(organiser, params.item, body.reason)),
  )

  serve(contract.doubtKey, ({ organiser, params }) => done(doubtKey(organiser, params.item)))
}

async function analysisFor(organiser: MemberInTest, form: Form | null = null) {
  const analysis = await readWithKeys(organiser, (client) =>
    readAnalysis(client, organiser.code, form),
  )
  return { ...analysis, ruling: rulingRightOf(organiser) }
}

/**
 * Every figure of the analysis shows keys, so members who may read keys only afterwards see nothing before
 * (product 7.18.2), and the log notes who saw them early (product 7.9.2).
 * Errors: 403 not_closed.
 */
async function readWithKeys<T>(
  organiser: MemberInTest,
  look: (client: Client) => Promise<T>,
): Promise<T> {
  const { state, found } = await read(organiser, async (client) => {
    const state = await readState(client, organiser)
    if (extentOf(organiser.roles, 'read_keys') !== 'all' && state !== 'closed') {
      const sentence = 'The analysis opens when the test is over for everyone.'
      throw refuse(403, 'not_closed', sentence)
    }
    return { state, found: await look(client) }
  })
  if (state !== 'closed') await noteOnceAnHour(organiser, organiser, 'read-keys')
  return found
}

async function readState(client: Client, organiser: MemberInTest): Promise<AssessmentState> {
  const assessment = await requireAssessment(client, organiser)
  const { rows } = await client.query<{ runningCount: number }>(
    `select count(*)::int as "runningCount" from attempts
     where assessment = $1 and not is_demo and submitted_at is null`,
    [organiser.code],
  )
  return stateOf({ ...assessment, runningCount: rows[0]?.runningCount ?? 0 }, organiser.now)
}

function rulingRightOf(organiser: MemberInTest): 'rule' | 'propose' | 'none' {
  const extent = extentOf(organiser.roles, 'rule_on_question')
  return extent === 'all' ? 'rule' : extent.includes('propose') ? 'propose' : 'none'
}

/** Tells the page how many results have changed, demo candidates not counted. */
async function done(act: Promise<Partial<Regraded>>) {
  const { changes = [] } = await act
  return { done: true as const, changed: changes.filter(({ isDemo }) => !isDemo).length }
}
