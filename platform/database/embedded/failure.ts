import { userInfo } from 'node:os'
import { AdminError } from '../../server/admin-error.ts'

/** Why the embedded PostgreSQL can't start. The message is complete and names the folder. */
export class EmbeddedPostgresError extends AdminError {
  override name = 'EmbeddedPostgresError'
}

/** Turns an error of the start, most often of the file system, into one clear message. */
export function explainFailure(error: unknown, dataDir: string): EmbeddedPostgresError {
  if (error instanceof EmbeddedPostgresError) return error
  const { code, path = dataDir, message } = error as NodeJS.ErrnoException
  return new EmbeddedPostgresError(
    sentenceOf(code, path, dataDir) ??
      `The database in ${dataDir} could not be started: ${message ?? String(error)}.`,
    { cause: error },
  )
}

function sentenceOf(code: string | undefined, path: string, dataDir: string): string | null {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `The disk of the data folder ${dataDir} is full: free some space and start again.`
    case 'EACCES':
    case 'EPERM':
      return `The data folder ${dataDir} can't be used: user ${userName()} isn't allowed to read and write ${path}. Change its owner, or set DATA_DIR to another folder.`
    case 'EROFS':
      return `The data folder ${dataDir} can't be used: it is on a read-only file system. Set DATA_DIR to another folder.`
    case 'ENOTDIR':
    case 'EEXIST':
      return `The data folder ${dataDir} can't be used: ${path} is a file, not a folder. Set DATA_DIR to another folder.`
    default:
      return null
  }
}

/** Name of this process's user, or its number if /etc/passwd has no entry (a container with an arbitrary uid). */
export function userName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}
