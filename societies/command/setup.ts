import type { Command } from 'commander'
import { readTextFile, warnOfCheckout, withNewFile } from '../../platform/command/files.ts'
import { writeCsv } from '../../platform/server/csv.ts'
import { loadAssessment } from '../server/authoring/load-assessment.ts'
import { importRoster, resetCandidate, revokeCandidate } from '../server/roster.ts'
import { deleteAssessment, deleteDemo } from '../server/season.ts'
import { listAssessments } from '../server/status.ts'
import { setWindow } from '../server/window.ts'
import type { AtTheKeyboard } from './organiser.ts'
import { count, describeWindow, examples, parseCode } from './words.ts'

const PASSWORD_COLUMNS = ['username', 'password'] as const

/** What is done before the day, and at its end: the test itself, its window, its candidates. */
export function addSetupCommands(
  assessments: Command,
  { asOrganiser, asOrganiserWithKey }: AtTheKeyboard,
): void {
  assessments.commandsGroup('Before the day:')

  assessments
    .command('load')
    .argument(
      '<file>',
      "your society's test as a YAML file (content/assessments/ has samples of it)",
    )
    .option('--items <file>', 'the questions as a CSV file, where the YAML file has none')
    .summary('reads in a test with its questions')
    .description(
      'Reads in a test: its name, rules, time and questions. Keep the file outside of this folder, so that nobody publishes the answers. Everything in it is checked first; with a single mistake nothing is changed, and all mistakes are listed. You may load it again as long as nobody has started; the candidates stay.',
    )
    .addHelpText(
      'after',
      `\nThe CSV file has the columns ID, Question, Answer A, Answer B, Answer C, Answer D, Correct Option.\n${examples('load /home/ana/pcf.yaml', 'load /home/ana/pcf.yaml --items /home/ana/questions.csv')}`,
    )
    .action(async (file: string, { items }: { items?: string }) => {
      for (const name of [file, items]) warn(name && warnOfCheckout(name, 'the keys'))
      const yaml = await readTextFile(file)
      const itemsCsv = items === undefined ? null : await readTextFile(items)
      const now = new Date()
      const loaded = await asOrganiser((organiser) => loadAssessment(organiser, { yaml, itemsCsv }))
      const { code, session } = loaded
      console.log(
        loaded.isUnchanged
          ? `${code} stands as in this file already; nothing was changed.`
          : `${code} is loaded${loaded.isNew ? '' : ' again'}: ${loaded.society}${session ? ` - ${session}` : ''}, ${count(loaded.itemCount, 'question')}, ${loaded.durationSeconds / 60} minutes, ${count(loaded.candidateCount, 'candidate')} on the roster.`,
      )
      console.log(describeWindow(loaded, now))
      if (loaded.windowBefore) {
        console.log('The file has changed these times; before, they were:')
        console.log(describeWindow({ ...loaded.windowBefore, timeZone: loaded.timeZone }, now))
      }
      if (loaded.demoAttemptsRemoved > 0) {
        console.log(
          `${count(loaded.demoAttemptsRemoved, 'demo attempt was', 'demo attempts were')} removed.`,
        )
      }
    })

  assessments
    .command('list')
    .summary('lists all tests with their times')
    .description(
      'Lists all tests: when they can be started, how many candidates there are, how many are in.',
    )
    .addHelpText('after', examples('list'))
    .action(async () => {
      const now = new Date()
      const all = await asOrganiser(listAssessments)
      for (const one of all) {
        const name = one.session ? `${one.society} - ${one.session}` : one.society
        console.log(
          `${one.code}  ${name}${one.isSample ? '  (sample: everybody can read its keys)' : ''}`,
        )
        console.log(
          `  ${count(one.itemCount, 'question')}, ${one.durationSeconds / 60} minutes; ${count(one.candidateCount, 'candidate')}, ${one.runningCount} inside, ${one.submittedCount} submitted`,
        )
        console.log(describeWindow(one, now))
      }
      if (all.length === 0) console.log('There is none yet: assessments load FILE reads one in.')
    })

  assessments
    .command('window')
    .argument('<code>', 'the test', parseCode)
    .option('--opens <time>', 'first moment to start, as "2026-03-02 09:00", or none')
    .option('--closes <time>', 'last moment to start, as "2026-03-02 09:30", or none')
    .option(
      '--zone <name>',
      "whose clocks are meant, such as Europe/Lisbon (otherwise the test's own)",
    )
    .summary('sets when the test can be started')
    .description(
      'Sets the first and the last moment to start. Who has started in time keeps the whole time. The times are printed in your zone and in UTC: please read them once.',
    )
    .addHelpText(
      'after',
      examples(
        'window PCF --opens "2026-03-02 09:00" --closes "2026-03-02 09:30"',
        'window PCF --opens "2026-03-02 09:00" --closes none --zone Europe/London',
      ),
    )
    .action(async (code: string, change: { opens?: string; closes?: string; zone?: string }) => {
      const set = await asOrganiser((organiser) => setWindow(organiser, code, change))
      console.log(`${code}:`)
      console.log(describeWindow(set, new Date()))
      if (set.startedCount > 0) {
        console.log(
          `${count(set.startedCount, 'candidate has', 'candidates have')} started already; they are not touched.`,
        )
      }
    })

  assessments
    .command('roster')
    .argument('<code>', 'the test', parseCode)
    .argument('<file>', 'CSV with a column username, and if need be extra_minutes')
    .requiredOption('--out <file>', 'the new CSV file that gets the passwords')
    .summary('adds candidates and makes their passwords')
    .description(
      'Adds the candidates of a CSV file and makes a password for each. The passwords go into a new file that only you can read; they are not shown and cannot be read again later. If a name is blank, stands twice, or is on the roster already, nobody is added, and each such line is named.',
    )
    .addHelpText(
      'after',
      `\nA roster looks like this:\n  username,extra_minutes\n  ana.silva,\n  ben.okafor,10\n${examples('roster PCF /home/ana/roster.csv --out /home/ana/passwords.csv')}`,
    )
    .action(async (code: string, file: string, { out }: { out: string }) => {
      for (const name of [file, out]) warn(warnOfCheckout(name, 'names and passwords'))
      const csv = await readTextFile(file)
      const { added, withExtraTime } = await withNewFile(
        out,
        (write) =>
          asOrganiserWithKey((organiser, secretKey) =>
            importRoster(organiser, code, csv, {
              secretKey,
              deliver: (issued) =>
                write(
                  writeCsv(
                    PASSWORD_COLUMNS,
                    issued.map(({ username, password }) => [username, password]),
                  ),
                ),
            }),
          ),
        { keepOnceWritten: true },
      )
      console.log(
        `${count(added, 'candidate')} added to ${code}${withExtraTime > 0 ? `, ${withExtraTime} of them with extra time` : ''}. Their passwords are in ${out}; keep it safe, and delete it when they have been sent.`,
      )
    })

  assessments.commandsGroup('For one candidate:')

  assessments
    .command('reset')
    .argument('<code>', 'the test', parseCode)
    .argument('<username>', 'the candidate')
    .option('--out <file>', 'write the new password into a new file instead of showing it')
    .summary('gives a candidate a new password')
    .description(
      'Gives a candidate a new password and ends the old one. Whoever is signed in with the old one is out and signs in again; nothing that was answered is lost. Also admits a revoked candidate again.',
    )
    .addHelpText('after', examples('reset PCF ana.silva'))
    .action(async (code: string, username: string, { out }: { out?: string }) => {
      const reset = (deliver?: Parameters<typeof resetCandidate>[3]['deliver']) =>
        asOrganiserWithKey((organiser, secretKey) =>
          resetCandidate(organiser, code, username, { secretKey, deliver }),
        )
      const done = out
        ? await withNewFile(
            out,
            (write) =>
              reset((issued) =>
                write(
                  writeCsv(
                    PASSWORD_COLUMNS,
                    issued.map((one) => [one.username, one.password]),
                  ),
                ),
              ),
            { keepOnceWritten: true },
          )
        : await reset()
      console.log(
        out
          ? `The new password of ${done.username} is in ${out}.`
          : `The new password of ${done.username}, shown this once: ${done.password}`,
      )
      if (done.wasRevoked) console.log(`${done.username} was revoked, and is admitted again.`)
    })

  assessments
    .command('revoke')
    .argument('<code>', 'the test', parseCode)
    .argument('<username>', 'the candidate')
    .summary('shuts a candidate out')
    .description(
      'Shuts a candidate out at once. What was answered stays. To admit the candidate again: reset.',
    )
    .addHelpText('after', examples('revoke PCF ana.silva'))
    .action(async (code: string, username: string) => {
      const done = await asOrganiser((organiser) => revokeCandidate(organiser, code, username))
      console.log(
        `${done.username} is shut out of ${code}.${done.isRunning ? ' The test that was under way ends at its deadline with what was answered.' : ''}`,
      )
    })
}

