/**
 * A correct installation, on a durable PostgreSQL with its own standby.
 * @module-tag full
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { prepareKeys } from '../../../accounts/server/sessions/keys.ts'
import { openDatabase } from '../../../platform/database/database.ts'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../platform/database/embedded/start.ts'
import { migrateDatabase } from '../../../platform/database/migrate-database.ts'
import { PROJECT_DIR } from '../../../platform/server/project-folder.ts'
import { startSmtp } from '../../../tests/rig/auth-smtp.ts'
import { withClient } from '../../../tests/rig/backup-rig.ts'
import { runCommand } from '../../../tests/rig/commands/run-command.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { ADMIN_FILE } from '../../../tools/build-server.mjs'
import { examine } from '../doctor.ts'

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
const rig = useRig()
const DAY_MS = 86_400_000
const closers: (() => unknown)[] = []
let folder: string
let primary: EmbeddedPostgres
const dataDir = () => path.join(folder, 'primary')

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'superday-installation-'))
  primary = await startEmbeddedPostgres({ dataDir: dataDir(), log: () => {} })
  await migrateDatabase(primary.url)
  const db = openDatabase(primary.url, { max: 1 })
  await prepareKeys({ ...rig.dependencies, db })
  await db.$client.end()
})
afterAll(async () => {
  for (const close of closers.reverse()) await close()
  await primary?.stop()
  await rm(folder, { recursive: true, force: true })
})

const environment = (more: Record<string, string> = {}) => ({
  DATABASE_URL: primary.url,
  SECRET_KEY: rig.dependencies.secretKey.toString('base64'),
  DATA_DIR: path.join(folder, 'data'),
  TRUST_PROXY: 'on',
  METRICS_TOKEN: 'a token of some length',
  MAIL_FROM: 'Superday <no-reply@uni.example>',
  SUPPORT_EMAIL: 'support@uni.example',
  PRIVACY_EMAIL: 'privacy@uni.example',
  ...more,
})

/** Runs a command in its own process, which also trusts the certificates in these files. */
const run = (args: string[], more: Record<string, string>, trusted: string[]) =>
  runCommand(args, {
    PATH: process.env.PATH,
    ...environment(more),
    ...(trusted[0] ? { NODE_EXTRA_CA_CERTS: trusted[0] } : {}),
  })

