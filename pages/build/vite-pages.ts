import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type IndexHtmlTransformContext, type Plugin, runnerImport } from 'vite'
import { parse } from 'yaml'
import { PAGE_SCHEMAS, pageNameOf, type SampleQuestion } from '../page-shapes.ts'

/** Loaded alongside the style sheet. The headings' large font would delay the first paint. */
const EARLY_FONTS = /inter-latin-wght-normal|newsreader-latin-basic/
const EARLY_FONTS_LANDING = /inter-latin-wght-normal/

const LANDING = '/landing.html'

/** What pages show of the question bank. practice/ is above this room, so it is passed as an argument. */
interface Bank {
  /** questions by id, in the given order; throws if one isn't available */
  readQuestions: (ids: readonly number[]) => Promise<SampleQuestion[]>
  countQuestions: () => Promise<number>
}

/** content/pages/*.yaml as validated modules. The landing page's includes its questions (product 8.1.6). */
export function contentPages(bank: Bank): Plugin {
  return {
    name: 'superday-content-pages',
    enforce: 'pre',
    async load(file) {
      const name = file.includes('content/pages') ? pageNameOf(file) : null
      if (!name) return null
      const source = await fillCounts(await readFile(file, 'utf8'), bank)
      const page = PAGE_SCHEMAS[name].parse(parse(source))
      let code = `export const page = ${JSON.stringify(page)}`
      if ('questions' in page && name === 'landing') {
        const questions = await bank.readQuestions(page.questions as number[])
        code += `\nexport const questions = ${JSON.stringify(questions)}`
      }
      return { code, map: null, moduleType: 'js' }
    },
  }
}

/** Replaces {questionCount} with the number of questions, so that it is never outdated (product 8.8.3). */
async function fillCounts(text: string, bank: Bank): Promise<string> {
  if (!text.includes('{questionCount}')) return text
  const count = (await bank.countQuestions()).toLocaleString('en-US')
  return text.replaceAll('{questionCount}', count)
}

/** Both pages preload their fonts, so that the first text uses them as early as possible. */
export function preloadFonts(): Plugin {
  return {
    name: 'superday-preload-fonts',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle, path: page }) =>
        Object.keys(bundle ?? {})
          .filter((file) => (page === LANDING ? EARLY_FONTS_LANDING : EARLY_FONTS).test(file))
          .map((file) => ({
            tag: 'link',
            attrs: {
              rel: 'preload',
              as: 'font',
              type: 'font/woff2',
              crossorigin: '',
              href: `/${file}`,
            },
            injectTo: 'head' as const,
          })),
    },
  }
}

/** Writes the landing page's markup into landing.html at build time. The browser only hydrates it. */
export function prerenderedLanding(bank: Bank): Plugin {
  let root = ''
  return {
    name: 'superday-landing',
    configResolved: (config) => {
      root = config.root
    },
    configureServer: (server) => {
      server.middlewares.use((request, _response, next) => {
        if (/^\/(\?|$)/.test(request.url ?? ''))
          request.url = `/landing.html${request.url?.slice(1)}`
        next()
      })
    },
    transformIndexHtml: {
      order: 'post',
      handler: async (html, { bundle, path: page }: IndexHtmlTransformContext) => {
        if (!bundle || page !== LANDING) return html
        const { module } = await runnerImport<{ renderLanding: () => string }>(
          path.join(import.meta.dirname, '..', 'web', 'landing', 'render.tsx'),
          { root, mode: 'production', logLevel: 'warn', plugins: [contentPages(bank)] },
        )
        return html.replace(
          '<div id="root"></div>',
          () => `<div id="root">${module.renderLanding()}</div>`,
        )
      },
    },
  }
}
