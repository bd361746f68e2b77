import { readFile, writeFile } from 'node:fs/promises'
import { Command } from 'commander'
import { asc, eq, isNull } from 'drizzle-orm'
import { type Database, openDatabase } from '../db/database.ts'
import {
  EmbeddedPostgresError,
  findRunningPostgres,
  startEmbeddedPostgres,
} from '../db/embedded/start.ts'
import { migrateDatabase } from '../db/migrate.ts'
import { CsvProblems, exportQuestions, importQuestions } from '../db/question-csv.ts'
import { questionReports, questions } from '../db/schema.ts'
import { parseSettings } from '../server/settings.ts'

const program = new Command('npm run admin --')
  .description('Looks after a Superday: its questions and what students report about them.')
  .showHelpAfterError('(add --help for what there is)')

const questionCommands = program.command('questions').description('the practice questions')

questionCommands
  .command('import')
  .argument('<file>', 'CSV with the columns ID, Category, Difficulty, Question, Answer A …')
  .description(
    'adds and corrects questions; a file with a problem changes nothing. Leave ID empty for a new question.',
  )
  .action(async (file: string) => {
    const text = await readFile(file, 'utf8')
    const { added, changed } = await withDatabase((db) => importQuestions(db, text))
    console.log(`${added} questions added, ${changed} changed.`)
  })

questionCommands
  .command('export')
  .argument('<file>', 'the CSV file to write')
  .description('writes all questions into a CSV file')
  .action(async (file: string) => {
    const csv = await withDatabase(exportQuestions)
    await writeFile(file, csv)
    console.log(`Written to ${file}.`)
  })

questionCommands
  .command('reports')
  .description('lists the problems that students reported and nobody has resolved yet')
  .action(async () => {
    const open = await withDatabase((db) =>
      db
        .select({
          id: questionReports.id,
          questionId: questionReports.questionId,
          reason: questionReports.reason,
          details: questionReports.details,
          createdAt: questionReports.createdAt,
          question: questions.question,
        })
        .from(questionReports)
        .innerJoin(questions, eq(questions.id, questionReports.questionId))
        .where(isNull(questionReports.resolvedAt))
        .orderBy(asc(questionReports.createdAt)),
    )
    for (const report of open) {
      console.log(
        `${report.id}  ${report.createdAt.toISOString()}  question ${report.questionId}: ${report.reason}`,
      )
      console.log(`  ${report.question}`)
      if (report.details) console.log(`  “${report.details}”`)
    }
    console.log(`${open.length} open reports.`)
  })

questionCommands
  .command('resolve')
  .argument('<report>', 'the id that `questions reports` prints')
  .description('marks a report as resolved')
  .action(async (report: string) => {
    const changed = await withDatabase((db) =>
      db
        .update(questionReports)
        .set({ resolvedAt: new Date() })
        .where(eq(questionReports.id, report))
        .returning({ id: questionReports.id }),
    )
    if (changed.length === 0) throw new AdminError(`There is no report ${report}.`)
    console.log('Resolved.')
  })

/** A reason in words for the person at the keyboard. */
class AdminError extends Error {}

/**
 * Runs something on the database that `npm start` uses: DATABASE_URL, else the running embedded
 * server, else the embedded server started for this one command.
 */
async function withDatabase<T>(act: (db: Database) => Promise<T>): Promise<T> {
  const parsed = parseSettings('demo', process.env)
  if ('problems' in parsed) throw new AdminError(parsed.problems.join('\n'))
  const { settings } = parsed
  const running = settings.DATABASE_URL ?? (await findRunningPostgres(settings.DATA_DIR))
  const own = running
    ? null
    : await startEmbeddedPostgres({
        dataDir: settings.DATA_DIR,
        log: (line) => console.error(line),
      })
  const url = running ?? own?.url ?? ''
  try {
    await migrateDatabase(url)
    const db = openDatabase(url, { max: 2 })
    try {
      return await act(db)
    } finally {
      await db.$client.end()
    }
  } finally {
    await own?.stop()
  }
}

try {
  await program.parseAsync()
} catch (error) {
  const isForPeople =
    error instanceof AdminError ||
    error instanceof CsvProblems ||
    error instanceof EmbeddedPostgresError ||
    (error as NodeJS.ErrnoException).code === 'ENOENT'
  console.error(isForPeople ? (error as Error).message : error)
  if (error instanceof CsvProblems) console.error('Nothing was imported.')
  process.exitCode = 1
}
