import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { findBrowser } from '../../tools/browser.mjs'
import { makeDocx } from './templates-docx.ts'
import { makePdf } from './templates-pdf.ts'
import { readTemplates, TEMPLATES_DIR } from './templates-source.ts'

// Creates the files in app/web/public/templates from templates.yaml and specimens.yaml in content/pages.
// Run: node --import tsx pages/build/templates.ts

await mkdir(TEMPLATES_DIR, { recursive: true })
const browser = await chromium.launch({
  executablePath: findBrowser() ?? undefined,
  args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
})
try {
  for (const template of await readTemplates()) {
    const file = path.join(TEMPLATES_DIR, template.name)
    await writeFile(`${file}.pdf`, await makePdf(browser, template))
    if (template.isBlank) await writeFile(`${file}.docx`, await makeDocx(template))
    console.log(file)
  }
} finally {
  await browser.close()
}
