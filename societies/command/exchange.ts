import { type Command, InvalidArgumentError, Option } from 'commander'
import { readBytes, warnOfCheckout, withOutput } from '../../platform/command/files.ts'
import { AdminError } from '../../platform/server/admin-error.ts'
import {
  COLUMN_ROLES,
  type ColumnRole,
  ENCODINGS,
  type Encoding,
  READ_FORMATS,
  type ReadFormat,
} from '../questions/question-files.ts'
import { WRITTEN_FORMATS, type WrittenFormat } from '../questions/written-formats.ts'
import { exportQuestions } from '../server/exchange/export-questions.ts'
import { importQuestions, reviewFile } from '../server/exchange/import-questions.ts'
import { LIMITS } from '../server/exchange/question.ts'
import { describeImported, describeNotWritten, describeReview } from './exchange-words.ts'
import type { AtTheKeyboard } from './organiser.ts'
import { parseCode } from './typed.ts'
import { count, describeWritten, examples } from './words.ts'

interface ImportOptions {
  into?: string
  format?: ReadFormat
  encoding?: Encoding
  column: Partial<Record<ColumnRole, string>>
}

/** Questions from and for other systems. */
export function addExchangeCommands(assessments: Command, { asOrganiser }: AtTheKeyboard): void {
  assessments.commandsGroup('Questions from and for other systems:')

  assessments
    .command('import')
    .argument(
      '<file>',
      'questions as GIFT, Aiken, Moodle XML, QTI, CSV, or .xlsx (Kahoot, Quizizz)',
    )
    .option('--into <code>', 'add them to this test, which nobody has started yet', parseCode)
    .addOption(new Option('--format <format>', 'where the guess is wrong').choices(READ_FORMATS))
    .addOption(
      new Option('--encoding <encoding>', 'where accents come out wrong').choices(ENCODINGS),
    )
    .option(
      '--column <role=name>',
      `where a table names a column otherwise: ${COLUMN_ROLES.join(', ')}; once for each`,
      parseColumn,
      {},
    )
    .summary('reads questions of another system')
    .description(
      'Shows which questions of a file can be imported and which can not, why, and in which line they stand. Nothing is stored before you say where with --into: then those that can be are added behind the questions of that test. They need four options and one right answer; pictures and layout are not taken over.',
    )
    .addHelpText(
      'after',
      examples(
        'import /home/ana/moodle.xml',
        'import /home/ana/moodle.xml --into PCF',
        'import /home/ana/fragen.csv --column question=Frage --column a="Antwort 1" --column b="Antwort 2" --column c="Antwort 3" --column d="Antwort 4" --column correct=Richtig',
      ),
    )
    .action(async (file: string, options: ImportOptions) => {
      const warning = warnOfCheckout(file, 'the keys')
      if (warning) console.error(warning)
      const { into, column: columns, ...told } = options
      const bytes = await readBytes(file, LIMITS.fileBytes)
      if (into === undefined) {
        console.log(describeReview(await reviewFile(bytes, { ...told, columns })))
        return
      }
      const done = await asOrganiser((organiser) =>
        importQuestions(organiser, into, bytes, { ...told, columns }),
      )
      console.log(describeImported(into, done))
    })

  assessments
    .command('export')
    .argument('<code>', 'the test', parseCode)
    .addOption(
      new Option('--format <format>', 'which other systems read')
        .choices(WRITTEN_FORMATS)
        .makeOptionMandatory(),
    )
    .option('--out <file>', 'the new file to write (otherwise it is shown)')
    .summary('writes the questions for another system')
    .description(
      'Writes the questions of a test with their keys: for Moodle and others gift, aiken or moodle; qti3 is a zip file for newer ones; csv is what load --items takes.',
    )
    .addHelpText('after', examples('export PCF --format moodle --out /home/ana/pcf.xml'))
    .action(async (code: string, { format, out }: { format: WrittenFormat; out?: string }) => {
      if (format === 'qti3' && out === undefined && process.stdout.isTTY) {
        throw new AdminError('QTI is a zip file: please say where to write it with --out.')
      }
      const done = await withOutput(out, async (write) => {
        const written = await asOrganiser((organiser) => exportQuestions(organiser, code, format))
        await write(written.content)
        return written
      })
      if (out) console.error(describeWritten(count(done.count, 'question'), out))
      for (const line of [...describeNotWritten(done), ...done.exhibits]) console.error(line)
    })
}

/** 'question=Frage', once for each role. */
function parseColumn(text: string, before: ImportOptions['column']): ImportOptions['column'] {
  const [, written, name] = /^(\w+)=(.+)$/.exec(text) ?? []
  const role = COLUMN_ROLES.find((one) => one === written?.toLowerCase())
  if (!role || !name) {
    throw new InvalidArgumentError(
      `It is a role and a name such as question=Frage; roles are ${COLUMN_ROLES.join(', ')}.`,
    )
  }
  return { ...before, [role]: name }
}
