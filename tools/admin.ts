import { Command } from 'commander'
import { AdminError, FileProblems } from '../db/assessments/action.ts'
import { isDatabaseUnavailable } from '../db/database.ts'
import { EmbeddedPostgresError } from '../db/embedded/start.ts'
import { CsvProblems } from '../db/question-csv.ts'
import { SecretKeyError } from '../db/secret-key.ts'
import { WrongSecretKeyError } from '../server/auth/keys.ts'
import { addAssessmentCommands } from './admin-assessments.ts'
import { addBackupCommands } from './admin-backup.ts'
import { addDailyCommands } from './admin-daily.ts'
import { addQuestionCommands } from './admin-questions.ts'
import { guardStream } from './admin-terminal.ts'

guardStream(process.stdout)
guardStream(process.stderr)

const program = new Command('npm run admin --')
  .description(
    "Looks after a Superday: its practice questions, the societies' assessments, its backups. Works beside a running server and without one.",
  )
  .showHelpAfterError('(add --help for what there is)')

addQuestionCommands(program)
addAssessmentCommands(program)
addDailyCommands(program)
addBackupCommands(program)

try {
  await program.parseAsync()
} catch (error) {
  console.error(explain(error))
  if (error instanceof CsvProblems) console.error('Nothing was imported.')
  if (error instanceof FileProblems) console.error('Nothing was changed.')
  process.exitCode = 1
}

/** A sentence for the person at the keyboard; what nobody foresaw with all that is known of it. */
function explain(error: unknown): unknown {
  if (
    error instanceof AdminError ||
    error instanceof CsvProblems ||
    error instanceof EmbeddedPostgresError ||
    error instanceof SecretKeyError ||
    error instanceof WrongSecretKeyError ||
    (error as NodeJS.ErrnoException).code === 'ENOENT'
  ) {
    return (error as Error).message
  }
  if (isDatabaseUnavailable(error)) {
    return `The database does not answer (${(error as Error).message || (error as { code?: string }).code}). Nothing was changed, as far as this command knows; look with status or list before you repeat it.`
  }
  return error
}
