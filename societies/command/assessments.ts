import { type Command, Option } from 'commander'
import type { CommandDatabase } from '../../platform/command/command-database.ts'
import { readTextFile, warnOfCheckout, withOutput } from '../../platform/command/files.ts'
import { describeDuration } from '../../platform/durations.ts'
import { countOf } from '../../platform/words.ts'
import { formatLocalTime } from '../kit/server/local-time.ts'
import { WRITTEN_FORMATS, type WrittenFormat } from '../questions/question-files.ts'
import { type Loaded, loadAssessment } from '../questions/server/authoring/load-assessment.ts'
import { exportQuestions } from '../questions/server/exchange/export-questions.ts'
import { deleteDemoData } from '../server/demo.ts'
import { organizerAt } from './societies.ts'

/** `assessments …`: tests as files. Everything else is done in the browser. */
export function addAssessmentCommands(program: Command, database: CommandDatabase): void {
  const assessments = program
    .command('assessments')
    .description('the recruitment tests of the societies, as files')

  assessments
    .command('load')
    .argument('<file>', 'the test as a YAML file (content/assessments/ has samples of it)')
    .option('--items <file>', 'the questions as a CSV file, if the YAML file has none')
    .option(
      '--society <name>',
      'the society that owns the test (otherwise the one that the file names, which is made if it does not exist)',
    )
    .option('--draft', 'do not publish a new test yet')
    .summary('loads a test with its questions')
    .description(
      'Loads a test: its name, rules, time and questions. Keep the file outside this folder, so that nobody publishes the answers. The whole file is checked first: a single mistake changes nothing, and all mistakes are listed. You can load it again until a candidate starts; the candidates stay.',
    )
    .addHelpText(
      'after',
      '\nThe CSV file has the columns ID, Question, Answer A, Answer B, Answer C, Answer D, Correct Option.\nExamples:\n  npm run admin -- assessments load /home/ana/pcf.yaml\n  npm run admin -- assessments load /home/ana/pcf.yaml --items /home/ana/questions.csv',
    )
    .action(async (file: string, typed: { items?: string; society?: string; draft?: boolean }) => {
      const { items, society, draft: isDraft } = typed
      for (const name of [file, items]) {
        const warning = name && warnOfCheckout(name, 'the keys')
        if (warning) console.error(warning)
      }
      const yaml = await readTextFile(file)
      const itemsCsv = items === undefined ? null : await readTextFile(items)
      const now = new Date()
      const loaded = await database.withDatabase((db) =>
        loadAssessment(organizerAt(db), { yaml, itemsCsv, society, isDraft }),
      )
      console.log(describeLoaded(loaded, now))
    })

  assessments
    .command('export')
    .argument('<code>', 'the test')
    .addOption(
      new Option('--format <format>', 'a format that other systems read')
        .choices(WRITTEN_FORMATS)
        .makeOptionMandatory(),
    )
    .option('--out <file>', 'the new file to write (otherwise the terminal)')
    .summary('writes the questions of a test into a file')
    .description(
      'Writes the questions of a test with their keys: as gift for Moodle and others, or as csv, which load --items takes.',
    )
    .addHelpText(
      'after',
      '\nExample:\n  npm run admin -- assessments export PCF --format gift --out /home/ana/pcf.gift.txt',
    )
    .action(async (typed: string, { format, out }: { format: WrittenFormat; out?: string }) => {
      const code = typed.trim().toUpperCase()
      const { count, exhibits } = await withOutput(out, async (write) => {
        const written = await database.withDatabase((db) =>
          exportQuestions({ ...organizerAt(db), code }, format),
        )
        await write(written.content)
        return written
      })
      // Beside the file, which may go into another program.
      if (out) console.error(`${countOf(count, 'question')} written to ${out}.`)
      for (const line of exhibits) console.error(line)
    })

  assessments
    .command('delete-demo')
    .summary('deletes the sample tests and demo candidates')
    .description(
      'Deletes the sample tests that npm start loads, with everything in them, and the demo candidates of all tests. npm run serve needs a database without them.',
    )
    .addHelpText('after', '\nExample:\n  npm run admin -- assessments delete-demo')
    .action(async () => {
      const { samples, candidates } = await database.withDatabase((db) =>
        deleteDemoData(organizerAt(db)),
      )
      console.log(
        `Deleted: ${countOf(samples.length, 'sample test')} (${samples.join(', ') || 'none'}) and ${countOf(candidates, 'demo candidate')}.`,
      )
    })
}

function describeLoaded(loaded: Loaded, now: Date): string {
  const { code, society, session, timeZone, windowBefore, demoAttemptsRemoved } = loaded
  const name = session ? `${society} - ${session}` : society
  const lines = [
    loaded.isUnchanged
      ? `${code} is the same as in this file already. Nothing was changed.`
      : `${code} is loaded${loaded.isNew ? '' : ' again'}: ${name}, ${countOf(loaded.itemCount, 'question')}, ${describeDuration(loaded.durationSeconds)}, ${countOf(loaded.candidateCount, 'candidate')} on the list.`,
  ]
  if (loaded.isDraft) {
    lines.push('It is a draft: candidates see it once you publish it in the browser.')
  }
  lines.push(describeWindow(loaded, now))
  if (windowBefore) {
    lines.push('The file changed these times. Before, they were:')
    lines.push(describeWindow({ ...windowBefore, timeZone }, now))
  }
  if (demoAttemptsRemoved > 0) {
    const removed = countOf(demoAttemptsRemoved, 'demo attempt was', 'demo attempts were')
    lines.push(`${removed} removed.`)
  }
  return lines.join('\n')
}

/** When a test can be started, on the clocks of its zone and in UTC, so that nobody takes one for the other. */
function describeWindow(
  window: { opensAt: Date | null; closesAt: Date | null; timeZone: string },
  now: Date,
): string {
  const { opensAt, closesAt, timeZone } = window
  if (!opensAt && !closesAt) return '  can be started at any time: it is open now'
  const at = (time: Date) => {
    const weekday = time.toLocaleDateString('en-US', { timeZone, weekday: 'long' })
    return `${weekday} ${formatLocalTime(time, timeZone)} ${timeZone} (${formatLocalTime(time, 'UTC')} UTC)`
  }
  const isOver = closesAt !== null && now > closesAt
  const state = opensAt && now < opensAt ? 'not open yet' : isOver ? 'closed' : 'open'
  return [
    `  opens:  ${opensAt ? at(opensAt) : 'no limit'}`,
    `  closes: ${closesAt ? at(closesAt) : 'no limit'}${closesAt ? ' (candidates who have started by then keep their whole time)' : ''}`,
    `  now:    ${at(now)}, ${state}`,
  ].join('\n')
}
