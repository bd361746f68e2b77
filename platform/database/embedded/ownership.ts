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
 * Decides who owns a folder. Every start writes a claim with a unique name, and then reads the others.
 *   A:  write claim a ── read: none ── owns
 *   B:        write claim b ── read: a is alive ── withdraws, refuses
 * If both write before reading, the lower name wins. Names are unique, so removing a dead process's claim can't remove
 * a live one's, as it could with a single lock file.
 */

interface Claim {
  pid: number
  startTime: string
  space: string
  /** the folder's inode: claims in a copied data folder belong to the original */
  folder: string
}

interface FoundClaim extends Claim {
  path: string
  /** whether the process has looked and owns the folder, marked by a final newline */
  decided: boolean
}

export interface Ownership {
  /** false after the folder or our claim in it was deleted */
  isHeld(): boolean
  release(): void
}

/** Milliseconds that two simultaneous starts wait for each other's decision. */
const undecidedMs = 500
const heartbeatMs = 1_000

/** Makes this process the folder's owner. Messages call it `dataDir`. Errors: EmbeddedPostgresError if it has one. */
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
    const rival = await findRival(folder, path, (one) => one.decided || one.path < path)
    if (rival) {
      rmSync(path)
      // The message names the owner, because of several simultaneous starts most withdraw too.
      const owner = await findRival(folder, path, (one) => one.decided)
      throw refusal(owner ?? rival, mine, dataDir)
    }
    appendFileSync(path, '\n') // marks it as decided; written in place, so that the file never disappears
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

/**
 * Waits until another claim beats ours or none is left. After undecidedMs, any other claim wins: simultaneous starts
 * withdraw one after the other.
 */
async function findRival(
  folder: string,
  path: string,
  beats: (claim: FoundClaim) => boolean,
): Promise<FoundClaim | undefined> {
  const deadline = performance.now() + undecidedMs
  for (;;) {
    const live = await readLiveClaims(folder, path)
    const winner = live.find(beats)
    if (winner || live.length === 0 || performance.now() > deadline) return winner ?? live[0]
    await sleep(10)
  }
}

/** Reads the others' claims and removes those of dead processes. */
async function readLiveClaims(folder: string, ourPath: string): Promise<FoundClaim[]> {
  const live: FoundClaim[] = []
  for (const claim of readClaims(folder).filter((claim) => claim.path !== ourPath)) {
    if (await isLive(claim)) live.push(claim)
    else rmSync(claim.path, { force: true })
  }
  return live
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
      // The claim was withdrawn, or a power cut left it unreadable: claims are renamed into place when complete.
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

/** Watches the heartbeat of an owner with an invisible pid. A recently restarted container left a fresh file. */
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
    // The folder is gone, which isHeld reports.
  }
}

function readInode(folder: string): string {
  return String(statSync(folder, { bigint: true }).ino)
}

/** Removes claims whose writer was killed before the rename. */
function removeTornClaims(folder: string): void {
  for (const name of readdirSync(folder).filter((name) => name.endsWith('.tmp'))) {
    const path = join(folder, name)
    const touchedAt = readTouchedAt(path)
    if (touchedAt !== null && Date.now() - touchedAt > 60_000) rmSync(path, { force: true })
  }
}
