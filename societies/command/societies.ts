import { type Command, InvalidArgumentError } from 'commander'
import type { CommandDatabase } from '../../platform/command/command-database.ts'
import { INVITATION_DAYS } from '../contract.ts'
import { ROLES, type Role } from '../roles.ts'
import { type Organiser, read } from '../server/action.ts'
import { inviteAtKeyboard, listSocieties, makeSocietyWithOwner } from '../server/team/keyboard.ts'
import { resetFactorAtKeyboard } from '../server/team/member-sessions.ts'
import { listMembers } from '../server/team/members.ts'
import { requireSociety } from '../server/team/societies.ts'
import { organiserAt } from './organiser.ts'
import { count, table } from './words.ts'

const example = (line: string) => `\nExample:\n  npm run admin -- societies ${line}`

/** `societies …`: which there are, and who is in them (product 7.7.9). */
export function addSocietyCommands(program: Command, database: CommandDatabase): void {
  const { asOrganiser, asOrganiserWithKey } = organiserAt(database)
  const societies = program
    .command('societies')
    .description('the societies that run assessments, and their members')

  /** Asks somebody in, and prints the link where no mail is sent. */
  const ask = async (
    name: string,
    work: (
      organiser: Organiser,
      how: { mail: boolean; secretKey: Buffer; publicUrl: string },
    ) => Promise<{ email: string; link: string | null }>,
  ) => {
    const { publicUrl, isSent } = database.mailSettings()
    const { email, link } = await asOrganiserWithKey((organiser, secretKey) =>
      work(organiser, { mail: isSent, secretKey, publicUrl }),
    )
    console.log(
      link === null
        ? `${email} is invited to ${name}; the running server sends the mail.`
        : `${email} is invited to ${name}. No SMTP_URL is set, so please hand on this link, which works once, for ${INVITATION_DAYS.usual} days, for that address:\n${link}`,
    )
  }

  societies
    .command('create')
    .argument('<name>', 'the name of the society')
    .requiredOption('--owner <email>', 'who is invited to be its owner')
    .summary('makes a society and invites its owner')
    .description(
      'Makes a society and invites its first owner by mail; without SMTP_URL the link is shown, to be handed on. The owner invites everybody else.',
    )
    .addHelpText('after', example('create "Finance Society" --owner ana@uni.example'))
    .action((name: string, { owner }: { owner: string }) =>
      ask(name, (organiser, how) => makeSocietyWithOwner(organiser, name, owner, how)),
    )

  societies
    .command('invite')
    .argument('<name>', 'the society')
    .argument('<email>', 'whom')
    .requiredOption('--role <role>', ROLES.join(', '), parseRole)
    .summary('invites somebody to a society')
    .description(
      'Invites somebody to a society, for all its assessments. Of use when its last owner is gone.',
    )
    .addHelpText('after', example('invite "Finance Society" ben@uni.example --role owner'))
    .action((name: string, email: string, { role }: { role: Role }) =>
      ask(name, (organiser, how) => inviteAtKeyboard(organiser, name, { email, role }, how)),
    )

  societies
    .command('reset-factor')
    .argument('<name>', 'the society')
    .argument('<email>', 'whose')
    .summary('takes the second factor of a member away')
    .description(
      'Takes the second factor of a member away, who has lost phone and recovery codes, and signs the member out everywhere; a mail says so. Of use for the last owner, and for who helps several societies: other members ask an owner. Be sure who asks you.',
    )
    .addHelpText('after', example('reset-factor "Finance Society" ana@uni.example'))
    .action(async (name: string, email: string) => {
      await asOrganiser((organiser) => resetFactorAtKeyboard(organiser, name, email))
      console.log(`${email.trim().toLowerCase()} has no second factor any more, and is signed out.`)
    })

  societies
    .command('list')
    .summary('lists all societies')
    .description('Lists all societies with the number of their assessments, owners and members.')
    .addHelpText('after', example('list'))
    .action(async () => {
      const all = await asOrganiser(listSocieties)
      if (all.length === 0) {
        console.log('There is none yet: societies create NAME --owner EMAIL makes one.')
        return
      }
      const rows = all.map(({ name, via, assessments, owners, members }) => [
        name,
        count(assessments, 'assessment'),
        count(owners, 'owner'),
        count(members, 'member'),
        via === 'console' ? 'founded in the browser' : '',
      ])
      console.log(table(rows))
    })

  societies
    .command('members')
    .argument('<name>', 'the society')
    .summary('lists who is in a society')
    .description('Lists the members of a society: address, role, for which assessment.')
    .addHelpText('after', example('members "Finance Society"'))
    .action(async (name: string) => {
      const members = await asOrganiser(async (organiser) => {
        const society = await read(organiser, (client) => requireSociety(client, name))
        return listMembers(organiser, society.id)
      })
      const rows = members
        .filter(({ isInForce }) => isInForce)
        .map(({ email, role, assessment }) => [email, role, assessment ?? 'all assessments'])
      console.log(rows.length > 0 ? table(rows) : 'Nobody is in it.')
    })
}

function parseRole(text: string): Role {
  const role = ROLES.find((one) => one === text.trim().toLowerCase())
  if (!role) throw new InvalidArgumentError(`It is one of ${ROLES.join(', ')}.`)
  return role
}
