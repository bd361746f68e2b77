import { startDatabases } from './product.ts'

/** The environment variable that tells the workers the address of the loaded database. */
export const E2E_DATABASE = 'SUPERDAY_E2E_DATABASE'

/** One PostgreSQL with the content loaded, for all workers. */
export default async function startOnce(): Promise<() => Promise<void>> {
  const databases = await startDatabases()
  process.env[E2E_DATABASE] = databases.url
  return () => databases.stop()
}
