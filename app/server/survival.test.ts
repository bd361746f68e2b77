import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PROJECT_DIR } from '../../platform/server/project-folder.ts'
import { buildServer, SERVER_FILE } from '../../tools/build-server.mjs'
import { freePort } from '../../tools/free-port.mjs'

const CELL = { category: 'Valuation & Corporate Finance', difficulty: 'Intern' }

let dataDir: string
let port: number
let server: ChildProcess | undefined

beforeAll(buildServer)
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'superday survival '))
  port = await freePort()
})
afterEach(async () => {
  if (server?.exitCode === null) {
    server.kill('SIGTERM')
    await ended(server)
  }
  await rm(dataDir, { recursive: true, force: true })
})

const url = (route: string) => `http://127.0.0.1:${port}${route}`

/** Starts the real server like `npm start`, in its own process. */
async function startServer(environment: Record<string, string> = {}, mode = 'demo') {
  const child = spawn(process.execPath, [SERVER_FILE, mode], {
    cwd: PROJECT_DIR,
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'silent',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  const ready = await Promise.race([
    until(() => output.includes('Superday is ready'), 60_000).then(() => true),
    ended(child).then(() => false),
  ])
  return { child, ready, output: () => output }
}

const ended = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode)
    else child.once('exit', resolve)
  })

async function until(isTrue: () => boolean | Promise<boolean>, limitMs: number): Promise<void> {
  const end = Date.now() + limitMs
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error('waited too long')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function signUpGuest(): Promise<string> {
  const response = await fetch(url('/auth/v1/signup'), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"data":{}}',
  })
  return ((await response.json()) as { access_token: string }).access_token
}

const call = (token: string, route: string, body?: unknown) =>
  fetch(url(route), {
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })

async function finishedTest(token: string) {
  const query = new URLSearchParams({ ...CELL, testNumber: '1' })
  const questions = (await (await call(token, `/api/questions?${query}`)).json()) as {
    id: number
  }[]
  expect(questions).toHaveLength(10)
  return () => ({
    id: randomUUID(),
    ...CELL,
    testNumber: 1,
    answers: questions.map(({ id }) => ({ questionId: id, selectedAnswer: 'A' })),
    completedAt: new Date().toISOString(),
    timeZone: 'Europe/Lisbon',
  })
}

const listIds = async (token: string) => {
  const response = await call(token, `/api/results?${new URLSearchParams(CELL)}`)
  expect(response.status).toBe(200)
  return new Set(((await response.json()) as { id: string }[]).map(({ id }) => id))
}

describe('a server killed with -9', { tags: ['full'] }, () => {
  it('in the middle of saves has every result that it answered with 201', async () => {
    ;({ child: server } = await startServer())
    const token = await signUpGuest()
    const next = await finishedTest(token)
    const acknowledged: string[] = []
    const savers = Array.from({ length: 16 }, async () => {
      while (server?.signalCode === null) {
        const result = next()
        const response = await call(token, '/api/results', result).catch(() => null)
        if (response?.status === 201) acknowledged.push(result.id)
      }
    })
    await until(() => acknowledged.length > 100, 20_000)
    server?.kill('SIGKILL')
    await Promise.all(savers)

    ;({ child: server } = await startServer())
    const stored = await listIds(token)
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])
    expect(acknowledged.length).toBeGreaterThan(100)
  })
})

describe('a database killed with -9', { tags: ['full'] }, () => {
  it('answers 503 meanwhile, recovers by itself and has lost nothing', async () => {
    ;({ child: server } = await startServer())
    const token = await signUpGuest()
    const next = await finishedTest(token)
    const before = next()
    expect((await call(token, '/api/results', before)).status).toBe(201)

    const { pid } = JSON.parse(
      await readFile(path.join(dataDir, 'postgres', 'server.json'), 'utf8'),
    ) as { pid: number }
    process.kill(pid, 'SIGKILL')

    const during = next()
    const seen = new Set<number>()
    await until(async () => {
      const { status, headers } = await call(token, '/api/results', during)
      seen.add(status)
      if (status === 503) expect(headers.get('retry-after')).toBe('1')
      // Remaining parts of a killed server may still answer a call.
      return seen.has(503) && status < 300
    }, 20_000)
    expect([...seen].filter((status) => ![200, 201, 503].includes(status))).toEqual([])
    expect(await listIds(token)).toEqual(new Set([before.id, during.id]))
  })
})

describe("the server's start", () => {
  it('is refused on a taken port, with a message that names PORT', async () => {
    const taken = createServer().listen(port, '127.0.0.1')
    const { child, ready, output } = await startServer()
    taken.close()
    expect([ready, await ended(child)]).toEqual([false, 1])
    expect(output()).toContain(`Port ${port} is taken. Set PORT to a free one`)
  })

  it('in production is refused with a message for each missing setting', async () => {
    const { child, ready, output } = await startServer(
      { DATABASE_URL: 'postgres://localhost/none' },
      'serve',
    )
    expect([ready, await ended(child)]).toEqual([false, 1])
    expect(output()).toMatch(/SECRET_KEY is required/)
    expect(output()).toMatch(/PUBLIC_URL is required/)
    expect(output()).toMatch(/SMTP_URL is required/)
  })

  it('works again with all its data after SIGTERM', { tags: ['full'] }, async () => {
    const first = await startServer()
    const token = await signUpGuest()
    const next = await finishedTest(token)
    const result = next()
    expect((await call(token, '/api/results', result)).status).toBe(201)
    first.child.kill('SIGTERM')
    expect(await ended(first.child)).toBe(0)
    ;({ child: server } = await startServer())
    expect(await listIds(token)).toEqual(new Set([result.id]))
  })
})