/** Deleting comes last in the help. */
export function addDeleteCommand(assessments: Command, { asOrganiser }: AtTheKeyboard): void {
  assessments
    .command('delete')
    .argument('<code>', 'the test', parseCode)
    .requiredOption('--confirm <code>', 'the code a second time')
    .option('--demo', 'only the demo candidates and what they did')
    .summary('deletes a whole season for good')
    .description(
      'Deletes a test with everything that belongs to it: candidates, answers, events, results, questions. There is no way back; take out what you need before (results, answers, events, dossier).',
    )
    .addHelpText('after', examples('delete PCF --confirm PCF'))
    .action(async (code: string, { confirm, demo }: { confirm: string; demo?: boolean }) => {
      if (demo) {
        const candidates = await asOrganiser((organiser) => deleteDemo(organiser, code, confirm))
        console.log(`${count(candidates, 'demo candidate')} of ${code} deleted.`)
        return
      }
      const gone = await asOrganiser((organiser) => deleteAssessment(organiser, code, confirm))
      console.log(
        `${code} is deleted: ${count(gone.candidates, 'candidate')}, ${count(gone.attempts, 'attempt')}, ${count(gone.events, 'event')}, ${count(gone.items, 'question')}.`,
      )
    })
}

function warn(sentence: string | null | undefined | ''): void {
  if (sentence) console.error(sentence)
}
