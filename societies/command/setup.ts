import type { Command } from 'commander'
import { readTextFile, warnOfCheckout, withNewFile } from '../../platform/command/files.ts'
import { writeCsv } from '../../platform/server/csv/csv.ts'
import { read } from '../server/action.ts'
import { listAssessments, readTimeZone, requireAssessment } from '../server/assessments.ts'
import { loadAssessment } from '../server/authoring/load-assessment.ts'
import { copyAssessment } from '../server/lifecycle/create.ts'
import { publishAssessment, takeBackAssessment } from '../server/lifecycle/publish.ts'
import { importRoster, resetCandidate, revokeCandidate } from '../server/roster.ts'
import { deleteAssessment, deleteDemo } from '../server/season.ts'
import { setWindow } from '../server/window.ts'
import type { AtTheKeyboard } from './organiser.ts'
import { parseCode, parseWindow } from './typed.ts'
import {
  CANDIDATE,
  describeCopied,
  describeDeleted,
  describeDemoDeleted,
  describeImport,
  describeList,
  describeLoaded,
  describePublished,
  describeReset,
  describeRevoked,
  describeWindow,
  describeWindowSet,
  examples,
} from './words.ts'

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
    .option(
      '--society <name>',
      "whose a new test shall be (otherwise the society of the file's name, which is made where there is none); or whose the one is that is replaced",
    )
    .option('--draft', 'not published yet: nobody but its society learns of a new test')
    .summary('reads in a test with its questions')
    .description(
      'Reads in a test: its name, rules, time and questions. Keep the file outside of this folder, so that nobody publishes the answers. Everything in it is checked first; with a single mistake nothing is changed, and all mistakes are listed. You may load it again as long as nobody has started; the candidates stay.',
    )
    .addHelpText(
      'after',
      `\nThe CSV file has the columns ID, Question, Answer A, Answer B, Answer C, Answer D, Correct Option.\n${examples('load /home/ana/pcf.yaml', 'load /home/ana/pcf.yaml --items /home/ana/questions.csv')}`,
    )
    .action(async (file: string, typed: { items?: string; society?: string; draft?: boolean }) => {
      const { items, society, draft: isDraft } = typed
      for (const name of [file, items]) warn(name && warnOfCheckout(name, 'the keys'))
      const yaml = await readTextFile(file)
      const itemsCsv = items === undefined ? null : await readTextFile(items)
      const now = new Date()
      const loaded = await asOrganiser((organiser) =>
        loadAssessment(organiser, { yaml, itemsCsv, society, isDraft }),
      )
      console.log(describeLoaded(loaded, now))
    })

  assessments
    .command('publish')
    .argument('<code>', 'the test', parseCode)
    .option('--back', 'make it a draft again, while nobody has started')
    .summary('shows a draft to candidates')
    .description(
      'Publishes a draft: it stands on the recruitment page, candidates can sign in, and start in its window. It is refused without questions, with one that has an error, and when its window has passed.',
    )
    .addHelpText('after', examples('publish PCF', 'publish PCF --back'))
    .action(async (code: string, { back }: { back?: boolean }) => {
      if (back) {
        await asOrganiser((organiser) => takeBackAssessment(organiser, { code }))
        console.log(`${code} is a draft again; candidates see nothing of it.`)
        return
      }
      const now = new Date()
      const published = await asOrganiser((organiser) => publishAssessment(organiser, { code }))
      console.log(describePublished(code, published))
      const timeZone = await asOrganiser((organiser) => readTimeZone(organiser, code))
      console.log(describeWindow({ ...published, timeZone }, now))
    })

  assessments
    .command('copy')
    .argument('<code>', 'the test that is copied', parseCode)
    .argument('<new>', 'the code of the copy', parseCode)
    .option('--session <name>', 'such as Morning')
    .option('--season <name>', 'such as "Autumn 2026"')
    .summary('copies a test into a draft')
    .description(
      "Copies questions, rules and settings of a test into a draft of the same society; no candidates, and no window, which was last season's.",
    )
    .addHelpText('after', examples('copy PCF PCF27 --season "Autumn 2027"'))
    .action(async (from: string, wanted: string, typed: { session?: string; season?: string }) => {
      const { session = null, season = null } = typed
      const code = await asOrganiser(async (organiser) => {
        const { societyId } = await read(organiser, (client) => requireAssessment(client, from))
        const place = { code: from, societyId }
        return copyAssessment(organiser, place, { code: wanted, session, season })
      })
      console.log(describeCopied(from, code, wanted))
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
      console.log(describeList(await asOrganiser(listAssessments), now))
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
    .action(async (code: string, typed: { opens?: string; closes?: string; zone?: string }) => {
      const set = await asOrganiser(async (organiser) =>
        setWindow(organiser, code, await parseWindow(organiser, code, typed)),
      )
      console.log(describeWindowSet(set, new Date()))
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
      const done = await withNewFile(
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
      console.log(describeImport(code, done, out))
    })

  assessments.commandsGroup('For one candidate:')

  assessments
    .command('reset')
    .argument('<code>', 'the test', parseCode)
    .argument('<username>', CANDIDATE)
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
      console.log(describeReset(done, out))
    })

  assessments
    .command('revoke')
    .argument('<code>', 'the test', parseCode)
    .argument('<username>', CANDIDATE)
    .summary('shuts a candidate out')
    .description(
      'Shuts a candidate out at once. What was answered stays. To admit the candidate again: reset.',
    )
    .addHelpText('after', examples('revoke PCF ana.silva'))
    .action(async (code: string, username: string) => {
      const done = await asOrganiser((organiser) => revokeCandidate(organiser, code, username))
      console.log(describeRevoked(code, done))
    })
}

/** Deleting comes last in the help. */
export function addDeleteCommand(assessments: Command, { asOrganiser }: AtTheKeyboard): void {
  assessments
    .command('delete')
    .argument('<code>', 'the test', parseCode)
    .requiredOption('--confirm <code>', 'the code a second time', parseCode)
    .option('--demo', 'only the demo candidates and what they did')
    .summary('deletes a test for good')
    .description(
      'Deletes what belongs to a test: candidates, answers, events, results, questions. There is no way back; take out what you need before (results, answers, events, reports). It is refused while somebody is inside or can start, now or later. Its line and the log stay; a draft and a sample go without a trace but in the log.',
    )
    .addHelpText('after', examples('delete PCF --confirm PCF'))
    .action(async (code: string, { confirm, demo }: { confirm: string; demo?: boolean }) => {
      if (demo) {
        const candidates = await asOrganiser((organiser) => deleteDemo(organiser, code, confirm))
        console.log(describeDemoDeleted(code, candidates))
        return
      }
      const gone = await asOrganiser((organiser) => deleteAssessment(organiser, code, confirm))
      console.log(describeDeleted(code, gone))
    })
}

function warn(sentence: string | null | undefined | ''): void {
  if (sentence) console.error(sentence)
}
