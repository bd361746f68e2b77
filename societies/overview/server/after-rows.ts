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

/** What is known of tests that are over, for their checklist; keys are computed from all answers. */
export function createAfterFacts() {
  const suspiciousKeys = cachedByAction(async (client, code) =>
    findSuspiciousKeys(client, code, await readAnswerTable(client, code)),
  )
  return async (client: Client, code: string, now: Date, waiting: Waiting): Promise<AfterFacts> => {
    const { rows } = await client.query<Stored & { stamp: string }>(
      `select l.points::float8, l.fixed_at as "lockedAt", l.fixed_by as "lockedBy",
         r.released_at as "releasedAt", r.released_by as "releasedBy", f.published_at as "reportAt",
         ${LAST_ACTION} as stamp
       from assessments a left join result_lines l on l.assessment = a.code
       left join result_releases r on r.assessment = a.code and r.withdrawn_at is null
       left join fairness_reports f on f.assessment = a.code
       where a.code = $1`,
      [code],
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

/** The checklist after the test (product 7.8.7). A row that waits for another one is grey. */
export function afterRows(facts: AfterFacts, test: Surveyed, now: Date): AfterRow[] {
  const { timeZone } = test
  const { lockedAt, releasedAt, reportAt } = facts
  const at = (moment: Date) => zoneMoment(moment, timeZone, now.getTime())
  const waits = (word: string): Pick<Row, 'state' | 'word'> => ({ state: 'todo', word })
  const { undecided, forTalk, proposals, keys, elsewhere } = facts
  const open = undecided + forTalk + proposals + keys.length + elsewhere.length
  return [
    incidentsRow(facts),
    rulingsRow(facts),
    {
      row: 'cut_score',
      ...(lockedAt
        ? { state: 'ready', word: 'Locked' }
        : open > 0
          ? waits('after 1 and 2')
          : { state: 'attention', word: 'Not locked' }),
      finding: lockedAt
        ? `Locked at ${facts.points} by ${facts.lockedBy}, ${at(lockedAt)}.`
        : facts.points === null
          ? 'No cut score is set yet.'
          : `It is at ${facts.points} and not locked.`,
      rest: lockedAt
        ? 'The ranking no longer changes by itself.'
        : 'Set the number of places or a score, then lock it. Locking freezes the ranking.',
      link: {
        page: 'results',
        label: lockedAt ? 'See the results' : open > 0 ? 'Preview the scores' : 'Set the cut score',
      },
    },
    {
      row: 'release',
      ...(releasedAt
        ? { state: 'ready', word: 'Released' }
        : lockedAt
          ? { state: 'attention', word: 'Not released' }
          : waits('after 3')),
      finding: releasedAt ? `Released by ${facts.releasedBy}, ${at(releasedAt)}.` : '',
      rest: 'Candidates read their own result with their username and password. You can email each of them.',
      link: {
        page: lockedAt || releasedAt ? 'results' : '',
        label: releasedAt ? 'See the results' : 'Release the results',
      },
    },
    {
      row: 'files',
      ...(lockedAt ? { state: 'ready', word: 'Ready' } : waits('after 3')),
      finding: '',
      rest: 'One workbook with names and scores, one PDF result sheet per candidate, and a list without names.',
      link: { page: lockedAt ? 'results' : '', label: 'Download the files' },
    },
    {
      row: 'fairness',
      ...(reportAt
        ? { state: 'ready', word: 'Published' }
        : releasedAt
          ? { state: 'attention', word: 'Not published' }
          : waits('after 4')),
      finding: reportAt ? `Published, ${at(reportAt)}.` : '',
      rest: 'A short public page that says how the test was run.',
      link: {
        page: 'fairness',
        label: reportAt
          ? 'Read the report'
          : releasedAt
            ? 'Publish the fairness report'
            : 'Preview the report',
      },
    },
    { row: 'retention', ...retentionRow(test.kept?.until ?? null, { ...test, now }) },
  ]
}

function incidentsRow({ undecided, forTalk }: Waiting): AfterRow {
  const open = undecided + forTalk
  const incidents = countOf(open, 'incident')
  return {
    row: 'incidents',
    state: open > 0 ? 'attention' : 'ready',
    word: open > 0 ? `${open} to decide` : 'Decided',
    finding:
      open > 0
        ? `${incidents} ${open === 1 ? 'needs' : 'need'} a decision.`
        : 'No incident waits for a decision.',
    rest: forTalk > 0 ? `${forTalk} of them ${forTalk === 1 ? 'waits' : 'wait'} for a talk.` : '',
    link: { page: 'incidents', label: open > 0 ? `Decide ${incidents}` : 'See the incidents' },
  }
}

function rulingsRow({ keys, elsewhere, proposals }: AfterFacts): AfterRow {
  const [first] = [...keys, ...elsewhere]
  const open = new Set([...keys, ...elsewhere]).size + proposals
  const found = [
    keys.length > 0 &&
      `${questions(keys)} probably ${keys.length === 1 ? 'has' : 'have'} a wrong key.`,
    elsewhere.length > 0 &&
      `${questions(elsewhere)} ${elsewhere.length === 1 ? 'was' : 'were'} corrected in another test. Take it over?`,
    proposals > 0 &&
      `${countOf(proposals, 'proposed ruling waits', 'proposed rulings wait')} for an owner.`,
  ].filter((one) => one !== false)
  return {
    row: 'rulings',
    state: open > 0 ? 'attention' : 'ready',
    word: open > 0 ? `${open} to check` : 'Checked',
    finding: found[0] ?? 'No key looks wrong.',
    rest: found.slice(1).join(' '),
    link:
      first === undefined
        ? { page: 'analysis', label: proposals > 0 ? 'Answer the proposal' : 'See the questions' }
        : { page: 'analysis', item: first, label: `Check question ${first}` },
  }
}

const questions = (numbers: readonly number[]) =>
  `${numbers.length === 1 ? 'Question' : 'Questions'} ${listOf(numbers)}`
