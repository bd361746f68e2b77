import { isDeepStrictEqual } from 'node:util'
import sql from 'sql-template-tag'
import type { BodyOf } from '../../../platform/endpoint.ts'
import { actInSociety, type Client } from '../../kit/server/action.ts'
import { isNamedZone } from '../../kit/server/local-time.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { readLastLogged, staleError } from '../../kit/server/stale.ts'
import type { changeSocietySettings, SocietySettings } from '../contract.ts'
import type { Member } from './serve-members.ts'
import { nameTaken } from './societies.ts'

/** A society's settings, read outside of a transaction. */
export const readSettings = ({ db, societyId }: Member) => settingsOf(db.$client, societyId, '')

async function settingsOf(
  client: Client,
  societyId: string,
  lock: '' | 'for no key update',
): Promise<SocietySettings> {
  const { rows } = await client.query<SocietySettings>(
    `select name, time_zone as "timeZone", contact, retention_months as "retentionMonths"
     from societies where id = $1 ${lock}`,
    [societyId],
  )
  // Societies are never deleted, and the guard has just seen this one.
  return rows[0] as SocietySettings
}

/**
 * Changes a society's name, zone and contact (product 7.12.8). A name that was chosen in the browser proves
 * nothing: from then on no assessment falls to the society by its name alone (product 7.7.2).
 * Errors: 400 zone_unknown; 409 stale where another owner changed what was read, society_exists.
 */
export function changeSettings(
  organiser: Member,
  { was, ...asked }: BodyOf<typeof changeSocietySettings>,
): Promise<SocietySettings> {
  const { societyId, now } = organiser
  return actInSociety(organiser, 'edit-society', societyId, async (client) => {
    const before = await settingsOf(client, societyId, 'for no key update')
    const { name = before.name, timeZone, contact, retentionMonths } = asked
    const after = { name, timeZone, contact, retentionMonths }
    // The same again is a second click, or an answer that was lost.
    if (!isDeepStrictEqual(before, was) && !isDeepStrictEqual(before, after)) {
      const edits = sql`society_id = ${societyId} and action = 'edit-society'`
      throw staleError(await readLastLogged(client, edits), now)
    }
    if (!isNamedZone(timeZone)) {
      throw refuse(400, 'zone_unknown', 'Choose a time zone from the list.')
    }
    if (name.toLowerCase() !== before.name.toLowerCase()) {
      const { rowCount } = await client.query(
        'select from societies where lower(name) = lower($1) and id <> $2',
        [name, societyId],
      )
      if (rowCount !== 0) throw nameTaken(name)
    }
    await client.query(
      `update societies set name = $2, time_zone = $3, contact = $4, retention_months = $5,
         via = case when name = $2 then via else 'console' end where id = $1`,
      [societyId, name, timeZone, contact, retentionMonths],
    )
    return { result: after, detail: { before, ...after } }
  })
}
