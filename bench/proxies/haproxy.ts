import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findProgram } from '../../tests/cluster/packages.ts'
import { nameNodes, type RunningProxy, startProxy } from './proxy.ts'

const EXAMPLE = path.join(import.meta.dirname, '..', '..', 'docs', 'haproxy.cfg.example')
/** As proxy.ts reads it. Retries begin with + where another node was asked. */
const LOG_FORMAT = 'log-format "%ST|%rc|%Ta|%HM %HP: %tsc %s %Tw/%Tc/%Tr"'

/**
 * HAProxy before two nodes, by docs/haproxy.cfg.example: its frontend on a loopback port without TLS, its
 * log into a file, all else as it stands there.
 * Errors: when HAProxy is not installed, or refuses the example.
 */
export async function startHaproxy(nodes: readonly string[], port: number): Promise<RunningProxy> {
  const folder = await mkdtemp(path.join(tmpdir(), 'superday-haproxy-'))
  const file = path.join(folder, 'haproxy.cfg')
  await writeFile(file, configure(await readFile(EXAMPLE, 'utf8'), nodes, port))
  const url = `http://127.0.0.1:${port}`
  const program = findProgram('haproxy') ?? 'haproxy'
  return startProxy({
    ...{ program, args: ['-db', '-f', file], url, folder, endsBy: 'SIGTERM' },
    ...{ logFile: 'access.log', logsToOutput: true },
  })
}

function configure(example: string, nodes: readonly string[], port: number): string {
  return (
    nameNodes(example, nodes)
      // Where this process may open fewer files than the example asks for: a crowd needs fewer.
      .replace('global\n', 'global\n  no strict-limits\n')
      .replace('log /dev/log local0', 'log stdout format raw local0')
      .replace('  option httplog\n', `  ${LOG_FORMAT}\n`)
      .replace('  bind :80\n', '')
      .replace(/bind :443 .* backlog/, `bind 127.0.0.1:${port} backlog`)
      .replace(/ {2}http-request redirect .*\n/, '')
  )
}
