import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '../../tools/free-port.mjs'
import { nameNodes, type RunningProxy, startProxy } from './proxy.ts'

const EXAMPLE = path.join(import.meta.dirname, '..', '..', 'docs', 'nginx.conf.example')
/** As proxy.ts reads it: the nodes asked, parted by commas, are one more than the tries again. */
const LOG_FORMAT = "'$status|$tries_again|$milliseconds|$request_method $uri: $upstream_status'"

/**
 * nginx before some nodes, by docs/nginx.conf.example: its server of port 443 on a loopback port without
 * TLS, all else as it stands there.
 * Errors: when nginx is not installed, or refuses the example.
 */
export async function startNginx(
  nodes: readonly string[],
  givenPort?: number,
): Promise<RunningProxy> {
  const folder = await mkdtemp(path.join(tmpdir(), 'superday-nginx-'))
  const port = givenPort ?? (await freePort())
  const file = path.join(folder, 'nginx.conf')
  await writeFile(file, configure(await readFile(EXAMPLE, 'utf8'), nodes, port, folder))
  const url = `http://127.0.0.1:${port}`
  return startProxy({
    ...{ program: 'nginx', args: ['-c', file, '-p', folder], url, folder, endsBy: 'SIGQUIT' },
    ...{ logFile: 'access.log', logsToOutput: false },
  })
}

function configure(example: string, nodes: readonly string[], port: number, folder: string) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const own = `
  map $upstream_status $tries_again { default 0; "~," 1; }
  map $request_time $milliseconds {
    "~^(?<seconds>\\d+)\\.(?<thousandths>\\d+)$" "$seconds$thousandths";
  }
  log_format rush ${LOG_FORMAT};
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
