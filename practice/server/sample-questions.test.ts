import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { PAGE_SCHEMAS } from '../../pages/page-shapes.ts'
import { OPTION_LETTERS } from '../../platform/options.ts'
import { CONTENT_DIR } from '../../platform/server/project-folder.ts'
import { readSampleQuestions } from './sample-questions.ts'

const landing = PAGE_SCHEMAS.landing.parse(
  parse(readFileSync(path.join(CONTENT_DIR, 'pages', 'landing.yaml'), 'utf8')),
)

it('gives the questions of the landing page in their order, each wrong answer with its mistake', async () => {
  const questions = await readSampleQuestions(landing.questions)
  expect(questions.map(({ id }) => id)).toEqual(landing.questions)
  for (const { options, why, correctOption } of questions) {
    expect(Object.keys(why)).toEqual(OPTION_LETTERS.filter((letter) => letter !== correctOption))
    // A verdict fits beside each on a phone.
    expect(Math.max(...Object.values(options).map((text) => text.length))).toBeLessThan(26)
  }
})

it('refuses an id that the bank has not', async () => {
  await expect(readSampleQuestions([4010, 99_999])).rejects.toThrow('no question 99999 is served')
})
