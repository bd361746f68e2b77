import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import { openDatabase } from '../../platform/database/database.ts'
import { StandbyError } from '../../platform/database/primary.ts'
import { wordsOf } from '../../platform/server/admin-error.ts'
import { countOf } from '../../platform/words.ts'
import type { Settings } from '../server/settings.ts'
import { withDatabaseUrl } from './database.ts'
import { lookAtDatabase, lookAtReplication, onStandby } from './doctor/database.ts'
import { type Finding, fix, look, well } from './doctor/finding.ts'
import { lookAtClock, lookAtDisk } from './doctor/machine.ts'
import { lookAtAddress, lookAtMail } from './doctor/network.ts'
import { lookAtSecretKey, lookAtSettings } from './doctor/settings.ts'

const LABELS = { well: 'well', look: 'look', fix: 'FIX' } as const

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .option('--demo', 'check the settings for npm start instead of npm run serve')
    .summary('check the installation and list what to fix')
    .description(
      'Checks settings, secret key, database, standbys, clock, disk, mail server and public address. Each line says what is fine (well), what you should look at (look) or what you must fix (FIX). Changes nothing and sends no mail. Exits with 1 if anything must be fixed.',
    )
    .addHelpText('after', '\nExample:\n  npm run admin -- doctor')
    .action(async ({ demo = false }: { demo?: boolean }) => {
      const tally = { well: 0, look: 0, fix: 0 }
      for await (const { is, sentence } of examine(process.env, { demo })) {
        tally[is] += 1
        console.log(`${LABELS[is].padEnd(4)}  ${sentence}`)
      }
      console.log(
        tally.fix > 0
          ? `\n${countOf(tally.fix, 'thing', 'things')} to fix.`
          : `\nNothing to fix${tally.look > 0 ? `, and ${countOf(tally.look, 'thing', 'things')} to look at` : ''}.`,
      )
      if (tally.fix > 0) process.exitCode = 1
    })
}

/** Yields each finding as it is made, including checks that failed. @param now this machine's clock */
export async function* examine(
  environment: Record<string, string | undefined>,
  { demo = false, now = () => new Date() }: { demo?: boolean; now?: () => Date } = {},
): AsyncGenerator<Finding> {
  const { findings, settings } = lookAtSettings(environment, { demo })
  yield* findings
  if (!settings) {
    yield look('Nothing else was checked, because the settings can’t be read.')
    return
  }
  yield* await tryTo('the database', () => lookAtAllOfDatabase(settings, now))
  yield* await tryTo('the disk', () => lookAtDisk(settings))
  yield* await tryTo('the mail server', () => lookAtMail(settings))
  if (environment.PUBLIC_URL) {
    yield* await tryTo('the public address', () => lookAtAddress(settings.PUBLIC_URL, now()))
  }
}

async function lookAtAllOfDatabase(settings: Settings, now: () => Date): Promise<Finding[]> {
  const cluster = path.join(settings.DATA_DIR, 'postgres', 'cluster')
  // Starting the embedded server would create the database, but this only checks for it.
  if (!settings.DATABASE_URL && !existsSync(cluster)) {
    return [
      well(`There is no database yet. The first start creates one in ${settings.DATA_DIR}.`),
      ...(await lookAtSecretKey(settings, null)),
    ]
  }
  try {
    return await withDatabaseUrl(async (url) => {
      const { $client: pool } = openDatabase(url, { max: 1 })
      try {
        // If the database doesn't respond, the next four checks would all report the same.
        await pool.query('select 1')
        return [
          ...(await tryTo('the tables', () => lookAtDatabase(pool))),
          ...(await tryTo('standbys', () => lookAtReplication(pool))),
          ...(await tryTo('the clock', () => lookAtClock(pool, now))),
          ...(await tryTo('the secret key', () => lookAtSecretKey(settings, url))),
        ]
      } finally {
        await pool.end()
      }
    }, settings)
  } catch (error) {
    const whose = settings.DATABASE_URL ? 'The database of DATABASE_URL' : 'The embedded database'
    return [
      error instanceof StandbyError
        ? onStandby()
        : fix(`${whose} can't be used: ${wordsOf(error)}.`),
      ...(await lookAtSecretKey(settings, null)),
    ]
  }
}

async function tryTo(what: string, act: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await act()
  } catch (error) {
    return [fix(`Couldn’t check ${what}: ${wordsOf(error)}.`)]
  }
}
