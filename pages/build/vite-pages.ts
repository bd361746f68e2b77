import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type IndexHtmlTransformContext, type Plugin, runnerImport } from 'vite'
import { parse } from 'yaml'
import { PAGE_SCHEMAS, pageNameOf, type SampleQuestion } from '../page-shapes.ts'

/** Fetched beside the style sheet; the headings' large font would hold up the first picture. */
const EARLY_FONTS = /inter-latin-wght-normal|newsreader-latin-basic/
const EARLY_FONTS_LANDING = /inter-latin-wght-normal/

const LANDING = '/landing.html'

/** What pages say of the bank. practice/ is above this room, so it comes as an argument. */
interface Bank {
  /** questions by their ids, in their order; throws where one is not served */
  readQuestions: (ids: readonly number[]) => Promise<SampleQuestion[]>
  countQuestions: () => Promise<number>
}

/** content/pages/*.yaml as checked modules; the landing page's with its questions (product 8.1.6). */
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

/** The text with the number of questions where it has {questionCount}, so that nobody types it (product 8.8.3). */
async function fillCounts(text: string, bank: Bank): Promise<string> {
  if (!text.includes('{questionCount}')) return text
  const count = (await bank.countQuestions()).toLocaleString('en-US')
  return text.replaceAll('{questionCount}', count)
}

/** Both pages name their fonts, so that the first text is set in them as early as can be. */
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

/** The landing page's markup is written into landing.html when it is built; the browser only wakes it up. */
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
