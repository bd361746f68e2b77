import { once } from 'node:events'
import http from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { SLOTS, untilNextLook } from '../societies/day/look-times.ts'

// Organisers who watch a test, in a process of their own: gets a LiveLooksPlan, then each LiveSide as it
// begins, and answers 'end' with LiveLooks.

export interface LiveLooksPlan {
  url: string
  society: string
  code: string
  /** access tokens of organisers */
  tokens: string[]
}

export interface LiveSide {
  isWatched: boolean
  /** whether the looks are measured */
  isTold: boolean
}

export interface LiveLooks {
  lookMs: number[]
  lookBytes: number
  errors: string[]
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 100 })
const looks: LiveLooks = { lookMs: [], lookBytes: 0, errors: [] }
let side: LiveSide = { isWatched: false, isTold: false }

const [plan] = (await once(process, 'message')) as [LiveLooksPlan]
process.on('message', (message: LiveSide | 'end') => {
  if (message === 'end') process.send?.(looks)
  else side = message
})
process.on('disconnect', () => process.exit(0))

/** Looks when a page does. */
async function watch(token: string, slot: number): Promise<void> {
  let since = ''
  for (;;) {
    await wait(untilNextLook(plan.code, Date.now(), slot))
    // Whoever comes back reads all of it once, which is not what is measured.
    if (!side.isWatched) since = ''
    else
      since = await look(token, since).catch((error) => {
        looks.errors.push(String(error))
        return since
      })
  }
}

/** @returns the cursor of the next look */
async function look(token: string, since: string): Promise<string> {
  const path = `/api/societies/${plan.society}/assessments/${plan.code}/live`
  const begin = performance.now()
  const { status, body } = await get(since === '' ? path : `${path}?since=${since}`, token)
  const tookMs = performance.now() - begin
  if (status !== 200) {
    looks.errors.push(`look: ${status} ${body}`)
    return since
  }
  if (since !== '' && side.isTold) {
    looks.lookMs.push(tookMs)
    looks.lookBytes += body.length
  }
  return JSON.parse(body).cursor
}

function get(path: string, token: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    http
      .get(
        `${plan.url}${path}`,
        { agent, headers: { Authorization: `Bearer ${token}` } },
        (response) =>
          void text(response).then(
            (body) => resolve({ status: response.statusCode ?? 0, body }),
            reject,
          ),
      )
      .on('error', reject)
  })
}

for (const [at, token] of plan.tokens.entries()) void watch(token, at % SLOTS)
