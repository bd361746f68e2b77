import { FORMS } from '../../questions/two-forms.ts'
import { may, ROLES } from '../../roles.ts'
import type { Client } from '../action.ts'
import { readLookedTimes } from '../analysis/looked-times.ts'
import { type AnswerTable, readAnswerTable } from '../results/answer-table.ts'
import { IN_FORCE, IS_CANDIDATE, REACHES } from '../team/guard.ts'
import { compareGroups, type ShownComparison } from './compare.ts'
import { favouredBetween, favouredRooms } from './favoured.ts'
import { type Group, groupOf } from './groups.ts'

/** Others of the season that are compared at once; the nearest ones by their code. */
const OTHERS_AT_MOST = 6

const SEES_SCORES = ROLES.filter((role) => may(role, 'see_scores') !== null)

interface Named {
  code: string
  session: string | null
  season: string | null
  society: string
  sharedCount: number
}

/** Who asks for which assessment of which society. */
export interface Asker {
  societyId: string
  code: string
  userId: string
  now: Date
}

/** What is compared: this assessment's answers, and those of others of its season that share questions. */
interface Material {
  table: AnswerTable
  season: string | null
  own: Pick<Group, 'code' | 'name'>
  others: { table: AnswerTable; named: Pick<Group, 'code' | 'name'> }[]
  unlinked: string[]
}

const nameOf = ({ session, code }: Named) => session ?? code

/**
 * The answers of an assessment, and of those of its season that share a question with it, as far as the member
 * has a role there that reads scores, and sits none (product 7.7.6).
 */
async function readMaterial(
  client: Client,
  { societyId, code, userId, now }: Asker,
): Promise<Material> {
  const { rows } = await client.query<Named>(
    `select a.code, a.session, a.season, a.society,
       (select count(*)::int from assessment_items i join assessment_items mine
          on mine.question_id = i.question_id and mine.assessment = $2
        where i.assessment = a.code) as "sharedCount"
     from assessments a
     join assessments this on this.code = $2 and this.society_id = $1
     where a.society_id = $1 and a.trial is null and a.deleted_at is null
       and (a.code = this.code or a.season = this.season and not a.is_draft
         and exists (select from memberships m where m.user_id = $3 and ${IN_FORCE(4)} and ${REACHES}
           and m.role in (${SEES_SCORES.map((role) => `'${role}'`).join(', ')}))
         and not exists (select from users u where u.id = $3 and ${IS_CANDIDATE}))
     order by a.code`,
    [societyId, code, userId, now],
  )
  const this_ = rows.find((row) => row.code === code)
  const linked = rows
    .filter((row) => row.code !== code && row.sharedCount > 0)
    .slice(0, OTHERS_AT_MOST)
  const others: Material['others'] = []
  for (const row of linked) {
    const named = { code: row.code, name: nameOf(row) }
    others.push({ table: await readAnswerTable(client, row.code), named })
  }
  return {
    table: await readAnswerTable(client, code),
    season: this_?.season ?? null,
    own: { code, name: this_ ? nameOf(this_) : code },
    others,
    unlinked: rows.filter((row) => row.code !== code && row.sharedCount === 0).map(nameOf),
  }
}

const hasForms = ({ rows }: AnswerTable) => rows.some(({ form }) => form !== null)
const startOf = ({ rows }: Group) => Math.min(...rows.map(({ startedAt }) => startedAt.getTime()))

/** The one that was sat first comes first: a later session may know what an earlier one was asked. */
function inOrder(one: Group, other: Group): [Group, Group] {
  return startOf(other) < startOf(one) ? [other, one] : [one, other]
}

/** Everything that is said of forms and sessions, read at one moment. */
export async function readComparisons(client: Client, asker: Asker) {
  const { table, season, own, others, unlinked } = await readMaterial(client, asker)
  const codes = [own.code, ...others.map(({ named }) => named.code)]
  const looked = await readLookedTimes(client, codes)
  const whole = groupOf(table, { ...own, form: null })
  const comparisons: ShownComparison[] = []
  const favoured: ReturnType<typeof favouredRooms> = []
  const groups = new Map<string, { earlier: Group; later: Group }>()
  const compare = async (
    of: Pick<ShownComparison, 'id' | 'kind'>,
    [earlier, later]: readonly [Group, Group],
  ) => {
    comparisons.push(await compareGroups(of, earlier, later, looked))
    groups.set(of.id, { earlier, later })
    if (of.kind !== 'session_within_form') {
      favoured.push(favouredBetween(of.kind === 'forms' ? 'form' : 'session', earlier, later))
    }
  }
  if (hasForms(table)) {
    const [a, b] = FORMS.map((form) =>
      groupOf(table, { code: own.code, name: `Form ${form}`, form }),
    ) as [Group, Group]
    await compare({ id: 'forms', kind: 'forms' }, [a, b])
  }
  for (const { table: other, named } of others) {
    await compare(
      { id: named.code, kind: 'session' },
      inOrder(whole, groupOf(other, { ...named, form: null })),
    )
    if (!hasForms(table) || !hasForms(other)) continue
    for (const form of FORMS) {
      const ofForm = (from: AnswerTable, { code, name }: Pick<Group, 'code' | 'name'>) =>
        groupOf(from, { code, name: `${name}, form ${form}`, form })
      await compare(
        { id: `${named.code}/${form}`, kind: 'session_within_form' },
        inOrder(ofForm(table, own), ofForm(other, named)),
      )
    }
  }
  return {
    season,
    ...{ comparisons, unlinked, table, groups },
    favoured: [...favoured, ...favouredRooms(whole)],
  }
}
