import type { Command } from 'commander'
import { withOutput } from '../../platform/command/files.ts'
import { eventsWriter, writeAnswers, writeResults } from '../server/results/csv-text.ts'
import { regradeItem } from '../server/results/regrade.ts'
import { exportAnswers, exportEvents, exportResults } from '../server/results/results.ts'
import type { AtTheKeyboard } from './organiser.ts'
import { addDeleteCommand } from './setup.ts'
import { parseCode, parseItem, parseRuling, type TypedRuling } from './typed.ts'
import {
  count,
  describeOpen,
  describeRegraded,
  describeWritten,
  examples,
  ONE_CANDIDATE,
} from './words.ts'

interface OutOptions {
  out?: string
  demo?: boolean
}

/** What is done when it is over: results, corrections, the end of the season. */
export function addResultCommands(assessments: Command, keyboard: AtTheKeyboard): void {
  const { asOrganiser } = keyboard
  assessments.commandsGroup('Afterwards:')

  exportCommand(assessments, 'results')
    .summary('writes the results')
    .description(
      'Writes the results of everybody who is done: user, correct, incorrect, time (minutes:seconds), cheated (true if a strike stands). Unanswered counts as incorrect.',
    )
    .addHelpText('after', examples('results PCF --out /home/ana/results.csv'))
    .action(async (code: string, { out, demo }: OutOptions) => {
      const { results, openCount } = await withOutput(out, async (write) => {
        const done = await asOrganiser((organiser) => exportResults(organiser, code, { demo }))
        await write(writeResults(done.results))
        return done
      })
      tell(out, count(results.length, 'result'))
      for (const line of describeOpen(openCount)) console.error(line)
    })

  exportCommand(assessments, 'answers')
    .summary('writes every answer, beside the key')
    .description(
      'Writes a line for each candidate and question: what was chosen, the right option, whether it counts as right (void: the question counts for nobody), the number of changes, when it was saved.',
    )
    .addHelpText('after', examples('answers PCF --out /home/ana/answers.csv'))
    .action(async (code: string, { out, demo }: OutOptions) => {
      const { answers } = await withOutput(out, async (write) => {
        const done = await asOrganiser((organiser) => exportAnswers(organiser, code, { demo }))
        await write(writeAnswers(done.answers))
        return done
      })
      tell(out, count(answers.length, 'line'))
    })

  assessments
    .command('events')
    .argument('<code>', 'the test', parseCode)
    .argument('[username]', ONE_CANDIDATE)
    .option('--out <file>', 'the new CSV file to write (otherwise it is shown)')
    .option('--demo', 'demo candidates too')
    .summary('writes everything that happened')
    .description(
      "Writes everything that happened, in its order: sign-ins, starts, saves, strikes. 'counted' is true for a strike that stands.",
    )
    .addHelpText('after', examples('events PCF ana.silva', 'events PCF --out /home/ana/events.csv'))
    .action(async (code: string, username: string | undefined, { out, demo }: OutOptions) => {
      const { count: lines } = await withOutput(out, (write) =>
        asOrganiser((organiser) =>
          exportEvents(organiser, code, { username, demo }, eventsWriter(write)),
        ),
      )
      tell(out, count(lines, 'event'))
    })

  assessments
    .command('regrade')
    .argument('<code>', 'the test', parseCode)
    .requiredOption('--item <number>', 'the number of the question, as in your file', parseItem)
    .option('--accept <option>', 'a further option that counts as right: A, B, C or D')
    .option('--replace <option>', 'the option that is right instead of the key: A, B, C or D')
    .option('--void', 'the question counts for nobody')
    .option('--full-marks', 'everybody has the question right')
    .option('--withdraw', 'take back what was ruled on this question before')
    .requiredOption('--reason <text>', 'why, for whoever asks later')
    .summary('corrects a question whose key was wrong')
    .description(
      'Corrects a question after the test: accepts a further option (the first key stays right for who chose it), puts another option in the place of the key (who chose the key loses the point), takes the question out for everybody, or gives everybody the point. Lists the results that change, old and new.',
    )
    .addHelpText(
      'after',
      `\nOn shuffled papers a question has another number on each screen; here its number in your file counts.\n${examples('regrade PCF --item 7 --accept C --reason "two answers are right"', 'regrade PCF --item 7 --replace C --reason "the key was wrong"', 'regrade PCF --item 7 --void --reason "misprint"')}`,
    )
    .action(async (code: string, options: TypedRuling & { item: number; reason: string }) => {
      const ruling = parseRuling(options)
      const done = await asOrganiser((organiser) =>
        regradeItem(organiser, code, options.item, ruling, options.reason),
      )
      console.log(describeRegraded(done))
    })

  addDeleteCommand(assessments, keyboard)
}

function exportCommand(assessments: Command, name: string): Command {
  return assessments
    .command(name)
    .argument('<code>', 'the test', parseCode)
    .option('--out <file>', 'the new CSV file to write (otherwise it is shown)')
    .option('--demo', 'demo candidates too')
}

/** On the terminal, beside what may be piped into a file. */
function tell(out: string | undefined, what: string): void {
  if (out) console.error(describeWritten(what, out))
}
