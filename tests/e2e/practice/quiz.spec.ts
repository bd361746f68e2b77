import type { Page } from '@playwright/test'
import type { Question } from '../../../practice/question.ts'
import { expect, expectSound, type Product, questionsOf, test } from '../rig.ts'

const CATEGORY = 'Valuation & Corporate Finance'
const CELL = `${encodeURIComponent(CATEGORY)}/Intern`
const quizOf = (testNumber: number) => `/quiz/${CELL}/${testNumber}`

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const wrongOf = ({ correctOption }: Question) => (correctOption === 'A' ? 'b' : 'a')

/** Answers a whole test by keys, the first `wrong` incorrectly, and finishes it. */
async function answerByKeys(page: Page, questions: Question[], wrong: number): Promise<void> {
  for (const [index, question] of questions.entries()) {
    await expect(heading(page)).toContainText(question.question)
    await page.keyboard.press(
      index < wrong ? wrongOf(question) : question.correctOption.toLowerCase(),
    )
    await page.keyboard.press('Enter')
  }
  await expect(page.getByRole('heading', { name: 'Question Review' })).toBeVisible()
}

test('Below 80% Enter starts a test of the mistakes, whose results lead on', {
  tag: '@full',
}, async ({ page, signedIn }) => {
  void signedIn
  await page.goto(quizOf(1))
  const questions = await questionsOf(page, 1)
  await answerByKeys(page, questions, 3)
  await expect(heading(page)).toContainText('70%')
  // Enter without a focused element works, but not as part of the press that finished the test.
  await page.waitForTimeout(600)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/quiz')
  await answerByKeys(page, questions.slice(0, 3), 0)
  await expect(page).toHaveURL('/results/error-practice')
  await expect(page.getByText('mistakes right this time')).toBeVisible()
  await expect(page.getByText(/^Not saved as a result\. Your answers count/)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Start Test 2' }).first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Retake Test' }).first()).toBeVisible()
})

test('With "Check as I go" an answer is graded immediately, locked, and shown with its source', {
  tag: '@full',
}, async ({ page, signedIn }) => {
  void signedIn
  const rules = { category: 'Financial Accounting & Analysis', difficulty: 'Analyst' }
  await page.goto(`/quiz/${encodeURIComponent(rules.category)}/${rules.difficulty}/1`)
  const questions = await questionsOf(page, 1, 0, rules)
  const [first] = questions
  if (!first) throw new Error('no question')
  const cited = questions.flatMap(({ source }) => (source === undefined ? [] : `Source: ${source}`))
  expect(cited.length).toBeGreaterThan(0)
  const sources = page.getByText(/^Source: /)
  await page.getByRole('switch', { name: 'Check as I go' }).check()
  await heading(page).focus()
  await page.keyboard.press(wrongOf(first))
  await expect(page.getByText('The mistake', { exact: true })).toBeHidden()
  await page.keyboard.press('Enter')
  await expect(page.getByText('The mistake', { exact: true })).toBeVisible()
  await expect(page.getByText('YOUR ANSWER', { exact: true })).toBeVisible()
  await expectSound(page, 'quiz-checked')
  // A graded answer can't be changed, and a reload keeps it.
  await page.keyboard.press(first.correctOption.toLowerCase())
  await page.reload()
  await expect(page.getByText('YOUR ANSWER', { exact: true })).toBeVisible()
  await heading(page).focus()
  await page.keyboard.press('Enter')
  for (const question of questions.slice(1)) {
    await expect(heading(page)).toContainText(question.question)
    await page.keyboard.press(question.correctOption.toLowerCase())
    await page.keyboard.press('Enter')
    await expect(page.getByText('CORRECT', { exact: true })).toBeVisible()
    await expect(page.getByText(question.explanation ?? '')).toBeVisible()
    await expect(sources).toHaveCount(question.source === undefined ? 0 : 1)
    await page.keyboard.press('Enter')
  }
  await expect(heading(page)).toContainText('90%')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await expect(sources).toHaveText(cited)
})

test('Two tabs with one test show the same answers, and finishing one ends the other', {
  tag: '@full',
}, async ({ page, context, product, signedIn }) => {
  void signedIn
  await page.goto(quizOf(1))
  const questions = await questionsOf(page, 1)
  const other = await context.newPage()
  await other.goto(quizOf(1))
  const radio = (tab: Page, place: number) => tab.getByRole('radio').nth(place)
  await radio(page, 2).check({ force: true })
  await expect(radio(other, 2)).toBeChecked()
  await radio(other, 1).check({ force: true })
  await expect(radio(page, 1)).toBeChecked()

  await page.bringToFront()
  await heading(page).focus()
  await answerByKeys(page, questions, 0)
  await expect(heading(page)).toContainText('100%')
  await other.bringToFront()
  await expect(other.getByText('You finished this test in another tab')).toBeVisible()
  await other.getByRole('link', { name: 'See the results' }).click()
  await expect(heading(other)).toContainText('100%')
  await expect.poll(() => countResults(product, page)).toBe(1)
})

async function countResults(product: Product, page: Page): Promise<number> {
  const stored = await page.evaluate(() => localStorage.getItem('superday-auth') ?? '{}')
  const { rows } = await product.db.$client.query(
    'select count(*)::int as count from test_results where user_id = $1',
    [JSON.parse(stored).user.id],
  )
  return rows[0].count
}
