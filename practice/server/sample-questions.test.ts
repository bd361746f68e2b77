import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { PAGE_SCHEMAS } from '../../pages/page-shapes.ts'
import { OPTION_LETTERS } from '../../platform/options.ts'
import { CONTENT_DIR } from '../../platform/server/project-folder.ts'
import { countServedQuestions, readSampleQuestions } from './sample-questions.ts'

const landing = PAGE_SCHEMAS.landing.parse(
  parse(readFileSync(path.join(CONTENT_DIR, 'pages', 'landing.yaml'), 'utf8')),
)

it('the landing page gets its sample questions in order, each wrong answer with its explanation', {
  tags: ['full'],
}, async () => {
  const questions = await readSampleQuestions(landing.questions)
  expect(questions.map(({ id }) => id)).toEqual(landing.questions)
  for (const { options, why, correctOption } of questions) {
    expect(Object.keys(why)).toEqual(OPTION_LETTERS.filter((letter) => letter !== correctOption))
    // The options must leave room for a verdict on a phone.
    expect(Math.max(...Object.values(options).map((text) => text.length))).toBeLessThan(26)
  }
})

it('a sample question that is not in the bank is rejected', { tags: ['full'] }, async () => {
  await expect(readSampleQuestions([4010, 99_999])).rejects.toThrow(
    'question 99999 is not in practice',
  )
})

it('the landing page counts the served questions: whole tests of ten, over 800, none retired', async () => {
  const count = await countServedQuestions()
  expect(count).toBeGreaterThan(800)
  expect(count % 10).toBe(0)
  const folder = path.join(CONTENT_DIR, 'questions')
  const items = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) => readFileSync(path.join(folder, file), 'utf8').split(/^- /m).slice(1))
  expect(count).toBe(items.filter((item) => !/^ +retired: true/m.test(item)).length)
})
