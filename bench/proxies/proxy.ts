import { spawn } from 'node:child_process'
import { createReadStream, openSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'

/** A proxy before some nodes of the product, run by an example of docs/. */
export interface RunningProxy {
  url: string
  /** Every request that the proxy has answered, by its own log; after stop(). */
  readLog(): Promise<ProxyLog>
  stop(): Promise<void>
}

export interface ProxyLog {
  /** how often it answered with a status */
  statuses: Record<string, number>
  /** requests that were given to a second node, or to the same once more */
  retried: number
  /** of answers of 502, 503 and 504: what the nodes had said, or why they were not asked */
  refusals: Record<string, number>
  /** the longest that a request took, as the proxy saw it */
  longestMs: number
}

/** An example with these nodes in the place of its two, in every line that names one of them. */
export function nameNodes(example: string, nodes: readonly string[]): string {
  const addresses = ['10.0.0.11:3000', '10.0.0.12:3000']
  if (nodes.length !== addresses.length) throw new Error('the examples have two nodes')
  return addresses.reduce((text, address, index) => {
    if (!text.includes(address)) throw new Error(`the example does not name ${address}`)
    return text.replaceAll(address, new URL(nodes[index] as string).host)
  }, example)
}

/** One line of a log: status, how often it was retried, milliseconds, what the nodes said; parted by |. */
async function readProxyLog(file: string): Promise<ProxyLog> {
  const log: ProxyLog = { statuses: {}, retried: 0, refusals: {}, longestMs: 0 }
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const [status = '', retries, ms, words = ''] = line.split('|')
    if (!/^\d{3}$/.test(status)) continue
    log.statuses[status] = (log.statuses[status] ?? 0) + 1
    if (Number.parseInt(retries ?? '0', 10) > 0) log.retried += 1
    if (/^50[234]$/.test(status)) log.refusals[words] = (log.refusals[words] ?? 0) + 1
    log.longestMs = Math.max(log.longestMs, Number(ms))
  }
  return log
}

/** What is to be run, with a folder of its own that goes when it is stopped. */
interface ProxyProgram {
  program: string
  args: readonly string[]
  url: string
  folder: string
  /** of the folder; where its output goes, if the program does not write it itself */
  logFile: string
  logsToOutput: boolean
  /** ends it once it has answered what it was asked */
  endsBy: NodeJS.Signals
}

/** Starts a proxy's program and waits until it serves. Errors: when it ends before. */
export async function startProxy(of: ProxyProgram): Promise<RunningProxy> {
  const logFile = path.join(of.folder, of.logFile)
  const output = of.logsToOutput ? openSync(logFile, 'a') : 'inherit'
  const child = spawn(of.program, of.args, { stdio: ['ignore', output, 'inherit'] })
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => resolve())
  })
  await Promise.race([
    untilServing(of.url),
    ended.then(() => Promise.reject(new Error(`${of.program} did not start`))),
  ])
  let log: ProxyLog | undefined
  return {
    url: of.url,
    readLog: async () => {
      if (!log) throw new Error(`${of.program} writes its log while it runs`)
      return log
    },
    stop: async () => {
      child.kill(of.endsBy)
      await ended
      log = await readProxyLog(logFile)
      if (process.env.RUSH_OUTPUT) await cp(of.folder, process.env.RUSH_OUTPUT, { recursive: true })
      await rm(of.folder, { recursive: true, force: true })
    },
  }
}

async function untilServing(url: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await fetch(url)
      return
    } catch (error) {
      if (tries > 100) throw error
      await wait(50)
    }
  }
}
