import type { Command } from 'commander'
import { nameOfUser } from '../../platform/command/command-database.ts'
import { resolveFile, warnOfCheckout, withNewFileStream } from '../../platform/command/files.ts'
import { writeBackup } from '../../platform/database/backup/backup.ts'
import type { BackupHeader } from '../../platform/database/backup/backup-file.ts'
import { checkBackup, restoreBackup } from '../../platform/database/backup/restore.ts'
import { AdminError } from '../../platform/server/admin-error.ts'
import { countOf } from '../../platform/words.ts'
import { readPresentKey, requireKeyOf, withDatabaseUrl } from './database.ts'

export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .argument('<file>', 'the new file, such as superday-2026-03-02.backup')
    .summary('write all data to one file')
    .description(
      'Writes a consistent copy of all data to a new file that only you can read. Works while the server runs. The file doesn’t contain SECRET_KEY, but a restore needs it, so keep a separate copy of it.',
    )
    .addHelpText(
      'after',
      '\nExample:\n  npm run admin -- backup /var/backups/superday-2026-03-02.backup',
    )
    .action(async (file: string) => {
      const warning = warnOfCheckout(file, 'all data of all people')
      if (warning) console.error(warning)
      const secretKey = await requirePresentKey()
      const { result, bytes } = await withDatabaseUrl(async (url) => {
        await requireKeyOf(url, secretKey)
        return withNewFileStream(file, (stream) =>
          writeBackup({ url, secretKey, now: new Date(), actor: nameOfUser() }, stream),
        )
      })
      console.log(`${describeBackup(result)}, ${describeSize(bytes)}, written to ${file}.`)
      console.log(
        `A restore needs the SECRET_KEY with the fingerprint ${result.keyFingerprint}. It is not in the file.`,
      )
    })

  program
    .command('restore')
    .argument('<file>', 'a file written by backup')
    .option('--replace', 'delete all data in the database first')
    .option('--any-key', 'restore without the SECRET_KEY that the data needs')
    .option('--sign-everyone-out', 'end all sessions in the backup, including candidates’')
    .summary('restore the data of a backup')
    .description(
      "Restores a backup into an empty database (DATABASE_URL, or DATA_DIR's own), all or nothing: a damaged file changes nothing. Stop every server on that database first. SECRET_KEY must be the one of the server that made the backup. With --any-key and another key, all users have to sign in again, guests lose access to their work, and candidates need new passwords. The restore undoes what ended after the backup (a sign-out, a candidate's old password, a deleted account). --sign-everyone-out ends all sessions, so that no ended token works again; guests then lose access to their work.",
    )
    .addHelpText(
      'after',
      '\nExamples:\n  npm run admin -- restore /var/backups/superday-2026-03-02.backup\n  npm run admin -- restore /var/backups/superday-2026-03-02.backup --replace\n  npm run admin -- restore /var/backups/superday-2026-03-02.backup --sign-everyone-out',
    )
    .action(async (name: string, options: RestoreCommandOptions) => {
      const file = resolveFile(name)
      const key = { secretKey: await readPresentKey(), anyKey: options.anyKey }
      // Checks the whole backup before a database is started or changed.
      await checkBackup(file, key)
      const restored = await withDatabaseUrl((url) =>
        restoreBackup({
          url,
          file,
          ...key,
          replace: options.replace,
          signEveryoneOut: options.signEveryoneOut,
          now: new Date(),
          actor: nameOfUser(),
        }),
      )
      console.log(`${describeBackup(restored)}, restored.`)
      for (const line of whatIsBack(restored, options)) console.log(line)
    })
}

interface RestoreCommandOptions {
  replace?: boolean
  anyKey?: boolean
  signEveryoneOut?: boolean
}

/** Changes that a restore reverts, and what to do about each (product 9.11.2). */
function whatIsBack({ createdAt }: BackupHeader, options: RestoreCommandOptions): string[] {
  const since = `${createdAt.slice(0, 16).replace('T', ' ')} UTC`
  const areSessionsOver = options.signEveryoneOut || options.anyKey
  return [
    areSessionsOver
      ? 'All users are signed out. Accounts sign in with their password, guests lose access to their work, and candidates enter their credentials again.'
      : `Sessions that ended after ${since} are active again, including any that ended because a token was copied. To end all of them, run the same restore with --replace --sign-everyone-out.`,
    `Passwords are those of ${since}: anyone who changed theirs since then has the old one again.`,
    'The same goes for candidates’ passwords. If a society made new ones or removed candidates since then, it has to do so again under Candidates before its test opens.',
    `Accounts that were deleted since then are back, and have to be deleted again.`,
  ]
}

async function requirePresentKey(): Promise<Buffer> {
  const secretKey = await readPresentKey()
  if (secretKey) return secretKey
  throw new AdminError('DATA_DIR contains no secret key: Superday was never started on it.')
}

function describeBackup({ createdAt, tables }: BackupHeader): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return `The data of ${createdAt.slice(0, 16).replace('T', ' ')} UTC: ${countOf(rows, 'row')} in ${countOf(tables.length, 'table')}`
}

function describeSize(bytes: number): string {
  return bytes < 1_000_000
    ? `${Math.ceil(bytes / 1000)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`
}
