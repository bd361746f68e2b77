import { type Command, InvalidArgumentError } from 'commander'
import type { CommandDatabase } from '../../platform/command/command-database.ts'
import { countOf } from '../../platform/words.ts'
import { INVITATION_DAYS } from '../access/contract.ts'
import { inviteAtKeyboard, listSocieties, makeSocietyWithOwner } from '../access/server/keyboard.ts'
import { resetFactorAtKeyboard } from '../access/server/member-sessions.ts'
import { ROLES, type Role } from '../kit/roles.ts'
import type { Organiser } from '../kit/server/action.ts'
import { organiserAt } from './organiser.ts'

const example = (line: string) => `\nExample:\n  npm run admin -- societies ${line}`

/** `societies …`: what only the person who runs the server can do (product 7.7.9). */
export function addSocietyCommands(program: Command, database: CommandDatabase): void {
  const { asOrganiser, asOrganiserWithKey } = organiserAt(database)
  const societies = program.command('societies').description('the societies that run assessments')

  /** Invites a person, and prints the link where no mail is sent. */
  const invite = async (
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
      invite(name, (organiser, how) => makeSocietyWithOwner(organiser, name, owner, how)),
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
      invite(name, (organiser, how) => inviteAtKeyboard(organiser, name, { email, role }, how)),
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
    .action(async (name: string, email: string) => {
      await asOrganiser((organiser) => resetFactorAtKeyboard(organiser, name, email))
      console.log(`${email.trim().toLowerCase()} no longer has a second factor and is signed out.`)
    })

  societies
    .command('list')
    .summary('lists all societies')
    .description('Lists all societies with their owners and the number of their tests and members.')
    .addHelpText('after', example('list'))
    .action(async () => {
      const all = await asOrganiser(listSocieties)
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
