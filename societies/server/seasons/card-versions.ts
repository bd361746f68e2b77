import { createHash, randomUUID } from 'node:crypto'
import type { Database } from '../../../platform/database/database.ts'
import { CARD_PARTS, type CardContent, type CardPart } from '../../contract/card.ts'
import { actInSociety, type Client, type Organiser, read } from '../action.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { IS_CANDIDATE } from '../team/guard.ts'
import { type CardObstacle, makeCard, OF_SEASON, SAT } from './card.ts'

export interface CardVersion {
  version: number
  madeAt: Date
  differsIn: CardPart[]
}

interface StoredCard {
  cardId: string
  version: number
  content: CardContent
  basisHash: string
  madeAt: Date
}

/** What a card would say now, beside what is public of it. */
export interface CardPreview {
  content: CardContent | null
  obstacle: CardObstacle | null
  /** of the content; names what the owner saw when it is published */
  basisHash: string | null
  isReleased: boolean
  cardId: string | null
  /** the newest first */
  versions: CardVersion[]
  /** where the content differs from the newest version; empty without one */
  differsIn: CardPart[]
}

/** Which parts of a card each field belongs to. */
const FIELDS: Record<Exclude<CardPart, 'lead'>, (content: CardContent) => unknown> = {
  reliability: ({ groups }) => groups,
  keys: ({ rulings, questions }) => [rulings, questions],
  incidents: ({ incidents }) => incidents,
  time: ({ time }) => time,
  people: ({ people, log }) => [people, log],
  kept: ({ kept }) => kept,
}
const LEAD = ({ society, firstDay, lastDay, sat, sessions }: CardContent) => [
  ...[society, firstDay, lastDay, sat, sessions],
]

/** In which parts two versions say something else. */
export function differencesOf(before: CardContent, after: CardContent): CardPart[] {
  return CARD_PARTS.filter((part) => {
    const of = part === 'lead' ? LEAD : FIELDS[part]
    return canonical(of(before)) !== canonical(of(after))
  })
}

/** JSON whose keys have one order: what comes back from jsonb has another. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}

const hashOf = (content: CardContent) =>
  createHash('sha256').update(canonical(content)).digest('hex')

/**
 * What an owner may publish, and what is public already (product 7.21.7).
 * Errors: OrganiserRefusal for a member who is a candidate of the season.
 */
export function previewCard(
  organiser: Pick<Organiser, 'db' | 'now' | 'userId'>,
  societyId: string,
  season: string,
): Promise<CardPreview> {
  return read(organiser, async (client) => {
    await requireNoCandidate(client, organiser.userId, societyId, season)
    const made = await makeCard(client, { societyId, season, now: organiser.now })
    const stored = await readVersions(client, { societyId, season })
    const content = 'content' in made ? made.content : null
    const newest = stored[0]
    return {
      content,
      obstacle: 'obstacle' in made ? made.obstacle : null,
      basisHash: content && hashOf(content),
      isReleased: await isReleased(client, societyId, season),
      cardId: newest?.cardId ?? null,
      versions: toldOf(stored),
      differsIn: newest && content ? differencesOf(newest.content, content) : [],
    }
  })
}

/**
 * Makes the next version public, as it was previewed; what says the same as the newest makes none
 * (product 7.21.7).
 * Errors: OrganiserRefusal card_impossible, card_stale where log or answers have changed since the preview,
 * is_candidate_there.
 * @param basisHash of the preview
 */
