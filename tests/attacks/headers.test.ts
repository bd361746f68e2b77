import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

import { type Asked, ask, broken, DIST, post, useBuiltServer } from '../rig/wire-rig.ts'

useBuiltServer()

const CONTENT_SECURITY_POLICY = {
  'default-src': "'self'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
}

describe('security headers', () => {
  const HTML = { Accept: 'text/html' }
  const asset = (extension: string) => {
    const name = readdirSync(path.join(DIST, 'assets')).find((file) => file.endsWith(extension))
    return `/assets/${name}`
  }
  const EVIL = { Origin: 'https://evil.example' }
  const KINDS: [
    kind: 'page' | 'file' | 'api' | 'auth',
    what: string,
    status: number,
    call: string,
  ][] = [
    ['page', 'the landing page', 200, 'GET /'],
    ['page', 'a page', 200, 'GET /auth?recovery=x'],
    ['page', 'the 404 page', 404, 'GET /nothing'],
    ['file', 'a redirect', 302, 'GET /index.html'],
    ['file', 'a script', 200, 'GET *.js'],
    ['file', 'a style sheet', 200, 'GET *.css'],
    ['file', 'a font', 200, 'GET *.woff2'],
    ['file', 'a picture', 200, 'GET /favicon.svg'],
    ['file', 'robots.txt', 200, 'GET /robots.txt'],
    ['file', 'a missing script', 404, 'GET /assets/old.js'],
    ['file', 'another method', 404, 'POST /dashboard'],
    ['api', 'an answer of the API', 200, 'GET /api/contact'],
    ['api', 'a refusal of the API', 401, 'GET /api/profile'],
    ['api', 'the metrics without a token', 401, 'GET /metrics'],
    ['api', 'the health check', 200, 'GET /healthz'],
    ['api', 'readiness', 200, 'GET /readyz'],
    ['api', 'a failure of the API', 500, 'GET /api/profile'],
    ['auth', 'an answer of the auth API', 200, 'GET /auth/v1/settings'],
    ['auth', 'a refusal of the auth API', 401, 'GET /auth/v1/user'],
    ['auth', 'an unknown auth call', 404, 'GET /auth/v1/nothing'],
    ['auth', 'a preflight to the auth API', 404, 'OPTIONS /auth/v1/token'],
    ['auth', 'a preflight to the API', 404, 'OPTIONS /api/results'],
    ['auth', 'a failure of the auth API', 500, 'POST /auth/v1/signup'],
  ]

  /** A failure is a call of a signed-in user while a table is missing. */
  async function make(kind: string, status: number, call: string): Promise<Asked> {
    const [method = '', to = ''] = call.split(' ')
    const route = to.startsWith('*') ? asset(to.slice(1)) : to
    const headers = { ...EVIL, ...(kind === 'page' ? HTML : {}) }
    if (status !== 500) return ask(method, route, { headers })
    const { json } = await post('/auth/v1/signup', {})
    const signedIn = { ...headers, Authorization: `Bearer ${json.access_token}` }
    const body = method === 'POST' ? {} : undefined
    return broken(() => ask(method, route, { headers: signedIn, body }))
  }

  it.each(KINDS)('are right for a %s: %s (%i)', async (kind, _, status, call) => {
    const { headers, ...answer } = await make(kind, status, call)
    expect(answer.status).toBe(status)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    // No other page may read anything, and nothing reveals the server's software.
    for (const name of Object.keys(headers)) {
      expect(name).not.toMatch(/^(access-control-|server$|x-powered-by$|set-cookie$)/)
    }
    if (kind !== 'api') {
      expect(headers).toMatchObject({
        'referrer-policy': 'strict-origin-when-cross-origin',
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
      })
    }
    if (kind === 'api' || (kind === 'auth' && answer.json.code !== 'not_found')) {
      expect(headers['content-type']).toMatch(/^application\/json/)
      expect(headers['cache-control']).toBe('no-store')
    }
    if (kind === 'page' || kind === 'file') {
      expect(headers['strict-transport-security']).toBe('max-age=31536000')
    }
    if (kind === 'page') {
      const policy = String(headers['content-security-policy'])
        .split('; ')
        .map((one) => [one.slice(0, one.indexOf(' ')), one.slice(one.indexOf(' ') + 1)])
      expect(Object.fromEntries(policy)).toEqual(CONTENT_SECURITY_POLICY)
    }
  })

  it.each(['/aloud', '/aloud/walk-me-through-a-dcf'])(
    'of %s let only the page itself record and play, and send recordings nowhere',
    async (page) => {
      const { headers } = await ask('GET', page, { headers: HTML })
      expect(headers['permissions-policy']).toBe(
        'camera=(), microphone=(self), geolocation=(), payment=()',
      )
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain("media-src 'self' blob:")
      expect(policy).toContain("connect-src 'self';")
    },
  )

  it('let the service worker be replaced immediately and send its code uncached', async () => {
    const { headers, status, text } = await ask('GET', '/sw.js')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(headers['cache-control']).toBe('no-cache')
    // The version covers the page and its headers and is the same on every node.
    expect(text).toMatch(/superday-shell-/)
    expect(text).not.toContain('{version}')
    expect((await ask('GET', '/sw.js')).text).toBe(text)
    // It caches all existing files and none of a society's pages.
    const kept = text.match(/\/(assets\/)?[\w-]+\.(js|css|woff2|svg|png|webmanifest)/g) ?? []
    expect(kept.length).toBeGreaterThan(80)
    for (const file of kept) expect(existsSync(path.join(DIST, file)), file).toBe(true)
    expect(kept.join(' ')).not.toMatch(/organizer|society|landing|proctor|social/)
  })

  it('allow what the built pages need: nothing inline, nothing from other origins', () => {
    expect(existsSync(DIST), 'dist/ is there (npm test builds it)').toBe(true)
    const pages = readdirSync(DIST).filter((file) => file.endsWith('.html'))
    expect(pages.length).toBeGreaterThanOrEqual(2)
    for (const page of pages) {
      const html = readFileSync(path.join(DIST, page), 'utf8')
      expect(html, page).not.toMatch(/<script(?![^>]*\ssrc=)/i)
      expect(html, page).not.toMatch(/<style|\sstyle=|\son[a-z]+=|javascript:/i)
      for (const [, url] of html.matchAll(
        /<(?:script|link|img|source)[^>]*\s(?:src|href)="([^"]+)"/g,
      )) {
        expect(url, page).toMatch(/^(\/(?!\/)|\{publicUrl\}|data:)/)
      }
    }
  })
})
