import { once } from 'node:events'
import http from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { untilNextLook } from '../societies/live/contract.ts'

// Organizers who watch a test, in a separate process: gets a LiveLooksPlan, then each LiveSide as it begins, and
// answers 'end' with LiveLooks.

export interface LiveLooksPlan {
  url: string
  society: string
  code: string
  /** access tokens of organizers */
  tokens: string[]
}

export interface LiveSide {
  isWatched: boolean
  /** whether the requests are measured */
  isTold: boolean
}

export interface LiveLooks {
  lookMs: number[]
  lookBytes: number
  /** maximum time until a change is on screen: from one snapshot to the arrival of the next */
  changeMs: number[]
  errors: string[]
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 100 })
const looks: LiveLooks = { lookMs: [], lookBytes: 0, changeMs: [], errors: [] }
let side: LiveSide = { isWatched: false, isTold: false }

const [plan] = (await once(process, 'message')) as [LiveLooksPlan]
process.on('message', (message: LiveSide | 'end') => {
  if (message === 'end') process.send?.(looks)
  else side = message
})
process.on('disconnect', () => process.exit(0))

interface Shown {
  tag: string
  takenMs: number
}

/** Polls as a page does, starting at a random time. */
async function watch(token: string): Promise<void> {
  await wait(Math.random() * 2_000)
  let shown: Shown | null = null
  for (;;) {
    // A newly opened page has no snapshot yet, so the next one isn't measured.
    if (!side.isWatched) shown = null
    else
      shown = await look(token, shown).catch((error) => {
        looks.errors.push(String(error))
        return null
      })
    await wait(untilNextLook(shown?.takenMs ?? 0, Date.now()))
  }
}

async function look(token: string, before: Shown | null): Promise<Shown | null> {
  const path = `/api/societies/${plan.society}/assessments/${plan.code}/live`
  const begin = performance.now()
  const { status, bytes, isZipped } = await get(before ? `${path}?have=${before.tag}` : path, token)
  const tookMs = performance.now() - begin
  if (status !== 200) {
    looks.errors.push(`look: ${status} ${bytes}`)
    return null
  }
  if (before && side.isTold) {
    looks.lookMs.push(tookMs)
    looks.lookBytes += bytes.length
    looks.changeMs.push(Date.now() - before.takenMs)
  }
  return readShown(bytes, isZipped)
}

let read: { bytes: Buffer; shown: Shown } | undefined

/** Parses equal bytes only once. In reality each watcher's own device does this, at no cost to the server. */
function readShown(bytes: Buffer, isZipped: boolean): Shown {
  if (read && bytes.equals(read.bytes)) return read.shown
  const { tag, takenMs } = JSON.parse(String(isZipped ? gunzipSync(bytes) : bytes)) as Shown
  read = { bytes, shown: { tag, takenMs } }
  return read.shown
}

function get(
  path: string,
  token: string,
): Promise<{ status: number; bytes: Buffer; isZipped: boolean }> {
  return new Promise((resolve, reject) => {
    http
      .get(
        `${plan.url}${path}`,
        { agent, headers: { Authorization: `Bearer ${token}`, 'Accept-Encoding': 'gzip' } },
        (response) =>
          void buffer(response).then(
            (bytes) =>
              resolve({
                status: response.statusCode ?? 0,
                bytes,
                isZipped: response.headers['content-encoding'] === 'gzip',
              }),
            reject,
          ),
      )
      .on('error', reject)
  })
}

for (const token of plan.tokens) void watch(token)
