import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp, useRig } from '../../tests/rig/rig.ts'
import { serveWeb } from './web.ts'

const rig = useRig({ metricsToken: 'a-token-for-metrics' })

const JSON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

describe('every answer', () => {
  it.each([
    ['/api/profile', 401],
    ['/api/contact', 200],
    ['/api/nothing', 404],
    ['/api/openapi.json', 200],
    ['/auth/v1/health', 200],
    ['/auth/v1/nothing', 404],
  ])('%s (%i) is JSON and carries the security headers', async (route, status) => {
    const answer = await rig.call('GET', route)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toMatch(/json/)
    for (const [name, value] of Object.entries(JSON_HEADERS)) {
      expect([name, answer.headers.get(name)]).toEqual([name, value])
    }
    if (status >= 400) expect(typeof (answer.body.message ?? answer.body.msg)).toBe('string')
  })
})

describe('the profile call', () => {
  it("returns an account's name, e-mail and joining day", async () => {
    const { token } = await signUp(rig, 'Mara.Keller@Example.com')
    expect((await rig.call('GET', '/api/profile', { token })).body).toEqual({
      name: 'mara.keller',
      email: 'mara.keller@example.com',
      createdAt: '2026-03-02T10:00:00.000Z',
      isAnonymous: false,
    })
  })

  it('calls a guest User', async () => {
    const { token } = await signUp(rig)
    expect((await rig.call('GET', '/api/profile', { token })).body).toMatchObject({
      name: 'User',
      email: null,
      isAnonymous: true,
    })
  })

  it('without its row returns no joining date and logs it, without an error', async () => {
    const { token, userId } = await signUp(rig)
    await rig.db.$client.query('delete from profiles where user_id = $1', [userId])
    const { status, body } = await rig.call('GET', '/api/profile', { token })
    expect([status, body.createdAt]).toEqual([200, null])
    expect(rig.logged.at(-1)?.msg).toBe('profile row missing')
  })
})

describe('the operator endpoints', () => {
  it('report that the server is alive and ready', async () => {
    expect((await rig.call('GET', '/healthz')).status).toBe(200)
    expect((await rig.call('GET', '/readyz')).status).toBe(200)
  })

  it('show metrics only with the token', async () => {
    expect((await rig.call('GET', '/metrics')).status).toBe(401)
    expect((await rig.call('GET', '/metrics', { token: 'another-token-here' })).status).toBe(401)
    const { status, body } = await rig.call('GET', '/metrics', { token: 'a-token-for-metrics' })
    expect(status).toBe(200)
    expect(body).toMatch(/http_request_duration_seconds_count/)
  })

  it('describe every call as OpenAPI', async () => {
    const { body } = await rig.call('GET', '/api/openapi.json')
    expect(body.openapi).toBe('3.1.0')
    expect(Object.keys(body.paths['/api/results'])).toEqual(['get', 'post'])
    expect(Object.keys(body.paths['/api/results/{id}'])).toEqual(['get'])
  })
})

describe('the web pages', () => {
  let folder: string
  const app = new Hono()
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'superday web '))
    await writeFile(
      path.join(folder, 'index.html'),
      '<!doctype html><title>Superday</title><link rel="modulepreload" href="/a.js" data-dashboard=""><link rel="modulepreload" href="/b.js">',
    )
    await writeFile(
      path.join(folder, 'landing.html'),
      '<!doctype html><title>Landing</title><link rel="canonical" href="{publicUrl}/">',
    )
    await writeFile(path.join(folder, 'theme.js'), '// theme')
    await writeFile(path.join(folder, 'letter.docx'), 'PK')
    serveWeb(app, folder, 'https://superday.example')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const get = (route: string, accept = 'text/html') =>
    app.request(route, { headers: { Accept: accept } })

  it.each([
    '/',
    '/auth',
    '/auth?tab=signup',
    '/dashboard',
    '/tests/Financial%20Accounting%20%26%20Analysis/Intern',
    '/quiz/Astrology/Nobody/99',
    '/quiz',
    '/results/error-practice',
    '/error-practice/a/b',
    '/personal-hub/',
    '/recruitment/test',
  ])('include %s', async (route) => {
    const response = await get(route)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-security-policy')).toMatch(/default-src 'self'/)
    expect(response.headers.get('content-security-policy')).not.toMatch(/unsafe/)
    expect(response.headers.get('strict-transport-security')).toMatch(/max-age/)
    expect(response.headers.get('cache-control')).toBe('no-cache')
  })

  it.each(['/nothing', '/tests/only-one', '/quiz/a/b/1/more', '/dashboards', '/%E0%A4%A'])(
    'answer %s with the 404 page and status 404',
    async (route) => {
      const response = await get(route)
      expect(response.status).toBe(404)
      expect(await response.text()).toMatch(/<title>Superday/)
    },
  )

  it('name the parts of the dashboard on the dashboard only', async () => {
    expect(await (await get('/dashboard')).text()).toContain('/a.js')
    const elsewhere = await (await get('/practice')).text()
    expect(elsewhere).not.toContain('/a.js')
    expect(elsewhere).toContain('/b.js')
  })

  it('begin with the landing page, which contains its address', async () => {
    for (const route of ['/', '/?from=mail']) {
      expect(await (await get(route)).text()).toBe(
        '<!doctype html><title>Landing</title><link rel="canonical" href="https://superday.example/">',
      )
    }
    expect(await (await get('/dashboard')).text()).toMatch(/<title>Superday/)
  })

  it.each(['/index.html', '/landing.html'])(
    'have one address each: %s redirects to /',
    async (route) => {
      const response = await get(route)
      expect([response.status, response.headers.get('location')]).toEqual([302, '/'])
    },
  )

  it.each([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
    ['', null, (body: Buffer) => body],
  ] as const)('are compressed for Accept-Encoding "%s"', async (accepted, encoding, decode) => {
    const response = await app.request('/', { headers: { 'Accept-Encoding': accepted } })
    expect(response.headers.get('content-encoding')).toBe(encoding)
    expect(response.headers.get('vary')).toBe('Accept-Encoding')
    expect(decode(Buffer.from(await response.arrayBuffer())).toString()).toMatch(/<title>Landing/)
  })

  it('are listed for search engines when public', async () => {
    expect(await (await get('/robots.txt')).text()).toMatch(
      /^User-agent: \*\nAllow: \/\n[\s\S]*Sitemap: https:\/\/superday\.example\/sitemap\.xml\n$/,
    )
    const sitemap = await get('/sitemap.xml')
    expect(sitemap.headers.get('content-type')).toMatch(/^application\/xml/)
    expect((await sitemap.text()).match(/<loc>.*?<\/loc>/g)).toEqual([
      '<loc>https://superday.example/</loc>',
      '<loc>https://superday.example/auth</loc>',
    ])
  })

  it('are not sent in place of a missing script', async () => {
    const response = await get('/assets/old-chunk.js', '*/*')
    expect([response.status, await response.text()]).toEqual([404, 'Not found'])
  })

  it.each([
    ['/theme.js', 'text/javascript; charset=utf-8'],
    ['/letter.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ])('are served with their files: %s', async (file, type) => {
    const response = await get(file, '*/*')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
  })
})
