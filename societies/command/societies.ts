import { type Command, InvalidArgumentError } from 'commander'
import sql from 'sql-template-tag'
import { type CommandDatabase, nameOfUser } from '../../platform/command/command-database.ts'
import type { Database } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { ApiError } from '../../platform/server/api.ts'
import { countOf } from '../../platform/words.ts'
import { INVITATION_DAYS } from '../access/contract.ts'
import { inForce } from '../access/server/guard.ts'
import { invite as inviteMembers, makeLink, readAddresses } from '../access/server/invitations.ts'
import { removeFactor } from '../access/server/members.ts'
import { makeSociety, requireSociety } from '../access/server/societies.ts'
import { ROLES, type Role } from '../kit/roles.ts'
import { actInSociety, note, type Organizer, read, readRows } from '../kit/server/action.ts'
import { refuse } from '../kit/server/refuse.ts'

/** Who acts at the command line: the operating system's user. */
export const organizerAt = (db: Database): Organizer => ({
  db,
  now: new Date(),
  actor: nameOfUser(),
})

/** The sentence of a refusal; null for any other error. */
export const explainRefusal = (error: unknown): string | null =>
  error instanceof ApiError ? error.message : null

const example = (line: string) => `\nExample:\n  npm run admin -- societies ${line}`

/** `societies …`: what only the person who runs the server can do (product 7.7.9). */
export function addSocietyCommands(program: Command, database: CommandDatabase): void {
  const societies = program.command('societies').description('the societies that run assessments')

  /** Invites a person, and prints the link where no mail is sent. */
  async function invite(
    name: string,
    person: { email: string; role: Role },
    societyOf: (organizer: Organizer) => Promise<string>,
  ): Promise<void> {
    const { publicUrl, isSent } = database.mailSettings()
    // Before anything is made.
    const [email = ''] = readAddresses([person.email])
    const link = await database.withDatabaseAndKey(async (db, secretKey) => {
      const organizer = organizerAt(db)
      const asked = { emails: [email], roles: [person.role], assessment: null }
      const [invited] = await inviteMembers(
        { ...organizer, societyId: await societyOf(organizer) },
        { ...asked, expiresInDays: INVITATION_DAYS.usual },
        { mail: isSent },
      )
      return isSent || !invited ? null : makeLink(db.$client, { secretKey, publicUrl }, invited.id)
    })
    console.log(
      link === null
        ? `${email} is invited to ${name}; the running server sends the mail.`
        : `${email} is invited to ${name}. No SMTP_URL is set, so send this link yourself. It works once, for ${INVITATION_DAYS.usual} days, for that address:\n${link}`,
    )
  }

  societies
    .command('create')
    .argument('<name>', 'the name of the society')
    .requiredOption('--owner <email>', 'the address of its first owner')
    .summary('creates a society and invites its owner')
    .description(
      'Creates a society and invites its first owner by mail. Without SMTP_URL it shows the link, and you send it yourself. The owner invites everyone else.',
    )
    .addHelpText('after', example('create "Finance Society" --owner ana@uni.example'))
    .action((name: string, { owner }: { owner: string }) =>
      invite(name, { email: owner, role: 'owner' }, (organizer) =>
        inTransaction(organizer.db, async (client) => {
          const societyId = await makeSociety(client, name, 'command', organizer.now)
          const detail = { name: name.trim() }
          await note(client, organizer, { action: 'make-society', societyId, code: null, detail })
          return societyId
        }),
      ),
    )

  societies
    .command('invite')
    .argument('<name>', 'the society')
    .argument('<email>', 'the address to invite')
    .requiredOption('--role <role>', ROLES.join(', '), parseRole)
    .summary('invites a person to a society')
    .description(
      'Invites a person to a society, with a role for all its tests. Use it when the last owner is gone.',
    )
    .addHelpText('after', example('invite "Finance Society" ben@uni.example --role owner'))
    .action((name: string, email: string, { role }: { role: Role }) =>
      invite(name, { email, role }, (organizer) => idOf(organizer, name)),
    )

  societies
    .command('reset-factor')
    .argument('<name>', 'the society')
    .argument('<email>', 'the member')
    .summary('removes the second factor of a member')
    .description(
      'Removes the second factor of a member who has lost phone and recovery codes, signs the member out everywhere and tells them by mail. Use it for the last owner, and for members of several societies. Other members ask an owner. Make sure you know who is asking.',
    )
    .addHelpText('after', example('reset-factor "Finance Society" ana@uni.example'))
    .action(async (name: string, typed: string) => {
      const email = typed.trim().toLowerCase()
      await database.withDatabase((db) => resetFactor(organizerAt(db), name, email))
      console.log(
        `${email} no longer has a second factor, and is an organizer again after the password.`,
      )
    })

  societies
    .command('vouch')
    .argument('<name>', 'the society')
    .summary('lifts the limit on passwords of a society founded in the browser')
    .description(
      'Lets a society that was founded in the browser send 5,000 passwords a day instead of 200. Make sure you know who runs it. If it changes its name, the limit is back.',
    )
    .addHelpText('after', example('vouch "Finance Society"'))
    .action(async (name: string) => {
      await database.withDatabase((db) => vouch(organizerAt(db), name))
      console.log(`${name} can now send 5,000 passwords a day.`)
    })

  societies
    .command('list')
    .summary('lists all societies')
    .description('Lists all societies with their owners and the number of their tests and members.')
    .addHelpText('after', example('list'))
    .action(async () => {
      const all = await database.withDatabase((db) => listSocieties(organizerAt(db)))
      for (const { name, via, owners, assessments, members } of all) {
        console.log(
          `${name}: ${owners.join(', ') || 'no owner'}; ${countOf(assessments, 'assessment')}, ${countOf(members, 'member')}${via === 'console' ? '; founded in the browser' : ''}`,
        )
      }
      if (all.length === 0)
        console.log('There are no societies yet. Make one with societies create.')
    })
}

