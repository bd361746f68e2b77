import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Context, Hono } from 'hono'
import { getMimeType } from 'hono/utils/mime'
import { fairnessUrl, isPage, mayRecord, URLS } from '../../platform/urls.ts'

// No inline scripts or styles, and nothing from other origins. React sets single styles through the DOM, which works
// without unsafe-inline.
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** For spoken answers (product 3.13.10), which are played from the page's own memory. */
const OWN_RECORDING = "media-src 'self' blob:"
const MICROPHONE_POLICY = 'camera=(), microphone=(self), geolocation=(), payment=()'

/** Replaces the service worker so that browsers remove it (product 3.17.8). */
const NO_WORKER = `addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => {
  const empty = async () => {
    for (const name of await caches.keys()) await caches.delete(name)
    await registration.unregister()
  }
  event.waitUntil(empty())
})
`

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

/**
 * Serves the built application: the landing page at /, index.html elsewhere, with 404 for unknown paths. Without
 * `isOffline`, browsers drop their offline copy (product 3.17.8).
 */
export function serveWeb(app: Hono, webDir: string, publicUrl: string, isOffline = true): void {
  const landing = readPage(path.join(webDir, 'landing.html'), publicUrl)
  const dashboard = readPage(path.join(webDir, 'index.html'), publicUrl)
  const index = readPage(path.join(webDir, 'index.html'), publicUrl, DASHBOARD_PARTS)
  const worker = isOffline ? readWorker(webDir, dashboard) : encode(NO_WORKER)
  const isHttps = publicUrl.startsWith('https:')

  app.use(async (context, next) => {
    await next()
    if (isHttps) context.res.headers.set('Strict-Transport-Security', 'max-age=31536000')
    if (context.res.headers.get('content-type')?.startsWith('text/html')) {
      const records = mayRecord(context.req.path)
      context.res.headers.set(
        'Content-Security-Policy',
        records ? `${CONTENT_SECURITY_POLICY}; ${OWN_RECORDING}` : CONTENT_SECURITY_POLICY,
      )
      if (records) context.res.headers.set('Permissions-Policy', MICROPHONE_POLICY)
    }
  })
  app.get('/', (context) => answerPage(context, landing, 200))
  if (worker) {
    app.get('/sw.js', (context) =>
      answerPage(context, worker, 200, 'text/javascript; charset=utf-8'),
    )
  }
  app.on('GET', ['/index.html', '/landing.html'], (context) => context.redirect(URLS.landing))
  app.get('/robots.txt', (context) => context.text(robots(publicUrl)))
  app.get('/sitemap.xml', (context) =>
    context.body(sitemap(publicUrl), 200, { 'Content-Type': 'application/xml; charset=utf-8' }),
  )
  const files = findFiles(webDir)
  app.get('*', (context, next) => {
    const file = files.get(decodePath(context.req.path))
    return file ? answerPage(context, file.read(), 200, file.type, file.caching) : next()
  })
  app.get('*', (context) => {
    const { path: requested } = context.req
    // A missing script or image must not get an HTML page, for example an old chunk.
    if (!context.req.header('accept')?.includes('text/html')) return context.text('Not found', 404)
    // Only people with the link should find it (product 7.21.5).
    if (requested.startsWith(fairnessUrl(''))) context.header('X-Robots-Tag', 'noindex')
    const page = requested === URLS.dashboard ? dashboard : index
    return answerPage(context, page, isPage(decodePath(requested)) ? 200 : 404)
  })
}

/** A page in each encoding that browsers accept, best first. */
export type EncodedPage = { encoding: 'br' | 'gzip' | null; body: Uint8Array<ArrayBuffer> }[]

/** Matches what app/build/preload-dashboard.ts adds to index.html. */
const DASHBOARD_PARTS = /\s*<link [^>]*data-dashboard[^>]*>/g

interface WebFile {
  type: string
  caching: string
  read(): EncodedPage
}

/**
 * Finds the built files by URL path. Each stays in memory once it was requested, because reading it from the disk takes
 * twenty times as long as sending it.
 */
function findFiles(webDir: string): Map<string, WebFile> {
  const paths = readdirSync(webDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.html'))
    .map((entry) => path.join(entry.parentPath, entry.name))
  const known = new Set(paths)
  return new Map(
    paths.map((file) => {
      const url = `/${path.relative(webDir, file).split(path.sep).join('/')}`
      let page: EncodedPage | undefined
      const read = () => {
        page ??= ENCODINGS.flatMap(({ encoding, suffix }) =>
          known.has(file + suffix)
            ? { encoding, body: new Uint8Array(readFileSync(file + suffix)) }
            : [],
        )
        return page
      }
      const type = url.endsWith('.docx') ? DOCX : (getMimeType(url) ?? 'application/octet-stream')
      // File names under assets/ contain a hash of the content.
      const isHashed = url.startsWith('/assets/')
      const caching = isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'
      return [url, { type, caching, read }]
    }),
  )
}

const ENCODINGS = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'gzip', suffix: '.gz' },
  { encoding: null, suffix: '' },
] as const

/** Pages contain their own URL for link previews, so it is filled in and compressed here. */
function readPage(file: string, publicUrl: string, without: RegExp | string = ''): EncodedPage {
  const text = readFileSync(file, 'utf8').replaceAll('{publicUrl}', publicUrl)
  return encode(text.replace(without, ''))
}

const encode = (text: string): EncodedPage => [
  { encoding: 'br', body: new Uint8Array(brotliCompressSync(text)) },
  ...zip(text),
]

/** Without Brotli, which takes a second for a large text. */
export const zip = (text: string): EncodedPage => [
  { encoding: 'gzip', body: new Uint8Array(gzipSync(text)) },
  { encoding: null, body: new Uint8Array(Buffer.from(text)) },
]

/** The service worker, versioned by page and headers; null if it wasn't built. */
function readWorker(webDir: string, index: EncodedPage): EncodedPage | null {
  const file = path.join(webDir, 'sw.js')
  if (!existsSync(file)) return null
  const source = readFileSync(file, 'utf8')
  const version = createHash('sha256').update(source)
  version.update(index.at(-1)?.body ?? '')
  version.update(CONTENT_SECURITY_POLICY).update(OWN_RECORDING).update(MICROPHONE_POLICY)
  return encode(source.replaceAll('{version}', version.digest('hex').slice(0, 16)))
}

export function answerPage(
  context: Context,
  page: EncodedPage,
  status: 200 | 404,
  type = 'text/html; charset=UTF-8',
  caching = 'no-cache',
): Response {
  const accepted = context.req.header('accept-encoding') ?? ''
  const { encoding, body } = page.find(
    (one) =>
      one.encoding === null || new RegExp(`\\b${one.encoding}\\b(?!;q=0(,|$))`).test(accepted),
  ) as EncodedPage[number]
  return context.body(body, status, {
    'Content-Type': type,
    'Cache-Control': caching,
    Vary: 'Accept-Encoding',
    ...(encoding ? { 'Content-Encoding': encoding } : {}),
  })
}

const robots = (publicUrl: string) => `User-agent: *
Allow: /
Disallow: /api/
Disallow: /auth/v1/

Sitemap: ${publicUrl}/sitemap.xml
`

/** The pages for visitors. All others need a signed-in user (product 1.3.1, 1.5.7). */
const sitemap = (publicUrl: string) => `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${[URLS.landing, URLS.auth].map((page) => `  <url><loc>${publicUrl}${page}</loc></url>`).join('\n')}
</urlset>
`

function decodePath(requested: string): string {
  try {
    return decodeURI(requested)
  } catch {
    return requested
  }
}
