import { ApiError } from '../../../platform/server/api.ts'
import { actInSociety, type Client, type Organiser } from '../action.ts'
import { isNamedZone } from '../local-time.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { type LastChange, staleError } from '../stale.ts'

export interface SocietySettings {
  name: string
  /** IANA, such as Europe/Lisbon */
  timeZone: string
  /** whom candidates ask, as they read it in mails; null: nobody was named */
  contact: string | null
  /** how long answers and names are kept after the close, months */
  retentionMonths: number
}

/** What a society says of itself. */
export function readSettings(db: Organiser['db'], societyId: string): Promise<SocietySettings> {
  return settingsOf(db.$client, societyId, '')
}

async function settingsOf(
  client: Client,
  societyId: string,
  lock: '' | 'for no key update',
): Promise<SocietySettings> {
  const { rows } = await client.query<SocietySettings>(
    `select name, time_zone as "timeZone", contact, retention_months as "retentionMonths" from societies where id = $1 ${lock}`,
    [societyId],
  )
  // Societies are never deleted, and the guard has just seen this one.
  return rows[0] as SocietySettings
}

/**
 * Changes a society's name, zone and contact (product 7.12.8). A name that was chosen in the browser proves
 * nothing: from then on no assessment falls to the society by its name alone (product 7.7.2).
 * Errors: ApiError 409 stale where another owner changed what was read, 400 for what is no zone;
 * OrganiserRefusal when the name is taken.
 * @param asked `was`: as it was read; `name` left out stays
 */
export function changeSettings(
  organiser: Organiser,
  societyId: string,
  {
    was,
    ...asked
  }: Omit<SocietySettings, 'name'> & { name?: string | undefined; was: SocietySettings },
): Promise<SocietySettings> {
  return actInSociety(organiser, 'edit-society', societyId, async (client) => {
    const before = await settingsOf(client, societyId, 'for no key update')
    const { name = before.name, timeZone, contact, retentionMonths } = asked
    const after = { name, timeZone, contact, retentionMonths }
    // The same again is a second click, or an answer that was lost.
    if (!isSame(before, was) && !isSame(before, after)) {
      throw staleError(await readLastChange(client, societyId), organiser.now)
    }
    if (!isNamedZone(timeZone)) {
      throw new ApiError(400, 'zone_unknown', 'Please choose a time zone of the list.')
    }
    if (name.toLowerCase() !== before.name.toLowerCase()) {
      const { rowCount } = await client.query(
        'select from societies where lower(name) = lower($1) and id <> $2',
        [name, societyId],
      )
      if (rowCount !== 0) throw new OrganiserRefusal('society_exists', { society: name })
    }
    await client.query(
      `update societies set name = $2, time_zone = $3, contact = $4, retention_months = $5,
         via = case when name = $2 then via else 'console' end where id = $1`,
      [societyId, name, timeZone, contact, retentionMonths],
    )
    return { result: after, detail: { before, ...after } }
  })
}

const isSame = (one: SocietySettings, other: SocietySettings) =>
  one.name === other.name &&
  one.timeZone === other.timeZone &&
  one.contact === other.contact &&
  one.retentionMonths === other.retentionMonths

async function readLastChange(client: Client, societyId: string): Promise<LastChange> {
  const { rows } = await client.query<{ by: string; at: Date }>(
    `select actor as by, at from admin_actions where society_id = $1 and action = 'edit-society'
     order by id desc limit 1`,
    [societyId],
  )
  return rows[0] ?? { by: null, at: null }
}
