import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import type { LiveView } from '../../contract/live.ts'
import { read } from '../action.ts'
import { readRoom, type Whose } from './read-room.ts'
import { makeSnapshot, type Snapshot, viewOf } from './snapshot.ts'
import type { Viewer } from './viewer.ts'

/**
 * How long a snapshot is shown before the next look reads another one: a little less than pages wait
 * (contract/live.ts), so that each look finds a new one. One that took long is shown for a second more.
 */
const KEEP_MS = 1_900
const KEEP_SLOW_MS = 2_900
/** More than that is long: thousands of candidates, or a busy machine. */
const SLOW_MS = 150
/** A test that nobody has watched for so long is forgotten. */
const FORGET_MS = 60_000

const compress = promisify(gzip)

/** What all are answered who may see the same of a snapshot. */
export interface LiveAnswer {
  /** names what is shown: the same as long as nothing has changed, on every node */
  tag: string
  takenMs: number
  json: string
  /** the same, compressed once */
  zipped: () => Promise<Uint8Array>
}

interface Watched {
  takenMs: number
  /** null while it is being read */
  keepMs: number | null
  snapshot: Promise<Snapshot>
  /** by what a viewer may see */
  answers: Map<string, Promise<LiveAnswer>>
}

/**
 * The tests that somebody watches on this node. Each is read by one statement every two seconds, however many watch
 * (product 7.14.2).
 */
export class Watch {
  readonly #db: AppDependencies['db']
  readonly #now: () => Date
  readonly #watched = new Map<string, Watched>()

  constructor({ db, now }: Pick<AppDependencies, 'db' | 'now'>) {
    this.#db = db
    this.#now = now
  }

  /** Who is where. Errors: those of the database. */
  see(whose: Whose): Promise<Snapshot> {
    return this.#watch(whose).snapshot
  }

  /** The same as a viewer's page is sent it. */
  answer(whose: Whose, viewer: Viewer, simulation: LiveView['simulation']): Promise<LiveAnswer> {
    const { snapshot, answers } = this.#watch(whose)
    const key = JSON.stringify(viewer)
    const known = answers.get(key)
    if (known) return known
    const answer = snapshot.then((taken) => writeAnswer(taken, viewer, simulation))
    answers.set(key, answer)
    return answer
  }

  /** The next look reads anew: somebody pressed something here. */
  forget(whose: Whose): void {
    this.#watched.delete(keyOf(whose))
  }

  #watch(whose: Whose): Watched {
    const nowMs = this.#now().getTime()
    for (const [key, { takenMs, keepMs }] of this.#watched) {
      if (keepMs !== null && Math.abs(nowMs - takenMs) >= FORGET_MS) this.#watched.delete(key)
    }
    const known = this.#watched.get(keyOf(whose))
    // A clock that was set back says nothing of the age.
    if (known && (known.keepMs === null || Math.abs(nowMs - known.takenMs) < known.keepMs)) {
      return known
    }
    const begin = performance.now()
    const watched: Watched = {
      ...{ takenMs: nowMs, keepMs: null, answers: new Map() },
      // In its turn: a page that is watched never takes all connections from those who save.
      snapshot: read({ db: this.#db }, (client) => readRoom(client, whose)).then((found) =>
        makeSnapshot(found, nowMs),
      ),
    }
    this.#watched.set(keyOf(whose), watched)
    watched.snapshot.then(
      () => {
        watched.keepMs = performance.now() - begin < SLOW_MS ? KEEP_MS : KEEP_SLOW_MS
      },
      () => {
        if (this.#watched.get(keyOf(whose)) === watched) this.forget(whose)
      },
    )
    return watched
  }
}

const keyOf = ({ code, demo }: Whose) => `${code} ${demo}`

function writeAnswer(
  snapshot: Snapshot,
  viewer: Viewer,
  simulation: LiveView['simulation'],
): LiveAnswer {
  const { takenMs } = snapshot
  const shown = JSON.stringify(viewOf(snapshot, viewer, simulation))
  const tag = createHash('sha1').update(shown).digest('base64url')
  const json = `{"tag":"${tag}","takenMs":${takenMs},"snapshot":${shown}}`
  let zipped: Promise<Uint8Array> | undefined
  return {
    ...{ tag, takenMs, json },
    zipped: () => {
      zipped ??= compress(json, { level: constants.Z_BEST_SPEED })
      return zipped
    },
  }
}
