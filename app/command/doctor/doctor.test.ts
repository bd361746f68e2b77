/** @module-tag full */
import { spawnSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { prepareKeys } from '../../../accounts/server/sessions/keys.ts'
import { listMigrations } from '../../../platform/database/migrate.ts'
import { startSmtp } from '../../../tests/rig/auth-smtp.ts'
import { makeDatabase, withClient } from '../../../tests/rig/backup-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { freePort } from '../../../tools/free-port.mjs'
import { examine } from '../doctor.ts'
import type { Finding } from './finding.ts'

const rig = useRig()
let folder: string
const closers: (() => unknown)[] = []
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'superday-doctor-'))
})
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A test's environment for `npm run serve`, with the test's own database. */
const environment = (more: Record<string, string | undefined> = {}) => ({
  DATABASE_URL: rig.databaseUrl,
  SECRET_KEY: rig.dependencies.secretKey.toString('base64'),
  DATA_DIR: path.join(folder, 'data'),
  SMTP_URL: 'smtp://127.0.0.1:1',
  ...more,
})

/** The findings to fix or to look at, one per line. */
async function complaints(
  more: Record<string, string | undefined> = {},
  options: Parameters<typeof examine>[1] = {},
): Promise<string> {
  const findings = await collect(more, options)
  return findings
    .filter(({ is }) => is !== 'well')
    .map(({ is, sentence }) => `${is} ${sentence}`)
    .join('\n')
}

async function collect(
  more: Record<string, string | undefined>,
  options: Parameters<typeof examine>[1] = {},
): Promise<Finding[]> {
  const findings: Finding[] = []
  for await (const finding of examine(environment(more), options)) findings.push(finding)
  return findings
}

describe('the doctor checks settings', () => {
  it('and lists those that production refuses, but still checks the rest', async () => {
    const told = await complaints({ SMTP_URL: undefined, PUBLIC_URL: 'http://superday.invalid' })
    expect(told).toContain('fix PUBLIC_URL must be https, or an address of this machine.')
    expect(told).toContain('fix SMTP_URL is required')
    expect(told).toContain('PostgreSQL runs with fsync')
  })

  it("of a demo by npm start's rules", async () => {
    expect(await complaints({ SMTP_URL: undefined }, { demo: true })).not.toContain('SMTP_URL is')
  })

  it('and stops with an explanation when they cannot be read', async () => {
    const told = await complaints({ SECRET_KEY: undefined })
    expect(told).toMatch(/fix SECRET_KEY is required/)
    expect(told).toMatch(/look Nothing else was checked/)
  })

  it('and fails https without a trusted proxy', async () => {
    const https = { PUBLIC_URL: 'https://superday.invalid' }
    expect(await complaints(https)).toContain('fix TRUST_PROXY is off')
    expect(await complaints({ ...https, TRUST_PROXY: 'on' })).not.toContain('TRUST_PROXY')
  })

  it('and warns about an example address that people would see', async () => {
    const told = await complaints({ PUBLIC_URL: 'http://localhost:1', MAIL_FROM: 'a@uni.example' })
    expect(told).toContain('look SUPPORT_EMAIL, PRIVACY_EMAIL: not set')
  })
})

