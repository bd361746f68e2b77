import type { Command } from 'commander'
import { COUNTED_KINDS } from '../../assessments/violations.ts'
import { extendAssessment } from '../server/incidents/extend.ts'
import { setExtraTime } from '../server/incidents/extra-time.ts'
import { reopenAttempt } from '../server/incidents/reopen.ts'
import { exemptCandidate, voidEvent } from '../server/incidents/strikes.ts'
import { describeTime } from '../server/local-time.ts'
import { readStatus } from '../server/status.ts'
import type { AtTheKeyboard } from './organiser.ts'
import { parseCode, parseEventNumber, parseKinds, parseMinutes, parseTimeIn } from './typed.ts'
import {
  CANDIDATE,
  describeExemption,
  describeExtension,
  describeExtraTime,
  describeReopened,
  describeStatus,
  describeVoided,
  examples,
} from './words.ts'

/** What is done while candidates are inside, or because of what happened to them there. */
export function addAttemptCommands(assessments: Command, { asOrganiser }: AtTheKeyboard): void {
  assessments
    .command('extra-time')
    .argument('<code>', 'the test', parseCode)
    .argument('<username>', CANDIDATE)
    .argument('<minutes>', 'how much longer than the others, in all')
    .option('--lower', 'take away some of the extra time that was given before')
    .summary('gives one candidate more time')
    .description(
      'Sets how many minutes longer than the others a candidate has, in all: repeating the command adds nothing. Also while the test runs; the clock on the screen follows by itself within a minute.',
    )
    .addHelpText('after', examples('extra-time PCF ben.okafor 10'))
    .action(
      async (code: string, username: string, minutes: string, { lower }: { lower?: boolean }) => {
        const seconds = parseMinutes(minutes)
        const done = await asOrganiser((organiser) =>
          setExtraTime(organiser, code, username, seconds, { lower }),
        )
        console.log(describeExtraTime(done))
      },
    )

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
    .argument('<event>', "the event's number, as `assessments events` shows it")
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

  assessments
    .command('reopen')
    .argument('<code>', 'the test', parseCode)
    .argument('<username>', CANDIDATE)
    .requiredOption('--minutes <minutes>', 'how long, from now')
    .requiredOption('--reason <text>', 'why, for whoever asks later')
    .summary('lets a candidate go on after the end')
    .description(
      'Opens a test that is over for one candidate again, for some minutes from now. The answers are as they were. The candidate signs in again on the recruitment page. The minutes for which it was closed are not part of the time in the results.',
    )
    .addHelpText(
      'after',
      examples('reopen PCF ana.silva --minutes 8 --reason "power cut in room 2"'),
    )
    .action(
      async (
        code: string,
        username: string,
        { minutes, reason }: { minutes: string; reason: string },
      ) => {
        const seconds = parseMinutes(minutes)
        const done = await asOrganiser((organiser) =>
          reopenAttempt(organiser, code, username, { seconds, reason }),
        )
        console.log(describeReopened(code, done))
      },
    )

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

  assessments
    .command('extend')
    .argument('<code>', 'the test', parseCode)
    .argument('<minutes>', 'how many minutes to add')
    .requiredOption('--reason <text>', 'why, for whoever asks later')
    .option('--since <time>', 'reopen only those whose time ran out at this time or later')
    .summary('gives everybody more time, after an outage for example')
    .description(
      'Adds minutes for everybody who is in, and opens the test again for those whose time ran out meanwhile, until their new end. Who has submitted is not touched; who has not started yet has the usual time. Repeating the command adds the minutes again.',
    )
    .addHelpText(
      'after',
      examples(
        'extend PCF 10 --reason "no network from 09:10 to 09:20"',
        'extend PCF 20 --reason "server away" --since "2026-03-02 09:10"',
      ),
    )
    .action(
      async (
        code: string,
        minutes: string,
        { reason, since }: { reason: string; since?: string },
      ) => {
        const seconds = parseMinutes(minutes)
        const done = await asOrganiser(async (organiser) =>
          extendAssessment(organiser, code, seconds, {
            reason,
            since: since === undefined ? undefined : await parseTimeIn(organiser, code, since),
          }),
        )
        console.log(describeExtension(done))
      },
    )
}
