import type { Command } from 'commander'
import type { CommandDatabase } from '../../platform/command/command-database.ts'
import { addAttemptCommands } from './attempts.ts'
import { addExchangeCommands } from './exchange.ts'
import { organiserAt } from './organiser.ts'
import { addResultCommands } from './results.ts'
import { addSetupCommands } from './setup.ts'

const AFTERWARDS = `
An assessment has a code, such as PCF or ESFS_MORNING, which you name in every command.
What you change or take out is noted with your name and the time.
Where a command takes a candidate's username, it also takes the reference on the completion screen.

A day from start to end:
  npm run admin -- assessments load /home/ana/pcf.yaml
  npm run admin -- assessments window PCF --opens "2026-03-02 09:00" --closes "2026-03-02 09:30"
  npm run admin -- assessments roster PCF /home/ana/roster.csv --out /home/ana/passwords.csv
  npm run admin -- assessments status PCF
  npm run admin -- assessments results PCF --out /home/ana/results.csv

Each command explains itself: npm run admin -- assessments roster --help
The whole day, and an appeal, step by step: docs/assessment-day.md`

/** `assessments …`: what a society's organisers do before, during and after their test. */
export function addAssessmentCommands(program: Command, database: CommandDatabase): void {
  const keyboard = organiserAt(database)
  const commands = program
    .command('assessments')
    .description('the recruitment tests of the societies')
    .addHelpText('after', AFTERWARDS)
  addSetupCommands(commands, keyboard)
  addExchangeCommands(commands, keyboard)
  addAttemptCommands(commands, keyboard)
  addResultCommands(commands, keyboard)
}
