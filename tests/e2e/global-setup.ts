import { startDatabases } from './product.ts'

/** The environment variable with the loaded database's address, for the workers. */
export const E2E_DATABASE = 'SUPERDAY_E2E_DATABASE'

/** Starts one PostgreSQL with the content, for all workers. */
export default async function startOnce(): Promise<() => Promise<void>> {
  const databases = await startDatabases()
  process.env[E2E_DATABASE] = databases.url
  return () => databases.stop()
}
