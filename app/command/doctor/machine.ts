import { constants, existsSync } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import type { Settings } from '../../server/settings.ts'
import { type Finding, fix, fixIf, look, well } from './finding.ts'

/** Milliseconds by which two clocks may differ: no rule is more precise, and the network adds some. */
const CLOCK_TOLERANCE_MS = 2_000
/** With less free space, PostgreSQL may stop during an assessment. */
const ROOM_AT_LEAST_BYTES = 1e9
const ROOM_SHARE = 0.1

/** Compares this machine's clock with the database's, because nodes close tests by their own clocks. */
export async function lookAtClock(
  client: Pick<pg.Pool, 'query'>,
  now: () => Date,
): Promise<Finding[]> {
  // The first call may open a connection, which takes extra time.
  await client.query('select 1')
  const before = now().getTime()
  const { rows } = await client.query<{ at: Date }>('select clock_timestamp() as at')
  const after = now().getTime()
  const aheadMs = (before + after) / 2 - (rows[0]?.at.getTime() ?? Number.NaN)
  const uncertainMs = (after - before) / 2
  if (!(Math.abs(aheadMs) - uncertainMs <= CLOCK_TOLERANCE_MS)) {
    return [
      fix(
        `This machine's clock is ${(Math.abs(aheadMs) / 1000).toFixed(1)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's. Make both follow a time server (timedatectl set-ntp true).`,
      ),
    ]
  }
  return [well("This machine's clock and the database's agree.")]
}

/** Checks free space and rights where DATA_DIR is or will be. */
export async function lookAtDisk(settings: Settings): Promise<Finding[]> {
  const folder = nearestExisting(settings.DATA_DIR)
  const holdsDatabase = !settings.DATABASE_URL
  const isNeeded = holdsDatabase || !settings.SMTP_URL
  const { bavail, blocks, bsize } = await statfs(folder)
  const free = bavail * bsize
  const words = `${formatGigabytes(free)} of ${formatGigabytes(blocks * bsize)} are free on the disk of DATA_DIR`
  const judgeRoom = () => {
    if (free < ROOM_AT_LEAST_BYTES) {
      return fix(
        `${words}: a full disk stops ${holdsDatabase ? 'every save' : 'the mails'}. Free some space.`,
      )
    }
    return free < blocks * bsize * ROOM_SHARE
      ? look(`${words}: free some space before it is full.`)
      : well(`${words}.`)
  }
  return [
    ...fixIf(
      isNeeded && !(await mayWrite(folder)),
      `This user isn't allowed to write to ${folder}, where DATA_DIR is.`,
    ),
    ...(isNeeded ? [judgeRoom()] : []),
    ...(holdsDatabase
      ? []
      : [
          well(
            "The database's disk isn't visible from here. Watch its free space on its own machine.",
          ),
        ]),
  ]
}

function nearestExisting(folder: string): string {
  return existsSync(folder) ? folder : nearestExisting(path.dirname(folder))
}

function mayWrite(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )
}

const formatGigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`
