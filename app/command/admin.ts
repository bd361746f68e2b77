import { Command } from 'commander'
import { addDailyCommands } from '../../daily/command/daily.ts'
import { guardStream } from '../../platform/command/files.ts'
import { isDatabaseUnavailable } from '../../platform/database/database.ts'
import { AdminError, FileProblems, wordsOf } from '../../platform/server/admin-error.ts'
import { addQuestionCommands } from '../../practice/command/questions.ts'
import { addAssessmentCommands } from '../../societies/command/assessments.ts'
import { addSocietyCommands, explainRefusal } from '../../societies/command/societies.ts'
import { addBackupCommands } from './backup.ts'
import { mailSettings, withDatabase, withDatabaseAndKey } from './database.ts'
import { addDoctorCommand } from './doctor.ts'

guardStream(process.stdout)
guardStream(process.stderr)

const program = new Command('npm run admin --')
  .description(
    'Manages a Superday installation: its practice questions, societies, test files and backups. Works with or without a running server.',
  )
  .showHelpAfterError('(add --help for details)')

const database = { withDatabase, withDatabaseAndKey, mailSettings }
addQuestionCommands(program, database)
addAssessmentCommands(program, database)
addSocietyCommands(program, database)
addDailyCommands(program, database)
addBackupCommands(program)
addDoctorCommand(program)

try {
  await program.parseAsync()
} catch (error) {
  console.error(explain(error))
  if (error instanceof FileProblems) console.error('Nothing was changed.')
  process.exitCode = 1
}

/** Returns a message for the operator, or the whole error if it was unexpected. */
function explain(error: unknown): unknown {
  const sentence = explainRefusal(error)
  if (sentence !== null) return sentence
  const { message, code } = error as NodeJS.ErrnoException
  if (error instanceof AdminError || code === 'ENOENT') return message
  if (isDatabaseUnavailable(error)) {
    return `The database does not respond (${wordsOf(error)}). As far as this command knows, nothing was changed. Check before you repeat it.`
  }
  return error
}
