import { json } from 'node:stream/consumers'
import { call, countStatuses, type Reply } from '../http.ts'

// All kinds of attackers in a separate process: reads a CallersPlan from standard input, and writes the statuses that
// each of them got to standard output.

export interface Caller {
  name: string
  method: string
  /** called in turn; %n is the call's number, %id a new UUID */
  routes: string[]
  token?: string
  headers?: Record<string, string>
  body?: unknown
  atOnce: number
  /** hangs up after this many milliseconds, and waits `pauseMs` before the next call */
  hangUpMs?: number
  pauseMs?: number
}
export interface CallersPlan {
  url: string
  seconds: number
  callers: Caller[]
}

async function run({ url, seconds, callers }: CallersPlan) {
  const end = performance.now() + seconds * 1000
  const one = async (caller: Caller): Promise<[string, Record<string, number>]> => {
    const {
      name,
      method,
      routes,
      token,
      headers,
      body,
      atOnce,
      hangUpMs = 60_000,
      pauseMs = 0,
    } = caller
    const replies: Reply[] = []
    let next = 0
    const again = async () => {
      while (performance.now() < end) {
        const n = next
        next += 1
        const fill = (text: string) =>
          text.replaceAll('%n', String(n)).replaceAll('%id', crypto.randomUUID())
        const route = fill(routes[n % routes.length] as string)
        const sent = body && JSON.parse(fill(JSON.stringify(body)))
        const reply = await call(url, method, route, {
          ...{ token, headers, limitMs: hangUpMs, discard: true },
          ...(sent ? { body: sent } : {}),
        })
        replies.push(reply)
        // A refusal costs almost nothing. Thousands per second would be another attack.
        const restMs = reply.status === 429 ? 200 : pauseMs
        if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs))
      }
    }
    await Promise.all(Array.from({ length: atOnce }, again))
    return [name, countStatuses(replies)]
  }
  return Object.fromEntries(await Promise.all(callers.map(one)))
}

process.stdout.write(JSON.stringify(await run((await json(process.stdin)) as CallersPlan)))
// Keep-alive connections would keep the process running.
process.exit(0)
