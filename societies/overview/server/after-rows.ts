import sql, { raw } from 'sql-template-tag'
import { countOf, listOf } from '../../../platform/words.ts'
import { readAnswerTable } from '../../incidents/server/answer-table.ts'
import type { Client } from '../../kit/server/action.ts'
import { zoneMoment } from '../../kit/zone-time.ts'
import { readCorrections } from '../../questions/server/corrections.ts'
import { findSuspiciousKeys } from '../../results/server/scores.ts'
import type { AFTER_ROWS, Row } from '../../setup/contract-overview.ts'
import type { Surveyed } from './checklist.ts'
import { retentionRow } from './rows.ts'
import { cachedByAction, LAST_ACTION, type Waiting } from './waiting.ts'

interface AfterFacts extends Waiting {
  /** numbers of questions whose key is probably wrong */
  keys: number[]
  points: number | null
  lockedAt: Date | null
  lockedBy: string | null
  releasedAt: Date | null
  releasedBy: string | null
  reportAt: Date | null
  /** numbers of questions whose key was replaced in another test */
  elsewhere: number[]
}
type Stored = Omit<AfterFacts, keyof Waiting | 'keys' | 'elsewhere'>

/** Reads facts for the checklists of finished tests. Keys are computed from all answers. */
export function createAfterFacts() {
  const suspiciousKeys = cachedByAction(async (client, code) =>
    findSuspiciousKeys(client, code, await readAnswerTable(client, code)),
  )
  return async (client: Client, code: string, now: Date, waiting: Waiting): Promise<AfterFacts> => {
    const { rows } = await client.query<Stored & { stamp: string }>(
      sql`select l.points::float8, l.fixed_at as "lockedAt", l.fixed_by as "lockedBy",
         r.released_at as "releasedAt", r.released_by as "releasedBy", f.published_at as "reportAt",
         ${raw(LAST_ACTION)} as stamp
       from assessments a left join result_lines l on l.assessment = a.code
       left join result_releases r on r.assessment = a.code and r.withdrawn_at is null
       left join fairness_reports f on f.assessment = a.code
       where a.code = ${code}`,
    )
    const { stamp, ...stored } = rows[0] as Stored & { stamp: string }
    const keys = await suspiciousKeys(client, code, stamp, now)
    const elsewhere = (await readCorrections(client, [code])).flatMap(({ isOpen, position }) =>
      isOpen ? [position] : [],
    )
    return { ...waiting, ...stored, keys, elsewhere }
  }
}

type AfterRow = Row & { row: (typeof AFTER_ROWS)[number] | 'retention' }

const row = (
  id: AfterRow['row'],
  [state, word]: readonly [Row['state'], string],
  said: readonly [finding: string, rest: string],
  link: Row['link'],
): AfterRow => ({ row: id, state, word, finding: said[0], rest: said[1], link })

/** Builds the checklist after the test (product 7.8.12). A row that depends on another one is gray. */
export function afterRows(facts: AfterFacts, test: Surveyed, now: Date): AfterRow[] {
  const { points, lockedAt, lockedBy, releasedAt, releasedBy, reportAt } = facts
  const by = (who: string | null, moment: Date) =>
    `by ${who}, ${zoneMoment(moment, test.timeZone, now.getTime())}.`
  const { undecided, forTalk, proposals, keys, elsewhere } = facts
  const open = undecided + forTalk + proposals + keys.length + elsewhere.length
  const stateOf = (isDone: boolean, done: string, isNext: boolean, todo: string, after: string) =>
    isDone
      ? (['ready', done] as const)
      : isNext
        ? (['attention', todo] as const)
        : (['todo', after] as const)
  const [isLocked, isReleased] = [lockedAt !== null, releasedAt !== null]
  const scores = isLocked
    ? 'See the results'
    : open > 0
      ? 'Preview the scores'
      : 'Set the cut score'
  const report = isReleased ? 'Publish the fairness report' : 'Preview the report'
  return [
    incidentsRow(facts),
    rulingsRow(facts),
    row(
      'cut_score',
      stateOf(isLocked, 'Locked', open === 0, 'Not locked', 'after 1 and 2'),
      lockedAt
        ? [
            `Locked at ${points} ${by(lockedBy, lockedAt)}`,
            'The ranking no longer changes automatically.',
          ]
        : [
            points === null ? 'No cut score is set yet.' : `It is at ${points} and not locked.`,
            'Set the number of places or a score, then lock it. Locking freezes the ranking.',
          ],
      { page: 'results', label: scores },
    ),
    row(
      'release',
      stateOf(isReleased, 'Released', isLocked, 'Not released', 'after 3'),
      [
        releasedAt ? `Released ${by(releasedBy, releasedAt)}` : '',
        'Candidates can see their own result with their username and password. You can email each of them.',
      ],
      {
        page: isLocked || isReleased ? 'results' : '',
        label: isReleased ? 'See the results' : 'Release the results',
      },
    ),
    row(
      'files',
      stateOf(isLocked, 'Ready', false, '', 'after 3'),
      [
        '',
        'A workbook with names and scores, a PDF result sheet per candidate, and a list without names.',
      ],
      { page: isLocked ? 'results' : '', label: 'Download the files' },
    ),
    row(
      'fairness',
      stateOf(reportAt !== null, 'Published', isReleased, 'Not published', 'after 4'),
      ['', 'A short public page that says how the test was run.'],
      { page: 'fairness', label: reportAt ? 'Read the report' : report },
    ),
    { row: 'retention', ...retentionRow(test.kept, { ...test, now }) },
  ]
}

function incidentsRow({ undecided, forTalk }: Waiting): AfterRow {
  const open = undecided + forTalk
  const incidents = countOf(open, 'incident')
  if (open === 0) {
    const said = ['No incidents to decide.', ''] as const
    const link = { page: 'incidents', label: 'See the incidents' } as const
    return row('incidents', ['ready', 'Decided'], said, link)
  }
  const talk = `${countOf(forTalk, 'incident needs', 'incidents need')} follow-up.`
  const said =
    undecided === 0
      ? ([talk, ''] as const)
      : ([
          `${countOf(undecided, 'incident needs', 'incidents need')} a decision.`,
          forTalk > 0 ? talk : '',
        ] as const)
  return row('incidents', ['attention', `${open} to decide`], said, {
    ...{ page: 'incidents', label: `Decide ${incidents}` },
  })
}

function rulingsRow({ keys, elsewhere, proposals }: AfterFacts): AfterRow {
  const [first] = [...keys, ...elsewhere]
  const open = new Set([...keys, ...elsewhere]).size + proposals
  const questions = (all: readonly number[], has: string, have: string) =>
    `${all.length === 1 ? 'Question' : 'Questions'} ${listOf(all)} ${all.length === 1 ? has : have}`
  const [finding = 'No key looks wrong.', ...rest] = [
    keys.length > 0 && `${questions(keys, 'probably has', 'probably have')} a wrong key.`,
    elsewhere.length > 0 &&
      `${questions(elsewhere, 'was', 'were')} corrected in another test. Use the new key here?`,
    proposals > 0 &&
      `${countOf(proposals, 'proposed ruling is', 'proposed rulings are')} waiting for an owner.`,
  ].filter((one) => one !== false)
  return row(
    'rulings',
    open > 0 ? ['attention', `${open} to check`] : ['ready', 'Checked'],
    [finding, rest.join(' ')],
    first !== undefined
      ? { page: 'analysis', item: first, label: `Check question ${first}` }
      : { page: 'analysis', label: proposals > 0 ? 'Answer the proposal' : 'See the questions' },
  )
}