export async function publishCard(
  organiser: Organiser,
  societyId: string,
  { season, basisHash }: { season: string; basisHash: string },
): Promise<{ cardId: string; version: number; isNew: boolean }> {
  const [newest] = await read(organiser, (client) => readVersions(client, { societyId, season }))
  if (newest?.basisHash === basisHash) {
    return { cardId: newest.cardId, version: newest.version, isNew: false }
  }
  return actInSociety(organiser, 'publish-card', societyId, async (client) => {
    // Two owners at once make one version, not two of the same number.
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `fairness-card ${societyId} ${season}`,
    ])
    await requireNoCandidate(client, organiser.userId, societyId, season)
    const made = await makeCard(client, { societyId, season, now: organiser.now })
    if ('obstacle' in made) {
      throw new OrganiserRefusal('card_impossible', { season, obstacle: made.obstacle })
    }
    const last = (await readVersions(client, { societyId, season }))[0]
    const isSeen = hashOf(made.content) === basisHash && last?.basisHash !== basisHash
    if (!isSeen) throw new OrganiserRefusal('card_stale', { season })
    const cardId = last?.cardId ?? randomUUID()
    const version = (last?.version ?? 0) + 1
    await client.query(
      `insert into fairness_cards (id, card_id, society_id, season, version, content, basis_hash, made_at,
         made_by)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        ...[randomUUID(), cardId, societyId, season, version, JSON.stringify(made.content)],
        ...[basisHash, organiser.now, organiser.actor],
      ],
    )
    return { result: { cardId, version, isNew: true }, detail: { season, version, card: cardId } }
  })
}

/** A candidate has no role there, and reads nothing of it before the others do (product 7.7.6). */
async function requireNoCandidate(
  client: Client,
  userId: string | undefined,
  societyId: string,
  season: string,
): Promise<void> {
  const { rows } = await client.query<{ code: string }>(
    `select a.code from assessments a join users u on u.id = $3
     where ${OF_SEASON(1, 2)} and ${IS_CANDIDATE} order by a.code limit 1`,
    [societyId, season, userId ?? null],
  )
  if (rows[0]) throw new OrganiserRefusal('is_candidate_there', { assessment: rows[0].code })
}

/** The newest first. */
async function readVersions(
  client: Client,
  of: { societyId: string; season: string } | { cardId: string },
): Promise<(StoredCard & { societyId: string; season: string; timeZone: string })[]> {
  const [where, values] =
    'cardId' in of
      ? ['f.card_id = $1', [of.cardId]]
      : ['f.society_id = $1 and f.season = $2', [of.societyId, of.season]]
  const { rows } = await client.query<
    StoredCard & { societyId: string; season: string; timeZone: string }
  >(
    `select f.card_id as "cardId", f.version, f.content, f.basis_hash as "basisHash",
       f.made_at as "madeAt", f.society_id as "societyId", f.season, s.time_zone as "timeZone"
     from fairness_cards f join societies s on s.id = f.society_id
     where ${where} order by f.version desc`,
    values,
  )
  return rows.map((row) => ({ ...row, content: asWrittenNow(row.content) }))
}

/**
 * Versions of before compared sessions, had an interval of the reliability, told whether the log was whole, and
 * counted those who wait for a talk as cleared after it.
 */
function asWrittenNow(stored: CardContent): CardContent {
  const { comparisons, shifts, ...rest } = stored as CardContent & {
    comparisons?: unknown
    shifts?: unknown
  }
  const content = { ...rest, log: { entries: rest.log.entries } }
  const { clearedAfterTalk, ...incidents } = content.incidents as CardContent['incidents'] & {
    clearedAfterTalk?: number
  }
  return {
    ...content,
    groups: content.groups.map(({ reliability, ...group }) => ({
      ...group,
      reliability: reliability && { kr20: reliability.kr20, error: reliability.error },
    })),
    incidents:
      clearedAfterTalk === undefined ? incidents : { ...incidents, waitForTalk: clearedAfterTalk },
  }
}

function toldOf(stored: readonly StoredCard[]): CardVersion[] {
  return stored.map(({ version, madeAt, content }, at) => {
    const before = stored[at + 1]
    return { version, madeAt, differsIn: before ? differencesOf(before.content, content) : [] }
  })
}

/**
 * Whether the results of each session of a season are released: before that, and after a release was
 * withdrawn, nothing of a card is public (product 7.21.5). Of a deleted session the release stays.
 */
async function isReleased(client: Client, societyId: string, season: string): Promise<boolean> {
  const { rows } = await client.query<{ released: number; waiting: number }>(
    `select count(*) filter (where isReleased)::int as released,
       count(*) filter (where not isReleased)::int as waiting
     from (
       select exists (select from result_releases r
           where r.assessment = a.code and r.withdrawn_at is null) as isReleased
       from assessments a
       where ${OF_SEASON(1, 2)} and (a.deleted_at is null or ${SAT} > 0)
     ) sessions`,
    [societyId, season],
  )
  const [found] = rows
  return found !== undefined && found.released > 0 && found.waiting === 0
}

export interface PublicCard {
  content: CardContent
  version: number
  madeAt: Date
  timeZone: string
  versions: CardVersion[]
}

/**
 * A card as everybody reads it.
 * @param version null: the newest
 * @returns 'unknown' where there is no such card or version, 'not yet' while its results are not released
 */
export function readPublicCard(
  db: Database,
  cardId: string,
  version: number | null,
): Promise<PublicCard | 'unknown' | 'not yet'> {
  return read({ db }, async (client) => {
    const stored = await readVersions(client, { cardId })
    const found = version === null ? stored[0] : stored.find((one) => one.version === version)
    if (!found) return 'unknown'
    if (!(await isReleased(client, found.societyId, found.season))) return 'not yet'
    const { content, madeAt, timeZone } = found
    return { content, version: found.version, madeAt, timeZone, versions: toldOf(stored) }
  })
}

/**
 * Whether the answers of a reference are among those that the newest version counts, and nothing else
 * (product 7.21.8).
 * @param reference the first eight digits of an attempt's id
 * @returns null as readPublicCard gives no card
 */
export function findReference(
  db: Database,
  cardId: string,
  reference: string,
): Promise<'counted' | 'not_counted' | 'deleted' | null> {
  return read({ db }, async (client) => {
    const [newest] = await readVersions(client, { cardId })
    if (!newest) return null
    const { societyId, season, madeAt } = newest
    if (!(await isReleased(client, societyId, season))) return null
    const { rows } = await client.query<{ isCounted: boolean; isDeleted: boolean }>(
      `select coalesce(bool_or(exists (select from attempts t
           where t.assessment = a.code and t.id between $3 and $4 and not t.is_demo
             and t.submitted_at <= $5)), false) as "isCounted",
         coalesce(bool_or(a.deleted_at is not null), false) as "isDeleted"
       from assessments a where ${OF_SEASON(1, 2)}`,
      [
        ...[societyId, season],
        `${reference}-0000-0000-0000-000000000000`,
        `${reference}-ffff-ffff-ffff-ffffffffffff`,
        madeAt,
      ],
    )
    const [found] = rows
    if (found?.isCounted) return 'counted'
    return found?.isDeleted ? 'deleted' : 'not_counted'
  })
}
