import { worthALook } from '../../../assessments/attempt-looks.ts'
import type { RulingKind } from '../../../assessments/server/tables.ts'
import type { OptionLetter } from '../../../platform/options.ts'
import { type AssessmentRow, requireAssessment } from '../../access/server/assessments.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import { readFile } from '../../incidents/server/candidate-file.ts'
import type { ResultChange } from '../../incidents/server/changed-results.ts'
import { readScore } from '../../incidents/server/uncover.ts'
import { blindNumber } from '../../kit/role-words.ts'
import type { Client } from '../../kit/server/action.ts'

export interface Asked {
  candidate: string
  withName: boolean
  withKeys: boolean
}

export type Report = Awaited<ReturnType<typeof readReport>>

/** Reads the content of a candidate's report for appeals. Errors: 404 not_found. */
export async function readReport(
  client: Client,
  member: MemberInTest,
  { candidate, withName, withKeys }: Asked,
) {
  const assessment = await requireAssessment(client, member.code)
  const { file, findings } = await readFile(client, member, candidate)
  const { rows } = await client.query<{
    username: string
    name: string | null
    exemptKinds: string[]
    attemptId: string | null
  }>(
    `select c.username, c.name, c.exempt_kinds as "exemptKinds", a.id as "attemptId"
     from candidates c left join attempts a on a.candidate_id = c.id where c.id = $1`,
    [candidate],
  )
  const [row] = rows
  if (!row) throw new Error('The candidate who was just read is gone.')
  const { username, name, exemptKinds, attemptId } = row
  const hidden = file.number === null ? 'A candidate' : `Candidate ${blindNumber(file.number)}`
  return {
    assessment,
    file,
    exemptKinds,
    /** the name, or 'Candidate 021' if the name is hidden */
    called: withName ? (name ?? username) : hidden,
    /** null if the name is hidden */
    username: withName ? username : null,
    paper: attemptId === null ? [] : await readPaper(client, attemptId),
    /** null if key and points are hidden */
    score:
      withKeys && attemptId !== null && file.attempt?.submittedAt
        ? await readScore(client, attemptId)
        : null,
    looks: worthALook(findings),
    actions: await readActions(client, assessment, username, file.number),
  }
}

async function readPaper(client: Client, attemptId: string) {
  const { rows } = await client.query<{
    question: string
    options: Readonly<Record<OptionLetter, string>>
    rulings: { kind: RulingKind; acceptedOption: string | null; reason: string }[]
  }>(
    `select i.question,
       jsonb_build_object('A', answer_a, 'B', answer_b, 'C', answer_c, 'D', answer_d) as options,
       coalesce((select jsonb_agg(jsonb_build_object('kind', r.kind, 'acceptedOption', r.accepted_option,
         'reason', r.reason) order by r.id) from standing_rulings r where r.item_id = i.id), '[]') as rulings
     from attempts a
     cross join lateral unnest(a.paper) with ordinality as place (item_id, number)
     join assessment_items i on i.id = place.item_id
     where a.id = $1 order by place.number`,
    [attemptId],
  )
  return rows
}

/** These actions on all candidates are in every report. */
const COMMON_ACTIONS = ['load', 'window', 'extend', 'regrade', 'accept-late']

/** Reads organizers' actions on this candidate and on all candidates, without other candidates' results. */
async function readActions(
  client: Client,
  { code, createdAt }: AssessmentRow,
  username: string,
  number: number | null,
) {
  const { rows } = await client.query<{
    at: Date
    actor: string
    action: string
    detail: Record<string, unknown>
  }>(
    `select at, actor, action, detail from admin_actions
     where assessment = $1 and at >= $2
       and (lower(detail->>'username') = lower($3) or (action = any ($5) and detail->>'username' is null)
         or detail->'usernames' ? $3 or detail->'moved' ? $3 or detail->'reopened' ? $3
         or detail->'candidate' = to_jsonb($4::int) or detail->'candidates' @> to_jsonb($4::int))
     order by id`,
    [code, createdAt, username, number, COMMON_ACTIONS],
  )
  return rows.map((row) => {
    const { changes } = row.detail as { changes?: ResultChange[] | number }
    const own = Array.isArray(changes) && changes.find((change) => change.username === username)
    return { ...row, change: own || null }
  })
}
