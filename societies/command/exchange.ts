import { type Command, Option } from 'commander'
import { withOutput } from '../../platform/command/files.ts'
import { WRITTEN_FORMATS, type WrittenFormat } from '../questions/question-files.ts'
import { exportQuestions } from '../server/exchange/export-questions.ts'
import type { AtTheKeyboard } from './organiser.ts'
import { parseCode } from './typed.ts'
import { count, describeWritten, examples } from './words.ts'

/** Questions for other systems. */
export function addExchangeCommands(assessments: Command, { asOrganiser }: AtTheKeyboard): void {
  assessments.commandsGroup('Questions for other systems:')

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
      'Writes the questions of a test with their keys: as gift for Moodle and others, or as csv, which load --items takes.',
    )
    .addHelpText('after', examples('export PCF --format gift --out /home/ana/pcf.gift.txt'))
    .action(async (code: string, { format, out }: { format: WrittenFormat; out?: string }) => {
      const done = await withOutput(out, async (write) => {
        const written = await asOrganiser((organiser) => exportQuestions(organiser, code, format))
        await write(written.content)
        return written
      })
      if (out) console.error(describeWritten(count(done.count, 'question'), out))
      for (const line of done.exhibits) console.error(line)
    })
}
