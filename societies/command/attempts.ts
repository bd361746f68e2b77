import type { Command } from 'commander'
import { formatMinutes } from '../../assessments/time-left.ts'
import { COUNTED_KINDS } from '../../assessments/violations.ts'
import { parseMinutes } from '../server/action.ts'
import { describeTime } from '../server/local-time.ts'
import { type CandidateStatus, readStatus } from '../server/status.ts'
import { exemptCandidate, voidEvent } from '../server/strikes.ts'
import { extendAssessment, reopenAttempt, setExtraTime } from '../server/time.ts'
import type { AtTheKeyboard } from './organiser.ts'
import { count, describeStrikes, examples, parseCode, table } from './words.ts'

/** What is done while candidates are inside, or because of what happened to them there. */
export function addAttemptCommands(assessments: Command, { asOrganiser }: AtTheKeyboard): void {
  assessments
    .command('extra-time')
    .argument('<code>', 'the test', parseCode)
    .argument('<username>', 'the candidate')
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
        console.log(
          `Extra time of ${done.username}: ${done.before / 60} minutes before, ${done.after / 60} now.`,
        )
        if (done.deadlineAt) {
          console.log(
            `The test that is under way ends on ${describeTime(done.deadlineAt, done.timeZone)}.`,
          )
        }
      },
    )

  assessments
    .command('exempt')
    .argument('<code>', 'the test', parseCode)
    .argument('<username>', 'the candidate')
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
      async (code: string, username: string, add: string[], { clear }: { clear?: boolean }) => {
        const done = await asOrganiser((organiser) =>
          exemptCandidate(organiser, code, username, { add, clear }),
        )
        console.log(
          done.kinds.length > 0
            ? `${done.username} is exempt from: ${done.kinds.join(', ')}.`
            : `Everything counts for ${done.username} again.`,
        )
        if (done.strikes) console.log(describeStrikes(code, done.username, done.strikes))
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
    .action(async (code: string, event: string, { reason }: { reason: string }) => {
      const done = await asOrganiser((organiser) => voidEvent(organiser, code, event, reason))
      console.log(`Event ${event} (${done.kind}) no longer counts.`)
      console.log(describeStrikes(code, done.username, done))
    })

  assessments
    .command('reopen')
    .argument('<code>', 'the test', parseCode)
    .argument('<username>', 'the candidate')
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
        console.log(
          `The test of ${done.username} is open again until ${describeTime(done.deadlineAt, done.timeZone)}.`,
        )
        if (done.isRevoked) {
          console.log(
            `${done.username} is revoked; assessments reset ${code} ${done.username} admits again.`,
          )
        }
        if (!done.isListed) {
          console.log(
            `${code} closed more than a day ago and is no longer on the recruitment page; move its end with: assessments window ${code} --closes "…".`,
          )
        }
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
        const done = await asOrganiser((organiser) =>
          extendAssessment(organiser, code, seconds, { reason, since }),
        )
        const show = (title: string, list: { username: string; deadlineAt: Date }[]) => {
          if (list.length === 0) return
          console.log(title)
          console.log(
            table(
              list.map(({ username, deadlineAt }) => [
                username,
                describeTime(deadlineAt, done.timeZone),
              ]),
            ),
          )
        }
        show(`${count(done.moved.length, 'candidate')} inside, new end:`, done.moved)
        show(
          `${count(done.reopened.length, 'test')} opened again (the candidates sign in again), new end:`,
          done.reopened,
        )
        show(
          `${count(done.tooLate.length, 'test')} not opened, since the new end would be over already; give more minutes, or use reopen:`,
          done.tooLate,
        )
        if (done.moved.length + done.reopened.length + done.tooLate.length === 0) {
          console.log('Nobody is inside, and nobody was stopped by the clock: nothing to extend.')
        }
      },
    )
}

/** The status as text: a line of figures, then who is where. */
export function describeStatus(candidates: readonly CandidateStatus[]): string {
  const admitted = candidates.filter(({ isRevoked, where }) => !isRevoked || where === 'submitted')
  const revoked = candidates.filter((one) => !admitted.includes(one))
  const at = (where: CandidateStatus['where']) => admitted.filter((one) => one.where === where)
  const names = (list: readonly CandidateStatus[]) =>
    list.map(({ username }) => username).join(', ')
  const [absent, verified, running, submitted] = [
    at('absent'),
    at('verified'),
    at('running'),
    at('submitted'),
  ]
  const blocks = [
    `${count(candidates.length, 'candidate')}: ${absent.length} not here yet, ${verified.length} signed in and not started, ${running.length} inside, ${submitted.length} done${revoked.length > 0 ? `, ${revoked.length} revoked` : ''}`,
  ]
  if (absent.length > 0) blocks.push(`Not here yet: ${names(absent)}`)
  if (verified.length > 0) blocks.push(`Signed in, not started: ${names(verified)}`)
  if (running.length > 0) {
    blocks.push(
      `Inside:\n${table([
        ['user', 'answered', 'time left', 'strikes', ''],
        ...running.map((one) => [
          one.username,
          `${one.answered} of ${one.total}`,
          formatMinutes(one.remainingMs),
          String(one.strikes),
          one.extraSeconds > 0 ? `${one.extraSeconds / 60} extra minutes` : '',
        ]),
      ])}`,
    )
  }
  if (submitted.length > 0) {
    blocks.push(
      `Done:\n${table([
        ['user', 'answered', 'strikes', 'ended by'],
        ...submitted.map((one) => [
          one.username,
          `${one.answered} of ${one.total}`,
          String(one.strikes),
          one.submitReason ?? '',
        ]),
      ])}`,
    )
  }
  if (revoked.length > 0) blocks.push(`Revoked: ${names(revoked)}`)
  const looks = candidates.flatMap(describeLook)
  if (looks.length > 0) blocks.push(`Worth a look:\n${looks.join('\n')}`)
  return blocks.join('\n')
}

function describeLook({ username, unmonitored, userCount, addresses }: CandidateStatus): string[] {
  return [
    ...unmonitored.map((sentence) => `  ${username}: unmonitored (${sentence})`),
    ...(userCount > 1 ? [`  ${username}: ${userCount} accounts`] : []),
    ...(addresses.length > 1
      ? [`  ${username}: ${addresses.length} addresses (${addresses.join(', ')})`]
      : []),
  ]
}
