import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { Sendable } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { createLine } from '../../../platform/server/shares/line.ts'
import { jsonInSlices } from '../../../platform/server/shares/slices.ts'
import { readOnce } from '../../kit/server/action.ts'
import type { LiveView } from '../contract.ts'
import type { TroubleLine } from '../troubles.ts'
import { readRoom, type Whose } from './read-room.ts'
import { makeSnapshot, type Snapshot, type Viewer, viewOf } from './view.ts'

type SimulationView = Sendable<LiveView['simulation']>

/** A snapshot is valid for slightly less than pages wait (untilNextLook). */
const KEEP_MS = 1_900
const KEEP_SLOW_MS = 2_900
/** A slower read means thousands of candidates or a busy machine. */
const SLOW_MS = 150
/** A test without viewers for this long is removed. */
const FORGET_MS = 60_000
/** Maximum snapshots of one society on a node. No society runs more tests in parallel. */
const SOCIETY_KEEPS = 5
/** Maximum parallel reads, in total and per society, so that viewers never use all connections. */
const READS = { atOnce: 3, ofSociety: 2 }

const compress = promisify(gzip)

/**
 * The response for all viewers with the same view of a snapshot. Its tag is the same on every node until it changes.
 */
type LiveAnswer = Awaited<ReturnType<typeof writeAnswer>>

interface Watched {
  societyId: string
  takenMs: number
  /** null while the read is running */
  keepMs: number | null
  snapshot: Promise<Snapshot>
  answers: Map<string, Promise<LiveAnswer>>
}

/** Tests with viewers on this node. Each is read once every two seconds (product 7.14.2). */
export class Watch {
  readonly #db: AppDependencies['db']
  readonly #now: () => Date
  /** least recently used first */
  readonly #watched = new Map<string, Watched>()
  readonly #line = createLine(READS.atOnce, { atOnce: READS.ofSociety })

  constructor({ db, now }: Pick<AppDependencies, 'db' | 'now'>) {
    this.#db = db
    this.#now = now
  }

  answer(whose: Whose, viewer: Viewer, simulation: SimulationView): Promise<LiveAnswer> {
    const { snapshot, answers } = this.#watch(whose)
    const key = JSON.stringify(viewer)
    const known = answers.get(key)
    if (known) return known
    const answer = snapshot.then((taken) => writeAnswer(taken, viewer, simulation))
    answers.set(key, answer)
    return answer
  }

  /** Checks whether an unseen alert is shown now. It reads again if another node's snapshot may be newer. */
  async shows(whose: Whose, { candidate, mark }: Pick<TroubleLine, 'candidate' | 'mark'>) {
    const isShown = async () =>
      (await this.#watch(whose).snapshot).lines.some(
        (line) => line.candidate === candidate && line.mark === mark,
      )
    if (await isShown()) return true
    this.forget(whose)
    return isShown()
  }

  /** Forces a new read, because a member changed something on this node. */
  forget(whose: Whose): void {
    this.#watched.delete(keyOf(whose))
  }

  #watch(whose: Whose): Watched {
    const { societyId } = whose
    const nowMs = this.#now().getTime()
    for (const [key, { takenMs, keepMs }] of this.#watched) {
      if (keepMs !== null && Math.abs(nowMs - takenMs) >= FORGET_MS) this.#watched.delete(key)
    }
    const known = this.#watched.get(keyOf(whose))
    // The age is negative if the clock was set back.
    if (known && (known.keepMs === null || Math.abs(nowMs - known.takenMs) < known.keepMs)) {
      return known
    }
    const begin = performance.now()
    const snapshot = this.#line({ share: societyId }, () =>
      readOnce(this.#db, async (client) => {
        const takenMs = this.#now().getTime()
        return makeSnapshot(await readRoom(client, whose), takenMs)
      }),
    )
    const watched: Watched = {
      ...{ societyId, takenMs: nowMs, keepMs: null },
      ...{ snapshot, answers: new Map() },
    }
    this.#keep(keyOf(whose), watched)
    snapshot.then(
      () => {
        watched.keepMs = performance.now() - begin < SLOW_MS ? KEEP_MS : KEEP_SLOW_MS
      },
      () => {
        if (this.#watched.get(keyOf(whose)) === watched) this.forget(whose)
      },
    )
    return watched
  }

  /** Stores a snapshot. If the society has too many, it replaces the oldest one. */
  #keep(key: string, watched: Watched): void {
    this.#watched.delete(key)
    const own = [...this.#watched].filter(([, one]) => one.societyId === watched.societyId)
    if (own[0] && own.length >= SOCIETY_KEEPS) this.#watched.delete(own[0][0])
    this.#watched.set(key, watched)
  }
}

const keyOf = ({ code, demo }: Whose) => `${code} ${demo}`

async function writeAnswer(snapshot: Snapshot, viewer: Viewer, simulation: SimulationView) {
  const { takenMs } = snapshot
  const { candidates, ...rest } = viewOf(snapshot, viewer, simulation)
  const listed = candidates && (await jsonInSlices(candidates))
  const shown = `{"candidates":${listed},${JSON.stringify(rest).slice(1)}`
  const tag = createHash('sha1').update(shown).digest('base64url')
  const json = `{"tag":"${tag}","takenMs":${takenMs},"snapshot":${shown}}`
  let zipped: Promise<Uint8Array> | undefined
  return {
    tag,
    takenMs,
    json,
    /** compressed once, for all viewers */
    zipped: () => {
      zipped ??= compress(json, { level: constants.Z_BEST_SPEED })
      return zipped
    },
  }
}
