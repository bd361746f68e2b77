import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../tools/free-port.mjs'

const EXAMPLE = path.join(import.meta.dirname, '..', '..', 'docs', 'nginx.conf.example')

/**
 * nginx before some nodes, by docs/nginx.conf.example: its server of port 443 on a loopback port without
 * TLS, all else as it stands there.
 * Errors: when nginx is not installed, or refuses the example.
 */
export async function startNginx(
  nodes: readonly string[],
): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'superday-nginx-'))
  const port = await freePort()
  const file = path.join(folder, 'nginx.conf')
  await writeFile(file, configure(await readFile(EXAMPLE, 'utf8'), nodes, port, folder))
  const nginx = spawn('nginx', ['-c', file, '-p', folder], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const ended = new Promise<void>((resolve, reject) => {
    nginx.once('error', reject)
    nginx.once('exit', () => resolve())
  })
  const url = `http://127.0.0.1:${port}`
  await Promise.race([
    untilServing(url),
    ended.then(() => Promise.reject(new Error('nginx did not start'))),
  ])
  return {
    url,
    stop: async () => {
      nginx.kill('SIGQUIT')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function configure(example: string, nodes: readonly string[], port: number, folder: string) {
  const [address] = example.match(/^ {2}server [\d.]+:\d+ .*;$/m) ?? []
  if (!address) throw new Error('the example names no node')
  const servers = nodes.map((url) => address.replace(/[\d.]+:\d+/, new URL(url).host)).join('\n')
  const site = example
    .replace(/(^ {2}server [\d.]+:\d+ .*;\n)+/m, `${servers}\n`)
    .replace(/^server \{\n {2}listen 80;[^}]*\}\n/m, '')
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
    .replace(/^ {2}ssl_.*\n/gm, '')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `daemon off;
worker_processes auto;
pid ${folder}/pid;
error_log ${folder}/error.log;
events { worker_connections 8192; }
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  ${site}
}
`
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
