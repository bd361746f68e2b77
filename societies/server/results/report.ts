import { worthALook } from '../../../assessments/incident-words.ts'
import { readHistories } from '../../../assessments/server/history-store.ts'
import type { RulingKind } from '../../../assessments/server/tables.ts'
import type { OptionLetter } from '../../../platform/options.ts'
import type { CandidateFile, UncoveredScore } from '../../contract/incidents.ts'
import { blindNumber } from '../../number-words.ts'
import type { Client } from '../action.ts'
import { type AssessmentRow, requireAssessment } from '../assessments.ts'
import { readFile } from '../incidents/candidate-file.ts'
import type { Member } from '../incidents/reach.ts'
import { readScore } from '../incidents/uncover.ts'
import type { Grade, ResultChange } from './changed-results.ts'

/** All that the paper for an appeal is made of. */
export interface Report {
  assessment: AssessmentRow
  file: CandidateFile
  /** the name, or 'Candidate 021' where it is covered */
  called: string
  /** null where the name is covered */
  username: string | null
  exemptKinds: string[]
  /** in the candidate's own order */
  paper: PaperItem[]
  /** key and points; null where they are covered */
  score: UncoveredScore | null
  /** what is worth a look, in sentences */
  looks: string[]
  actions: ReportAction[]
}

export interface PaperItem {
  question: string
  options: Readonly<Record<OptionLetter, string>>
  /** those that stand */
  rulings: { kind: RulingKind; acceptedOption: string | null; reason: string }[]
}

/** What an organiser did with this candidate, or with everybody. */
export interface ReportAction {
  at: Date
  actor: string
  action: string
  detail: Record<string, unknown>
  /** of this candidate's result, where it moved it */
  change: { before: Grade; after: Grade } | null
}

/** Whose report, and what is shown in it. */
export interface Asked {
  candidate: string
  withName: boolean
  withKeys: boolean
}

/** Reads all of it at one moment. Errors: 404 not_found. */
export async function readReport(
  client: Client,
  member: Member,
  code: string,
  { candidate, withName, withKeys }: Asked,
): Promise<Report> {
  const assessment = await requireAssessment(client, code)
  const file = await readFile(client, member, code, candidate, { isLive: false })
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
  const covered = file.number === null ? 'A candidate' : `Candidate ${blindNumber(file.number)}`
  return {
    ...{ assessment, file, exemptKinds },
    called: withName ? (name ?? username) : covered,
    username: withName ? username : null,
    paper: attemptId === null ? [] : await readPaper(client, attemptId),
    score:
      withKeys && attemptId !== null && file.attempt?.submittedAt
        ? await readScore(client, attemptId)
        : null,
    looks: worthALook(
      attemptId === null
        ? []
        : ((await readHistories(client, [attemptId], { isWhole: true })).get(attemptId)?.findings ??
            []),
    ),
    actions: await readActions(client, assessment, { username, number: file.number }),
  }
}

async function readPaper(client: Client, attemptId: string): Promise<PaperItem[]> {
  const { rows } = await client.query<PaperItem>(
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

/** Actions on all candidates that belong into everybody's report. */
const COMMON_ACTIONS = ['load', 'window', 'extend', 'regrade', 'accept-late']

/**
 * What organisers did with this candidate, and with everybody. Of other candidates' results nothing: the
 * document may be handed on.
 */
async function readActions(
  client: Client,
  { code, createdAt }: AssessmentRow,
  { username, number }: { username: string; number: number | null },
): Promise<ReportAction[]> {
  const { rows } = await client.query<Omit<ReportAction, 'change'>>(
    `select at, actor, action, detail from admin_actions
     where assessment = $1 and at >= $2
       and (lower(detail->>'username') = lower($3) or (action = any ($5) and detail->>'username' is null)
         or detail->'usernames' ? $3 or detail->'moved' ? $3 or detail->'reopened' ? $3
         or detail->'candidate' = to_jsonb($4::int) or detail->'candidates' @> to_jsonb($4::int))
     order by id`,
    [code, createdAt, username, number, COMMON_ACTIONS],
  )
  return rows.map((row) => {
    const { changes } = row.detail
    const own = Array.isArray(changes)
      ? (changes as ResultChange[]).find((change) => change.username === username)
      : undefined
    return { ...row, change: own ? { before: own.before, after: own.after } : null }
  })
}