describe('the doctor checks the secret key', () => {
  it('and fails one of another database, and names its fingerprint when it matches', async () => {
    await prepareKeys(rig.dependencies)
    const findings = await collect({})
    expect(findings.map(({ sentence }) => sentence).join('\n')).toMatch(
      /secret key with the fingerprint [0-9a-f]{16} matches this database/,
    )
    expect(await complaints({ SECRET_KEY: randomBytes(32).toString('base64') })).toContain(
      'fix SECRET_KEY differs from the one that this database was set up with',
    )
  })

  it('and fails one typed by hand', async () => {
    const SECRET_KEY = Buffer.alloc(32, 'abc').toString('base64')
    const DATABASE_URL = await makeDatabase({ migrated: true })
    expect(await complaints({ SECRET_KEY, DATABASE_URL })).toContain('fix SECRET_KEY isn’t random')
  })

  it('and fails one in a file that others can read', async () => {
    const DATA_DIR = path.join(folder, 'open')
    mkdirSync(DATA_DIR)
    const file = path.join(DATA_DIR, 'secret.key')
    await writeFile(file, randomBytes(32).toString('base64'), { mode: 0o644 })
    const embedded = { DATABASE_URL: undefined, SECRET_KEY: undefined, DATA_DIR }
    expect(await complaints(embedded)).toContain(`fix Other users of this machine can read ${file}`)
    chmodSync(file, 0o600)
    expect(await complaints(embedded)).not.toContain('secret.key')
    // The check must not create a database.
    expect(existsSync(path.join(DATA_DIR, 'postgres'))).toBe(false)
    await writeFile(file, 'short')
    expect(await complaints(embedded)).toMatch(/fix The secret key can't be read: .*32-byte/)
  })
})

describe('the doctor checks the database', () => {
  it('and fails when it is down or refuses the password', async () => {
    const DATABASE_URL = `postgres://superday:x@127.0.0.1:${await freePort()}/superday`
    expect(await complaints({ DATABASE_URL })).toMatch(
      /fix The database of DATABASE_URL can't be used: connect ECONNREFUSED/,
    )
    const url = new URL(rig.databaseUrl)
    url.password = 'wrong'
    const told = await complaints({ DATABASE_URL: url.href })
    expect(told).toContain("fix The database of DATABASE_URL can't be used: password authentic")
    expect(told).not.toContain('wrong')
  })

  it('and passes without tables, and creates none', async () => {
    const DATABASE_URL = await makeDatabase({ migrated: false })
    const findings = await collect({ DATABASE_URL })
    expect(findings.map(({ sentence }) => sentence)).toContain(
      'The database is empty. The first start creates its tables.',
    )
    const { rows } = await withClient(DATABASE_URL, (client) =>
      client.query(
        "select 1 from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
      ),
    )
    expect(rows).toEqual([])
  })

  it.each<[string, string, (names: string[]) => string]>([
    [
      'lacks the newest migration',
      'delete from drizzle.__drizzle_migrations where created_at = (select max(created_at) from drizzle.__drizzle_migrations)',
      (names) =>
        `look 1 migration waits (${names.at(-1)}): the next start runs it. Make a backup first.`,
    ],
    [
      'lacks one that must not run next to older nodes',
      'delete from drizzle.__drizzle_migrations where id >= 33',
      () =>
        "Stop every node first: 0032_removed_candidates can't run next to one, because a node of before takes people off a list",
    ],
    [
      'lacks one in between',
      'delete from drizzle.__drizzle_migrations where id = 3',
      (names) => `fix The database has later migrations, but not ${names[2]}.`,
    ],
    [
      'comes from a newer version',
      "insert into drizzle.__drizzle_migrations (hash, created_at) values ('x', 9999999999999)",
      () => 'fix A newer Superday has migrated the database',
    ],
  ])('and reports that it %s', async (_, change, sentence) => {
    const DATABASE_URL = await makeDatabase({ migrated: true })
    expect(await complaints({ DATABASE_URL })).not.toContain('igration')
    await withClient(DATABASE_URL, (client) => client.query(change))
    expect(await complaints({ DATABASE_URL })).toContain(
      sentence(listMigrations().map(({ name }) => name)),
    )
  })

  it('and fails one that can lose acknowledged commits', async () => {
    expect(await complaints()).toContain(
      'fix PostgreSQL runs with fsync and full_page_writes and synchronous_commit off',
    )
  })

  it('and fails when its user cannot create tables or connections are too few', async () => {
    const name = `d${randomUUID().replaceAll('-', '')}`
    const admin = new pg.Client({ connectionString: inject('postgresUrl') })
    await admin.connect()
    closers.push(() => admin.end())
    await admin.query(`create role ${name} login password 'x'`)
    await admin.query(
      `create database ${name} encoding 'SQL_ASCII' locale 'C' locale_provider 'libc' template template0`,
    )
    const url = new URL(inject('postgresUrl'))
    Object.assign(url, { username: name, password: 'x', pathname: `/${name}` })
    const told = await complaints({ DATABASE_URL: url.href })
    expect(told).toContain("fix This user isn't allowed to create tables here")
    expect(told).toContain('fix The database stores text as SQL_ASCII')
  })

  it('and warns about mails that are not being sent', async () => {
    const insert = (at: string) =>
      rig.db.$client.query(
        `insert into mails (id, kind, recipient, created_at, next_try_at, last_error)
         values (gen_random_uuid(), 'recovery', 'a@b.example', ${at}, ${at}, 'no route')`,
      )
    await insert('now()')
    expect(await complaints()).not.toContain('waited')
    await insert("now() - interval '11 minutes'")
    expect(await complaints()).toContain(
      'look 1 mail has waited for more than ten minutes (no route)',
    )
  })
})

describe('the doctor checks the machine', () => {
  it.each([
    [5_000, /fix This machine's clock is (4\.9|5\.0) s ahead of the database's/],
    [-5_000, /fix This machine's clock is (4\.9|5\.0) s behind the database's/],
    [1_000, null],
  ])('and reports a clock that differs by %i ms if that is too much', async (byMs, sentence) => {
    const told = await complaints({}, { now: () => new Date(Date.now() + byMs) })
    if (sentence) expect(told).toMatch(sentence)
    else expect(told).not.toContain('clock')
  })

  it('and fails a small disk', async (context) => {
    const DATA_DIR = path.join(folder, 'small')
    mkdirSync(DATA_DIR)
    const mount = ['-t', 'tmpfs', '-o', 'size=20m', 'tmpfs', DATA_DIR]
    if (spawnSync('mount', mount).status !== 0) {
      context.skip('a small disk cannot be mounted here; root may do that')
    }
    closers.push(() => spawnSync('umount', ['-l', DATA_DIR]))
    const embedded = { DATABASE_URL: undefined, SECRET_KEY: undefined, DATA_DIR }
    expect(await complaints(embedded)).toContain(
      'fix 0.0 GB of 0.0 GB are free on the disk of DATA_DIR: a full disk stops every save.',
    )
    expect(await complaints(embedded)).not.toContain("isn't allowed to write")
    spawnSync('mount', ['-o', 'remount,ro', DATA_DIR])
    expect(await complaints(embedded)).toContain(
      `fix This user isn't allowed to write to ${DATA_DIR}`,
    )
    // The database is remote and mails are sent, so no file is written here.
    expect(await complaints({ DATA_DIR })).not.toContain('DATA_DIR')
  })
})

describe('the doctor checks the mail server', () => {
  it('and greets it without sending mail', async () => {
    const smtp = await startSmtp()
    closers.push(() => smtp.stop())
    expect(await complaints({ SMTP_URL: smtp.url })).not.toContain('mail server')
    const findings = await collect({ SMTP_URL: smtp.url })
    expect(findings).toContainEqual({
      is: 'well',
      sentence: `The mail server 127.0.0.1:${smtp.port} responds; no mail was sent.`,
    })
    expect(smtp.received).toEqual([])
  })

  it('and fails a wrong password without printing it', async () => {
    const smtp = await startSmtp({
      disabledCommands: ['STARTTLS'],
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_, __, done) => done(new Error('no such user')),
    })
    closers.push(() => smtp.stop())
    const told = await complaints({ SMTP_URL: `smtp://ana:hushhush@127.0.0.1:${smtp.port}` })
    expect(told).toMatch(/fix The mail server \S+ rejects the name and password of SMTP_URL/)
    expect(told).not.toContain('hushhush')
  })

  it('and fails when it is down or missing', async () => {
    const port = await freePort()
    expect(await complaints({ SMTP_URL: `smtp://127.0.0.1:${port}` })).toMatch(
      /fix The mail server \S+ does not respond correctly: connect ECONNREFUSED/,
    )
    const other = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    closers.push(() => other.close())
    const found = (other.address() as AddressInfo).port
    expect(await complaints({ SMTP_URL: `smtp://127.0.0.1:${found}` })).toMatch(
      /fix The mail server \S+ does not respond correctly: Invalid greeting/,
    )
  })
})

