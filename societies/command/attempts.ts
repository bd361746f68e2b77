import type { Command } from 'commander'
import { COUNTED_KINDS } from '../../assessments/violations.ts'
import { exemptCandidate, voidEvent } from '../server/incidents/strikes.ts'
import { describeTime } from '../server/local-time.ts'
import { readStatus } from '../server/status.ts'
import type { AtTheKeyboard } from './organiser.ts'
import { parseCode, parseEventNumber, parseKinds } from './typed.ts'
import { CANDIDATE, describeExemption, describeStatus, describeVoided, examples } from './words.ts'

/** What is done while candidates are inside, or because of what happened to them there. */
export function addAttemptCommands(assessments: Command, { asOrganiser }: AtTheKeyboard): void {
  assessments
    .command('exempt')
    .argument('<code>', 'the test', parseCode)
    .argument('<username>', CANDIDATE)
    .argument('[kinds...]', COUNTED_KINDS.join(', '))
    .option('--clear', 'forget what was exempt before')
    .summary('lets a candidate do what counts as a strike for others')
    .description(
      'Kinds of events that are still kept but not counted for one candidate, those of before too. A dictation program, for example, pastes: exempt from paste and shortcut.',
    )
    .addHelpText(
      'after',
      examples('exempt PCF ben.okafor paste shortcut', 'exempt PCF ben.okafor --clear'),
    )
    .action(
      async (code: string, username: string, kinds: string[], { clear }: { clear?: boolean }) => {
        const add = parseKinds(kinds)
        const done = await asOrganiser((organiser) =>
          exemptCandidate(organiser, code, username, { add, clear }),
        )
        console.log(describeExemption(code, done))
      },
    )

  assessments
    .command('void-event')
    .argument('<code>', 'the test', parseCode)
    .argument('<event>', "the event's number, as `assessments events` and `dossier` show it")
    .requiredOption('--reason <text>', 'why, for whoever asks later')
    .summary('takes a strike back')
    .description(
      'Takes a strike back. The event stays on record, with your reason, and no longer counts.',
    )
    .addHelpText('after', examples('void-event PCF 1234 --reason "fire alarm at 09:12"'))
    .action(async (code: string, number: string, { reason }: { reason: string }) => {
      const event = parseEventNumber(number, code)
      const done = await asOrganiser((organiser) => voidEvent(organiser, code, event, reason))
      console.log(describeVoided(code, event, done))
    })

  assessments.commandsGroup('While the test runs:')

  assessments
    .command('status')
    .argument('<code>', 'the test', parseCode)
    .option('--demo', 'demo candidates too')
    .summary("shows who hasn't come, who is in and how far, who is done")
    .description(
      "Shows who hasn't come, who is in and how far, and who is done. 'unmonitored' means that a page answered without reporting what it saw; several accounts or addresses may be harmless (a phone and a laptop) and are worth a look.",
    )
    .addHelpText('after', examples('status PCF'))
    .action(async (code: string, { demo }: { demo?: boolean }) => {
      const now = new Date()
      const { assessment, candidates } = await asOrganiser((organiser) =>
        readStatus(organiser, code, { demo }),
      )
      console.log(`${code}, ${describeTime(now, assessment.timeZone)}`)
      console.log(describeStatus(candidates))
    })
}
