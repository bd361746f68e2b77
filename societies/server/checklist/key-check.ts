import type { Row } from '../../checklist.ts'
import { countOf, numberWord } from '../../number-words.ts'
import { listed } from '../../publication.ts'
import { leftToCheck } from '../../questions/key-check.ts'
import { mayWith, type Role } from '../../roles.ts'
import type { Client } from '../action.ts'
import { readKeyVerdicts } from '../key-check/comparison.ts'
import { IN_FORCE, REACHES } from '../team/guard.ts'
import { type About, stateOfRow } from './about.ts'

/** Who has answered the questions without seeing the keys, and where they disagree with them. */
export interface KeyCheckFacts {
  questionCount: number
  /** how many people have finished */
  satCount: number
  /** questions whose key two people or more have chosen, and nobody disputes */
  confirmedCount: number
  /** numbers of those that an owner upheld against who answered otherwise (product 7.9.48) */
  upheld: number[]
  /** numbers of those that somebody who sat it answered otherwise (societies/questions/key-check.ts) */
  disputed: number[]
  /** questions, as they stand now, that whoever looks has answered in finished sittings */
  checkedByYou: number
  /** whether whoever looks may see the comparison before the close */
  mayCompare: boolean
}

/** How many have to agree on a key. */
const ENOUGH = 2

/**
 * By code.
 * @param userId whoever looks; null is the machine
 */
export async function readKeyCheckFacts(
  client: Client,
  codes: readonly string[],
  userId: string | null,
  now: Date,
): Promise<Map<string, KeyCheckFacts>> {
  const sat = await client.query<{ code: string; satCount: number }>(
    `select assessment as code, count(distinct coalesce(user_id, id))::int as "satCount"
     from key_check_sittings where assessment = any($1::text[]) and finished_at is not null
     group by assessment`,
    [codes],
  )
  const people = new Map(sat.rows.map(({ code, satCount }) => [code, satCount]))
  const own = await client.query<{ code: string; checked: number; roles: Role[] }>(
    `select a.code,
       (select count(*)::int from assessment_items i where i.assessment = a.code and exists (
         select from key_check_answers k join key_check_sittings s on s.id = k.sitting_id
         where k.item_id = i.id and k.item_version = i.version and k.choice is not null
           and s.user_id = $2 and s.finished_at is not null)) as checked,
       array(select m.role from memberships m
         where m.user_id = $2 and ${IN_FORCE(3)} and ${REACHES}) as roles
     from assessments a where a.code = any($1::text[])`,
    [codes, userId, now],
  )
  const ofCaller = new Map(own.rows.map(({ code, ...one }) => [code, one]))
  const facts = new Map<string, KeyCheckFacts>()
  for (const { assessment, position, state } of await readKeyVerdicts(client, codes)) {
    const one = facts.get(assessment) ?? { ...NOT_CHECKED, disputed: [], upheld: [] }
    one.satCount = people.get(assessment) ?? 0
    one.checkedByYou = ofCaller.get(assessment)?.checked ?? 0
    one.mayCompare = mayWith(ofCaller.get(assessment)?.roles ?? [], 'read_keys') === 'all'
    one.questionCount += 1
    if (state === 'confirmed') one.confirmedCount += 1
    if (state === 'disputed') one.disputed.push(position)
    if (state === 'upheld') one.upheld.push(position)
    facts.set(assessment, one)
  }
  return facts
}

export const NOT_CHECKED: KeyCheckFacts = {
  questionCount: 0,
  satCount: 0,
  confirmedCount: 0,
  upheld: [],
  disputed: [],
  checkedByYou: 0,
  mayCompare: false,
}

/** Row 2 of the checklist (product 7.8.7). It names no key: an invigilator reads it too. */
export function keyCheckRow(facts: KeyCheckFacts, about: About): Row {
  const { questionCount, satCount, confirmedCount, disputed, upheld } = facts
  if (disputed.length > 0) {
    const isOne = disputed.length === 1
    return {
      state: stateOfRow(about, { isDone: false, isWrong: true }),
      word: 'Disputed',
      finding: `${isOne ? 'Question' : 'Questions'} ${listed(disputed.map(String))}: somebody who did not see the key chose something else.`,
      rest: `${countOf(confirmedCount, 'other key was', 'other keys were')} confirmed by at least two people.`,
      missing: isOne ? 'One key is disputed.' : `${numberWord(disputed.length)} keys are disputed.`,
      link: { page: 'questions/check', label: disputedLabel(facts) },
    }
  }
  const settled = confirmedCount + upheld.length
  if (satCount < ENOUGH || settled < questionCount) {
    return {
      state: stateOfRow(about, { isDone: false }),
      // Two people, and yet not all: it is questions that are counted then.
      word:
        satCount === 0
          ? 'Not yet'
          : satCount < ENOUGH
            ? `${satCount} of ${ENOUGH}`
            : `${settled} of ${questionCount}`,
      finding:
        satCount === 0
          ? 'Nobody has sat the blind check yet.'
          : `${countOf(satCount, 'person has', 'people have')} sat the blind check; ${settled} of ${countOf(questionCount, 'key')} confirmed.`,
      rest: 'Two people who answer without seeing the keys find a wrong one before candidates do.',
      missing:
        satCount === 0 ? 'Nobody has checked the keys yet.' : 'Some keys are not confirmed yet.',
      link: { page: 'questions/check', label: sittingLabel(facts) },
    }
  }
  return {
    state: 'ready',
    word: 'Confirmed',
    finding: `All ${countOf(questionCount, 'key')} confirmed.`,
    rest:
      upheld.length === 0
        ? 'At least two people who did not see them chose the same.'
        : `${upheld.length === 1 ? 'Question' : 'Questions'} ${listed(upheld.map(String))}: somebody chose something else, and an owner upheld the key with a reason.`,
    missing: null,
    link: { page: 'questions/check', label: 'See the answers' },
  }
}

const SIT = 'Sit the blind check'

/** What whoever looks does next about keys that are disputed. */
function disputedLabel({ disputed, checkedByYou, mayCompare }: KeyCheckFacts): string {
  if (!mayCompare) return checkedByYou > 0 ? 'See who has checked' : SIT
  if (checkedByYou === 0) return 'Compare the answers'
  return disputed.length === 1
    ? 'See the one that differs'
    : `See the ${numberWord(disputed.length).toLowerCase()} that differ`
}

/** What whoever looks does next where more have to check; the page says how a colleague is asked. */
function sittingLabel({ questionCount, satCount, checkedByYou }: KeyCheckFacts): string {
  if (checkedByYou === 0) return SIT
  if (checkedByYou < questionCount) return leftToCheck(questionCount - checkedByYou)
  return satCount < ENOUGH ? 'Ask a second person' : 'Ask one more person'
}
