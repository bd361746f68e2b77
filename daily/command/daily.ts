import { readFile, writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { CommandDatabase } from '../../platform/command/command-database.ts'
import { exportDaily, importDaily } from '../server/brainteasers.ts'

/** `daily …`: lists and schedules brainteasers by date. */
export function addDailyCommands(program: Command, { withDatabase }: CommandDatabase): void {
  const commands = program.command('daily').description('the daily brainteasers')

  commands
    .command('import')
    .argument('<file>', 'CSV with the columns Date, Statement, A, B, C, D, Correct, Explanation')
    .description(
      'schedule brainteasers for dates written like 5/3/27 (day/month/year); a file with a problem changes nothing',
    )
    .action(async (file: string) => {
      const csv = await readFile(file, 'utf8')
      const count = await withDatabase((db) => importDaily(db, csv, new Date()))
      console.log(`${count} brainteasers scheduled.`)
    })

  commands
    .command('export')
    .argument('<file>', 'the CSV file to write')
    .description('write every date that has a brainteaser to a CSV file')
    .action(async (file: string) => {
      await writeFile(file, await withDatabase(exportDaily))
      console.log(`Written to ${file}.`)
    })
}
