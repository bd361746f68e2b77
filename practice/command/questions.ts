import type { Command } from 'commander'
import { asc, eq, isNull, sql } from 'drizzle-orm'
import type { CommandDatabase } from '../../platform/command/command-database.ts'
import { AdminError } from '../../platform/server/admin-error.ts'
import { questionReports, questions } from '../server/tables.ts'

/** `questions …`: what students report about the practice bank. */
export function addQuestionCommands(program: Command, { withDatabase }: CommandDatabase): void {
  const questionCommands = program.command('questions').description('problems that students report')

  questionCommands
    .command('reports')
    .description('lists the problems that students reported and are not resolved yet')
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
        // Indented, so that no line of it looks like another report.
        if (report.details) console.log(`  “${report.details.replaceAll('\n', '\n   ')}”`)
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
          // As text, so that what is no id at all is no report either.
          .where(sql`${questionReports.id}::text = ${report.toLowerCase()}`)
          .returning({ id: questionReports.id }),
      )
      if (changed.length === 0) throw new AdminError(`There is no report ${report}.`)
      console.log('Resolved.')
    })
}