function parseRole(text: string): Role {
  const role = ROLES.find((one) => one === text.trim().toLowerCase())
  if (!role) throw new InvalidArgumentError(`It is one of ${ROLES.join(', ')}.`)
  return role
}

const idOf = async (organizer: Organizer, name: string): Promise<string> =>
  (await read(organizer, (client) => requireSociety(client, name))).id

/** Of any member (product 7.13.7). Errors: those of requireSociety; 404 no_such_member, 409 no_factor. */
async function resetFactor(organizer: Organizer, name: string, email: string): Promise<void> {
  const societyId = await idOf(organizer, name)
  await actInSociety(organizer, 'reset-second-factor', societyId, async (client) => {
    const { rows } = await client.query<{ userId: string }>(
      sql`select u.id as "userId" from users u where u.email = ${email} and exists (
         select from memberships m where m.user_id = u.id and m.society_id = ${societyId} and m.ended_at is null)`,
    )
    if (!rows[0]) throw refuse(404, 'no_such_member', `${email} has no role in ${name.trim()}.`)
    await removeFactor(client, { societyId, userId: rows[0].userId, email, now: organizer.now })
    return { result: undefined, detail: { member: email } }
  })
}

async function vouch(organizer: Organizer, name: string): Promise<void> {
  const societyId = await idOf(organizer, name)
  await actInSociety(organizer, 'raise-mail-limit', societyId, async (client) => {
    await client.query(sql`update societies set via = 'command' where id = ${societyId}`)
    return { result: undefined, detail: { name: name.trim() } }
  })
}

interface ListedSociety {
  name: string
  via: 'console' | 'command'
  assessments: number
  owners: string[]
  /** owners too */
  members: number
}

function listSocieties(organizer: Organizer): Promise<ListedSociety[]> {
  const members = sql`from memberships m join users u on u.id = m.user_id
    where m.society_id = s.id and ${inForce(organizer.now)} and not u.is_anonymous`
  return readRows<ListedSociety>(
    organizer,
    sql`select s.name, s.via,
        (select count(*)::int from assessments a where a.society_id = s.id and a.trial is null) as assessments,
        array(select u.email ${members} and m.role = 'owner' order by u.email) as owners,
        (select count(distinct m.user_id)::int ${members}) as members
      from societies s order by s.name`,
  )
}
