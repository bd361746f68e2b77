import type { Browser } from '@playwright/test'
import {
  type Block,
  BULLET_INDENT,
  LANGUAGE,
  LOOKS,
  type Look,
  MADE,
  PAPERS,
  RULE_WIDTH,
  sideOf,
  TEXT,
  type Template,
} from './templates-source.ts'

// The product's own fonts are variable, and Chromium can embed those only as Type 3, drawings without a name.
// Liberation Serif is embedded as TrueType and has the widths of Times New Roman, which the .docx uses.
const FONT = 'Liberation Serif'

/** The template as a tagged PDF with embedded fonts. The same browser gives the same bytes. */
export async function makePdf(browser: Browser, template: Template): Promise<Buffer> {
  const page = await browser.newPage()
  await page.setContent(toHtml(template))
  const bottom = await page.evaluate(() => document.body.getBoundingClientRect().bottom * 0.75)
  if (bottom > TEXT.height) {
    throw new Error(
      `${template.name} is ${Math.round(bottom)} points high, but a page has ${TEXT.height}: shorten it in content/pages`,
    )
  }
  const pdf = await page.pdf({ preferCSSPageSize: true, tagged: true, outline: false })
  await page.close()
  return fixInfo(pdf)
}

function toHtml({ title, paper, blocks }: Template): string {
  const rules = Object.entries(LOOKS).map(([kind, look]) => `.${kind} { ${toCss(look)} }`)
  return `<!doctype html>
<html lang="${LANGUAGE}">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<style>
@page { size: ${PAPERS[paper].width}pt ${PAPERS[paper].height}pt; margin: ${TEXT.top}pt ${sideOf(paper)}pt }
/* A ligature would be read as one strange character by simple software. */
body { margin: 0; width: ${TEXT.width}pt; color: #000; font-family: '${FONT}'; font-variant-ligatures: none }
h1, h2, h3, p, ul, li { margin: 0; padding: 0; font-weight: normal }
ul { padding-left: ${BULLET_INDENT}pt; list-style-position: outside }
li::marker { content: '•\\00a0\\00a0' }
.entry { display: flex; justify-content: space-between; gap: 12pt }
.entry p { white-space: nowrap; font-weight: normal }
.entry h3 { font: inherit }
/* A span, since <strong> becomes a tag that only PDF 2.0 has. */
.label { font-weight: bold }
${rules.join('\n')}
</style>
</head>
<body>
${toElements(blocks)}
</body>
</html>`
}

function toCss({ size, line, before, isBold, isItalic, isCentered, isRuled }: Look): string {
  return [
    `font-size: ${size}pt`,
    `line-height: ${line}pt`,
    `margin-top: ${before}pt`,
    isBold ? 'font-weight: bold' : '',
    isItalic ? 'font-style: italic' : '',
    isCentered ? 'text-align: center' : '',
    isRuled ? `border-bottom: ${RULE_WIDTH}pt solid #000` : '',
  ]
    .filter(Boolean)
    .join('; ')
}

function toElements(blocks: Block[]): string {
  return blocks
    .map(toElement)
    .join('\n')
    .replace(/(<li.*<\/li>\n?)+/g, '<ul>\n$&</ul>\n')
}

function toElement({ kind, text, label, dates }: Block): string {
  const { element } = LOOKS[kind]
  const content = `${label ? `<span class="label">${escapeHtml(label)}</span> ` : ''}${escapeHtml(text)}`
  return kind === 'entry'
    ? `<div class="entry"><h3>${content}</h3>${dates ? `<p>${escapeHtml(dates)}</p>` : ''}</div>`
    : `<${element} class="${kind}">${content}</${element}>`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Replaces Chromium's time and name with fixed ones of the same length, because a PDF contains byte offsets. */
function fixInfo(pdf: Buffer): Buffer {
  const time = MADE.toISOString().replace(/\D/g, '').slice(0, 14)
  const fixed = pdf
    .toString('latin1')
    .replace(/\/(CreationDate|ModDate) \(D:\d{14}/g, `/$1 (D:${time}`)
    .replace(/\/Creator \((?:\\.|[^()\\])*(?:\([^()]*\)[^()]*)*\)/, (entry) =>
      '/Creator (Superday)'.padEnd(entry.length),
    )
  if (fixed.length !== pdf.length) throw new Error('the PDF has a different length')
  if (!fixed.includes(`+${FONT.replace(' ', '')}`)) {
    throw new Error(`${FONT} is not installed (on Debian: apt-get install fonts-liberation)`)
  }
  return Buffer.from(fixed, 'latin1')
}