/** Serves Superday with TLS. @returns its port on this machine */
async function serveTls(certificate: { key: string; cert: string }): Promise<number> {
  const server = https.createServer(certificate, async (request, response) => {
    const answer = await rig.app.request(request.url ?? '/')
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    response.end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => server.close())
  return (server.address() as AddressInfo).port
}

describe.skipIf(!hasOpenssl)('the doctor checks an installation behind https', () => {
  it('and exits with 0 when all is well and with 1 for one problem', async () => {
    const smtp = await startSmtp()
    closers.push(() => smtp.stop())
    const ends = new Date(Date.now() + 60 * DAY_MS)
    const certificate = makeCertificate(folder, 'localhost', ends)
    const PUBLIC_URL = `https://localhost:${await serveTls(certificate)}`
    const doctor = (more: Record<string, string>) =>
      run([ADMIN_FILE, 'doctor'], { PUBLIC_URL, SMTP_URL: smtp.url, ...more }, [certificate.file])
    const all = await doctor({})
    expect(all.err).toBe('')
    const [sentences = '', last] = all.out.trimEnd().split('\n\n')
    expect(sentences.split('\n').filter((line) => !line.startsWith('well  '))).toEqual([])
    expect([last, all.status]).toEqual(['Nothing to fix.', 0])
    expect(sentences).toContain(`well  ${PUBLIC_URL} leads to Superday.`)
    expect(sentences).toContain(
      `well  The certificate is valid until ${ends.toISOString().slice(0, 10)}.`,
    )
    expect(sentences).toMatch(/^well {2}PostgreSQL 18\.\S+ responds; the database superday uses/m)
    expect(sentences).toMatch(/^well {2}The tables are up to date \(\d{4}_/m)
    expect(smtp.received).toEqual([])

    const broken = await doctor({ SECRET_KEY: randomBytes(32).toString('base64') })
    expect(broken.out).toMatch(/^FIX {3}SECRET_KEY differs from the one/m)
    expect([broken.out.trimEnd().split('\n').at(-1), broken.status]).toEqual(['1 thing to fix.', 1])
  }, 60_000)

  it('and reports invalid certificates and ones that nothing renews', async () => {
    const now = Date.now()
    const good = makeCertificate(folder, 'localhost', new Date(now + 90 * DAY_MS))
    const cases: [certificate: ReturnType<typeof makeCertificate>, sentence: RegExp][] = [
      [
        makeCertificate(folder, 'localhost', new Date(now + 5.5 * DAY_MS)),
        /"fix","sentence":"The certificate is valid until \S+, 5 days from now/,
      ],
      [
        makeCertificate(folder, 'localhost', new Date(now - DAY_MS)),
        /"fix","sentence":"The certificate of localhost:\d+ has expired/,
      ],
      [
        makeCertificate(folder, 'elsewhere', new Date(now + 91 * DAY_MS)),
        /"fix","sentence":"The certificate of localhost:\d+ is for another name/,
      ],
    ]
    const unknown = makeCertificate(folder, 'localhost', new Date(now + 92 * DAY_MS))
    const trusted = path.join(folder, 'trusted.pem')
    await writeFile(trusted, [good, ...cases.map(([one]) => one)].map(({ cert }) => cert).join(''))
    const ports = await Promise.all(
      [good, ...cases.map(([one]) => one), unknown].map((one) => serveTls(one)),
    )
    const script = path.join(folder, 'ask.mts')
    await writeFile(
      script,
      `const { lookAtAddress } = await import(${JSON.stringify(path.join(PROJECT_DIR, 'app/command/doctor/network.ts'))})
      for (const port of ${JSON.stringify(ports)})
        console.log(JSON.stringify(await lookAtAddress('https://localhost:' + port, new Date())))`,
    )
    const { out, err } = await run([script], {}, [trusted])
    expect(err).toBe('')
    const lines = out.trimEnd().split('\n')
    expect(lines[0]).not.toContain('fix')
    for (const [index, [, sentence]] of cases.entries()) expect(lines[index + 1]).toMatch(sentence)
    expect(lines[4]).toMatch(/"fix","sentence":"Browsers will not trust the certificate/)
    expect(lines).toHaveLength(5)
  }, 60_000)
})

describe('the doctor checks the standby', () => {
  const told = async (url: string) => {
    const sentences: string[] = []
    for await (const { is, sentence } of examine(
      environment({ DATABASE_URL: url, SMTP_URL: 'smtp://127.0.0.1:1' }),
    )) {
      sentences.push(`${is} ${sentence}`)
    }
    return sentences.join('\n')
  }
  const setPrimary = (name: string, value: string) =>
    withClient(primary.url, async (client) => {
      // Otherwise the commit would wait for a standby that the test hasn't set up yet, or has stopped.
      await client.query('set synchronous_commit = local')
      await client.query(`alter system set ${name} = '${value}'`)
      await client.query('select pg_reload_conf()')
    })

  // Cleans up before a retry too.
  beforeEach(async () => {
    await setPrimary('synchronous_standby_names', '')
    await setPrimary('synchronous_commit', 'on')
    await rm(path.join(folder, 'standby'), { recursive: true, force: true })
  })

  it('and reports none, one that follows, one that confirms, one that is down, and a standby itself', async () => {
    const becomes = (sentence: string) =>
      expect.poll(() => told(primary.url), { timeout: 15_000 }).toContain(sentence)
    await becomes('well No standby is set up')

    await primary.stop()
    execFileSync('cp', ['-a', dataDir(), path.join(folder, 'standby')])
    primary = await startEmbeddedPostgres({ dataDir: dataDir(), log: () => {} })
    await writeFile(path.join(folder, 'standby', 'postgres', 'cluster', 'standby.signal'), '')
    const { port, username, password } = new URL(primary.url)
    const standby = await startEmbeddedPostgres({
      dataDir: path.join(folder, 'standby'),
      log: () => {},
      settings: {
        primary_conninfo: `host=127.0.0.1 port=${port} user=${username} password=${password} application_name=second`,
      },
    })
    let isUp = true
    closers.push(() => (isUp ? standby.stop() : null))
    await becomes('well 1 standby follows (second), but no commit waits for it.')

    await setPrimary('synchronous_standby_names', 'FIRST 1 (second)')
    await becomes('well Each commit is confirmed by second.')
    await setPrimary('synchronous_commit', 'local')
    await becomes('fix Standby names are set, but synchronous_commit is local')
    await setPrimary('synchronous_commit', 'on')
    await setPrimary('synchronous_standby_names', 'ANY 2 (second, third)')
    await becomes(
      'fix Each commit waits for 2 standbys of synchronous_standby_names (ANY 2 (second, third)), but 1 of them is connected: nothing can be saved.',
    )

    expect(await told(standby.url)).toContain('fix This PostgreSQL is a read-only standby')

    const stranger = new URL(primary.url)
    await withClient(primary.url, async (client) => {
      await client.query('set synchronous_commit = local')
      await client.query('drop role if exists stranger')
      await client.query("create role stranger login password 'x'")
    })
    Object.assign(stranger, { username: 'stranger', password: 'x' })
    expect(await told(stranger.href)).toContain(
      "look There are standbys that this user isn't allowed",
    )

    await standby.stop()
    isUp = false
    await becomes('but 0 of them are connected: nothing can be saved.')
    await setPrimary('synchronous_standby_names', '')
    await becomes('well No standby is set up')
  }, 90_000)
})

interface Certificate {
  key: string
  cert: string
  /** the self-signed certificate's file */
  file: string
}

/**
 * Creates a certificate for `name` that starts a year before `ends`. Only `openssl ca` can create expired ones,
 * `openssl req` can't.
 */
function makeCertificate(folder: string, name: string, ends: Date): Certificate {
  const home = path.join(folder, `${name}-${ends.getTime()}`)
  mkdirSync(home)
  writeFileSync(path.join(home, 'index.txt'), '')
  writeFileSync(
    path.join(home, 'ca.cnf'),
    `[ca]
default_ca=ours
[ours]
database=index.txt
new_certs_dir=.
default_md=sha256
policy=any
copy_extensions=copy
rand_serial=yes
[any]
commonName=supplied
organizationName=supplied
`,
  )
  const run = (args: string) =>
    execFileSync('openssl', args.split(' '), { cwd: home, stdio: 'pipe' })
  // Each gets its own organization. With the same name, no certificate would be found as its own authority.
  run(
    `req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out request.pem -subj /O=${path.basename(home)}/CN=${name} -addext subjectAltName=DNS:${name}`,
  )
  const starts = new Date(ends.getTime() - 365 * DAY_MS)
  run(
    `ca -batch -notext -config ca.cnf -selfsign -keyfile key.pem -in request.pem -out cert.pem -startdate ${stamp(starts)} -enddate ${stamp(ends)}`,
  )
  const read = (file: string) => readFileSync(path.join(home, file), 'utf8')
  return { key: read('key.pem'), cert: read('cert.pem'), file: path.join(home, 'cert.pem') }
}

const stamp = (at: Date) => `${at.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`