describe('the doctor checks the public address', () => {
  it.each<[string, number, string, RegExp]>([
    ['Superday', 200, '{"status":"ok"}', /^$/],
    [
      'another product',
      200,
      '<h1>Welcome</h1>',
      /fix \S+ is answered by something other than Superday/,
    ],
    ['a proxy without the app', 502, 'Bad Gateway', /fix \S+ is answered by the proxy \(502\)/],
    ['a redirect', 301, '', /fix \S+ redirects to https:\/\/elsewhere\.example/],
  ])('and reports when it leads to %s', async (_, status, body, told) => {
    const server = http.createServer((_request, response) => {
      response.writeHead(status, status === 301 ? { Location: 'https://elsewhere.example/' } : {})
      response.end(body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closers.push(() => server.close())
    const PUBLIC_URL = `http://localhost:${(server.address() as AddressInfo).port}`
    const lines = (await complaints({ PUBLIC_URL })).split('\n')
    expect(lines.filter((line) => line.includes(PUBLIC_URL)).join('\n')).toMatch(told)
  })

  it('and fails when its name is unknown or nothing answers', async () => {
    expect(
      await complaints({ PUBLIC_URL: 'https://superday.invalid', TRUST_PROXY: 'on' }),
    ).toContain('fix The name superday.invalid of PUBLIC_URL has no address')
    const PUBLIC_URL = `http://localhost:${await freePort()}`
    expect(await complaints({ PUBLIC_URL })).toMatch(/fix localhost:\d+ of PUBLIC_URL does not res/)
  })
})
