import { readFileSync } from 'node:fs'
import path from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import type { Hono } from 'hono'
import { isPage } from '../shared/urls.ts'

// No inline script or style, nothing from another origin. React sets single styles through the DOM,
// which a policy without unsafe-inline allows.
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

/**
 * Serves the built web application. Every page of the product answers index.html; any other path
 * answers it with status 404, and the application shows its 404 page.
 */
export function serveWeb(app: Hono, webDir: string, publicUrl: string): void {
  const index = readFileSync(path.join(webDir, 'index.html'), 'utf8')
  const isHttps = publicUrl.startsWith('https:')

  app.use(async (context, next) => {
    await next()
    if (isHttps) context.res.headers.set('Strict-Transport-Security', 'max-age=31536000')
    if (context.res.headers.get('content-type')?.startsWith('text/html')) {
      context.res.headers.set('Content-Security-Policy', CONTENT_SECURITY_POLICY)
    }
  })
  app.get('/index.html', (context) => context.redirect('/'))
  app.use(
    '*',
    serveStatic({
      root: webDir,
      // '/' is a page, not a file.
      rewriteRequestPath: (requested) => (requested.endsWith('/') ? '/-' : requested),
      precompressed: true,
      onFound: (file, context) => {
        // Names under assets/ carry a hash of their content.
        context.header(
          'Cache-Control',
          file.includes(`${path.sep}assets${path.sep}`) || file.includes('/assets/')
            ? 'public, max-age=31536000, immutable'
            : 'public, max-age=3600',
        )
      },
    }),
  )
  app.get('*', (context) => {
    const { path: requested } = context.req
    // A script or picture that is missing is no page: an old chunk's name must not get HTML.
    if (!context.req.header('accept')?.includes('text/html')) return context.text('Not found', 404)
    return context.html(index, isPage(decodePath(requested)) ? 200 : 404, {
      'Cache-Control': 'no-cache',
    })
  })
}

function decodePath(requested: string): string {
  try {
    return decodeURI(requested)
  } catch {
    return requested
  }
}
