import type { Command } from 'commander'
import type { CommandDatabase } from '../../platform/command/command-database.ts'
import { AdminError } from '../../platform/server/admin-error.ts'

interface Report {
  id: string
  questionId: number
  reason: string
  details: string
  createdAt: Date
  question: string
}

export function addQuestionCommands(program: Command, { withDatabase }: CommandDatabase): void {
  const questionCommands = program.command('questions').description('problems that students report')

  questionCommands
    .command('reports')
    .description('lists unresolved problems that students reported')
    .action(async () => {
      const { rows: open } = await withDatabase((db) =>
        db.$client.query<Report>(
          `select r.id, question_id as "questionId", reason, details, created_at as "createdAt",
             question
           from question_reports r join questions q on q.id = question_id
           where resolved_at is null order by created_at`,
        ),
      )
      for (const report of open) {
        console.log(
          `${report.id}  ${report.createdAt.toISOString()}  question ${report.questionId}: ${report.reason}`,
        )
        console.log(`  ${report.question}`)
        // The indent keeps a line of the details from looking like another report.
        if (report.details) console.log(`  “${report.details.replaceAll('\n', '\n   ')}”`)
      }
      console.log(`${open.length} open reports.`)
    })

  questionCommands
    .command('resolve')
    .argument('<report>', 'the id that `questions reports` prints')
    .description('marks a report as resolved')
    .action(async (report: string) => {
      // The id is compared as text, so that malformed ids are reported as not found.
      const { rowCount } = await withDatabase((db) =>
        db.$client.query('update question_reports set resolved_at = now() where id::text = $1', [
          report.toLowerCase(),
        ]),
      )
      if (rowCount === 0) throw new AdminError(`There is no report ${report}.`)
      console.log('Resolved.')
    })
}
