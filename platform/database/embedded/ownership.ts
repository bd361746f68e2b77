import { randomUUID } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedPostgresError } from './failure.ts'
import { writePrivateFile } from './private-files.ts'
import { readProcessSpace, readStartTime } from './processes.ts'

/*
 * Who owns a folder: every start writes a claim with a name of its own, and only then looks at the others.
 *   A:  write claim a ── look: nobody ── owns
 *   B:        write claim b ── look: a lives ── withdraws, refuses
 * Of two that look after both have written, the lower name stays. No name is used twice, so removing a dead process's
 * claim can't remove a living one's, as it can with a single lock file.
 */

interface Claim {
  pid: number
  startTime: string
  space: string
  /** inode of the folder: the claims in a copy of a data folder mean the original */
  folder: string
}

interface FoundClaim extends Claim {
  path: string
  /** its process has looked and owns the folder: a final newline says so */
  decided: boolean
}

export interface Ownership {
  /** false once the folder or our claim in it has been deleted */
  isHeld(): boolean
  release(): void
}

/** How long two that started in the same instant wait for each other's decision. Milliseconds. */
const undecidedMs = 500
const heartbeatMs = 1_000

/** Makes this process the owner of the folder until `release`, or until it dies.
 * `dataDir` is what the refusal calls it. Throws EmbeddedPostgresError when a live process owns it. */
export async function claimFolder(folder: string, dataDir: string): Promise<Ownership> {
  const path = join(folder, `owner-${randomUUID()}.json`)
  const mine: Claim = {
    pid: process.pid,
    startTime: readStartTime(process.pid) ?? '',
    space: readProcessSpace(),
    folder: readInode(folder),
  }
  removeTornClaims(folder)
  writePrivateFile(path, JSON.stringify(mine))
  try {
    const rival = await outlastOthers(folder, path)
    if (rival) {
      rmSync(path)
      throw refusal((await waitForOwner(folder)) ?? rival, mine, dataDir)
    }
    appendFileSync(path, '\n') // decided; in place, so that nobody who looks can miss the file
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
  const heartbeat = setInterval(() => touch(path), heartbeatMs)
  heartbeat.unref()
  return {
    isHeld: () => existsSync(path),
    release: () => {
      clearInterval(heartbeat)
      rmSync(path, { force: true })
    },
  }
}

/** Waits until nobody else claims the folder; or returns the claim that ours has to give way to. */
async function outlastOthers(folder: string, path: string): Promise<FoundClaim | undefined> {
  const deadline = performance.now() + undecidedMs
  for (;;) {
    const live = await readLiveClaims(folder, path)
    const winner = live.find((claim) => claim.decided || claim.path < path)
    if (winner) return winner
    if (live.length === 0 || performance.now() > deadline) return live[0]
    await sleep(10)
  }
}

/** The others' claims; those of the dead are removed. */
async function readLiveClaims(folder: string, ourPath: string): Promise<FoundClaim[]> {
  const live: FoundClaim[] = []
  for (const claim of readClaims(folder).filter((claim) => claim.path !== ourPath)) {
    if (await isLive(claim)) live.push(claim)
    else rmSync(claim.path, { force: true })
  }
  return live
}

/** The one whose pid is worth telling: of several in the same instant, most give way too. */
async function waitForOwner(folder: string): Promise<FoundClaim | undefined> {
  const deadline = performance.now() + undecidedMs
  for (;;) {
    const live = await readLiveClaims(folder, '')
    const owner = live.find((claim) => claim.decided)
    if (owner || live.length === 0 || performance.now() > deadline) return owner
    await sleep(10)
  }
}

function refusal(owner: Claim, mine: Claim, dataDir: string): EmbeddedPostgresError {
  const where = owner.space === mine.space ? '' : ' on another machine or in another container'
  return new EmbeddedPostgresError(
    `The data folder ${dataDir} is in use by process ${owner.pid}${where}: stop that one first, or set DATA_DIR to another folder.`,
  )
}

export async function findOwner(folder: string): Promise<{ pid: number } | null> {
  if (!existsSync(folder)) return null
  for (const claim of readClaims(folder)) {
    if (await isLive(claim)) return { pid: claim.pid }
  }
  return null
}

function readClaims(folder: string): FoundClaim[] {
  const names = readdirSync(folder).filter((name) => /^owner-.*\.json$/.test(name))
  const inode = readInode(folder)
  return names.flatMap((name) => {
    const path = join(folder, name)
    try {
      const text = readFileSync(path, 'utf8')
      const claim = JSON.parse(text) as Claim
      const pid = claim.folder === inode ? claim.pid : 0
      return [{ ...claim, pid, path, decided: text.endsWith('\n') }]
    } catch (error) {
      // Withdrawn meanwhile; or unreadable text, which only a power cut leaves: claims are written
      // beside their place and moved there whole.
      if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT')
        return []
      throw error
    }
  })
}

async function isLive(claim: FoundClaim): Promise<boolean> {
  if (claim.pid === 0) return false
  if (claim.space === readProcessSpace()) return readStartTime(claim.pid) === claim.startTime
  return isTouched(claim.path)
}

/** Watches for the heartbeat of an owner whose pid can't be looked up from here. A container that
 * was restarted at once left a fresh file too, so the file's age alone says nothing. */
async function isTouched(path: string): Promise<boolean> {
  const before = readTouchedAt(path)
  if (before === null || Date.now() - before > 10 * heartbeatMs) return false
  for (let waitedMs = 0; waitedMs < 3 * heartbeatMs; waitedMs += 20) {
    await sleep(20)
    if (readTouchedAt(path) !== before) return readTouchedAt(path) !== null
  }
  return false
}

function readTouchedAt(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null
}

function touch(path: string): void {
  try {
    utimesSync(path, new Date(), new Date())
  } catch {
    // The folder is gone. isHeld reports that.
  }
}

function readInode(folder: string): string {
  return String(statSync(folder, { bigint: true }).ino)
}

/** Claims whose writer was killed before they were in place. */
function removeTornClaims(folder: string): void {
  for (const name of readdirSync(folder).filter((name) => name.endsWith('.tmp'))) {
    const path = join(folder, name)
    const touchedAt = readTouchedAt(path)
    if (touchedAt !== null && Date.now() - touchedAt > 60_000) rmSync(path, { force: true })
  }
}
