import { spawn } from 'node:child_process'
import { createReadStream, openSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { findProgram } from '../../tests/cluster/packages.ts'
import { freePort } from '../../tools/free-port.mjs'

/** A proxy in front of nodes, configured by an example of docs/. */
interface RunningProxy {
  url: string
  /** Every request in the proxy's log; after stop(). */
  readLog(): Promise<ProxyLog>
  stop(): Promise<void>
}

export interface ProxyLog {
  /** number of responses by status */
  statuses: Record<string, number>
  /** requests that were sent to a second node, or to the same one again */
  retried: number
  /** for responses 502, 503 and 504: the nodes' response, or why none was asked */
  refusals: Record<string, number>
  /** the slowest request, as measured by the proxy */
  longestMs: number
}

/** Replaces the example's two nodes with these, in every line that names one. */
function nameNodes(example: string, nodes: readonly string[]): string {
  const addresses = ['10.0.0.11:3000', '10.0.0.12:3000']
  if (nodes.length !== addresses.length) throw new Error('the examples have two nodes')
  return addresses.reduce((text, address, index) => {
    if (!text.includes(address)) throw new Error(`the example does not name ${address}`)
    return text.replaceAll(address, new URL(nodes[index] as string).host)
  }, example)
}

/** Reads log lines: status, number of retries, milliseconds, the nodes' responses; separated by |. */
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

/** A program to run, with a folder that is deleted when it stops. */
interface ProxyProgram {
  program: string
  args: readonly string[]
  url: string
  folder: string
  /** in the folder; gets the program's output, unless the program writes the file itself */
  logFile: string
  logsToOutput: boolean
  /** the signal that ends it after its running requests */
  endsBy: NodeJS.Signals
}

/** Starts a proxy's program and waits until it serves. Errors: when it ends before. */
async function startProxy(of: ProxyProgram): Promise<RunningProxy> {
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

const HAPROXY_EXAMPLE = path.join(import.meta.dirname, '..', '..', 'docs', 'haproxy.cfg.example')
/** In readProxyLog's format. A + before the retries means that another node was asked. */
const HAPROXY_LOG = 'log-format "%ST|%rc|%Ta|%HM %HP: %tsc %s %Tw/%Tc/%Tr"'

/**
 * Runs HAProxy in front of two nodes with docs/haproxy.cfg.example, except that its frontend uses a loopback port
 * without TLS and its log a file. Errors: when HAProxy isn't installed or rejects the example.
 */
export async function startHaproxy(nodes: readonly string[], port: number): Promise<RunningProxy> {
  const folder = await mkdtemp(path.join(tmpdir(), 'superday-haproxy-'))
  const file = path.join(folder, 'haproxy.cfg')
  await writeFile(file, configureHaproxy(await readFile(HAPROXY_EXAMPLE, 'utf8'), nodes, port))
  const url = `http://127.0.0.1:${port}`
  const program = findProgram('haproxy') ?? 'haproxy'
  return startProxy({
    ...{ program, args: ['-db', '-f', file], url, folder, endsBy: 'SIGTERM' },
    ...{ logFile: 'access.log', logsToOutput: true },
  })
}

function configureHaproxy(example: string, nodes: readonly string[], port: number): string {
  return (
    nameNodes(example, nodes)
      // This process may be allowed fewer files than the example asks for, and a crowd needs fewer.
      .replace('global\n', 'global\n  no strict-limits\n')
      .replace('log /dev/log local0', 'log stdout format raw local0')
      .replace('  option httplog\n', `  ${HAPROXY_LOG}\n`)
      .replace('  bind :80\n', '')
      .replace(/bind :443 .* backlog/, `bind 127.0.0.1:${port} backlog`)
      .replace(/ {2}http-request redirect .*\n/, '')
  )
}

const NGINX_EXAMPLE = path.join(import.meta.dirname, '..', '..', 'docs', 'nginx.conf.example')
/** In readProxyLog's format. The comma-separated nodes are one more than the retries. */
const NGINX_LOG = "'$status|$tries_again|$milliseconds|$request_method $uri: $upstream_status'"

/**
 * Runs nginx in front of nodes with docs/nginx.conf.example, except that its server of port 443 uses a loopback port
 * without TLS. Errors: when nginx isn't installed or rejects the example.
 */
export async function startNginx(
  nodes: readonly string[],
  givenPort?: number,
): Promise<RunningProxy> {
  const folder = await mkdtemp(path.join(tmpdir(), 'superday-nginx-'))
  const port = givenPort ?? (await freePort())
  const file = path.join(folder, 'nginx.conf')
  await writeFile(file, configureNginx(await readFile(NGINX_EXAMPLE, 'utf8'), nodes, port, folder))
  const url = `http://127.0.0.1:${port}`
  return startProxy({
    ...{ program: 'nginx', args: ['-c', file, '-p', folder], url, folder, endsBy: 'SIGQUIT' },
    ...{ logFile: 'access.log', logsToOutput: false },
  })
}

function configureNginx(example: string, nodes: readonly string[], port: number, folder: string) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const own = `
  map $upstream_status $tries_again { default 0; "~," 1; }
  map $request_time $milliseconds {
    "~^(?<seconds>\\d+)\\.(?<thousandths>\\d+)$" "$seconds$thousandths";
  }
  log_format rush ${NGINX_LOG};
  access_log ${folder}/access.log rush buffer=64k flush=1s;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
`
  const site = nameNodes(example, nodes)
    .replace(/^ {2}server \{\n {4}listen 80;[^}]*\}\n/m, '')
    .replace('listen 443 ssl http2', `listen 127.0.0.1:${port}`)
    .replace(/^ *ssl_.*\n/gm, '')
    .replace('http {\n', `http {${own}`)
  return `daemon off;\npid ${folder}/pid;\nerror_log ${folder}/error.log;\n${site}`
}
