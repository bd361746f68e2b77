import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { OPTION_LETTERS } from '../../../platform/options.ts'
import type { Question } from '../../../practice/question.ts'
import { youDid } from '../../../practice/web/slips/slip-words.ts'
import { expect, expectSound, test, tokenOf } from '../rig.ts'

const CELL = { category: 'Valuation & Corporate Finance', difficulty: 'Intern' }

async function get<T>(page: Page, path: string, query: Record<string, string> = {}): Promise<T> {
  const headers = { Authorization: `Bearer ${await tokenOf(page)}` }
  const response = await page.request.get(`${path}?${new URLSearchParams(query)}`, { headers })
  expect(response.status()).toBe(200)
  return response.json()
}

/** A question of the level, one of its mistake codes, and six variants with the same code. */
async function findSlip(page: Page) {
  const questions = await get<Question[]>(page, '/api/questions', CELL)
  for (const [index, question] of questions.entries()) {
    const testNumber = String(Math.floor(index / 10) + 1)
    const place = index % 10
    const variantAt = async (variant: number) =>
      (
        await get<Question[]>(page, '/api/questions', {
          ...CELL,
          testNumber,
          variant: String(variant),
        })
      )[place] as Question
    // Variants have their own ids (product 3.12.2).
    if (!question.slips || (await variantAt(1)).id === question.id) continue
    const variants = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map(variantAt))
    for (const letter of OPTION_LETTERS) {
      const code = question.slips[letter]
      const others = variants.filter(
        ({ slips = {} }) => code && Object.values(slips).includes(code),
      )
      if (code && others.length >= 6) {
        return { code, letter, others: others.slice(0, 6), testNumber, place }
      }
    }
  }
  throw new Error('no question with a slip that six variants have')
}

/** Answers questions in a finished session, incorrect ones with the given mistake. */
async function answer(page: Page, questions: Question[], slip: string, wrong: number) {
  const at = new Date().toISOString()
  const response = await page.request.put(`/api/practice/sessions/${randomUUID()}`, {
    headers: { Authorization: `Bearer ${await tokenOf(page)}` },
    data: {
      kind: 'due',
      about: {},
      answers: questions.map((question, place) => ({
        place,
        item: String(question.id),
        choice:
          place < wrong
            ? OPTION_LETTERS.find((letter) => question.slips?.[letter] === slip)
            : question.correctOption,
        answeredAt: at,
      })),
      isFinished: true,
      completedAt: at,
      timeZone: 'Europe/Lisbon',
    },
  })
  expect(response.status()).toBe(200)
}

interface Slip {
  code: string
  name: string
  made: number
  possible: number
}
const headingOf = (slip: Slip | undefined) => (slip ? youDid(slip) : 'no such mistake')
const slipsOf = (page: Page) =>
  get<Slip[]>(page, '/api/practice/slips', { timeZone: 'Europe/Lisbon' })

test('A mistake made once is not shown; a repeated one is in the hub, the feedback and the results', {
  tag: '@full',
}, async ({ page, signedIn: _ }) => {
  await page.goto('/dashboard')
  const { code, letter, others, testNumber, place } = await findSlip(page)
  const card = page.getByRole('region', { name: /^You / })
  await answer(page, others.slice(0, 2), code, 1)
  const read = page.waitForResponse((response) => response.url().includes('/api/practice/slips'))
  await page.goto('/personal-hub?tab=mistakes')
  expect(await (await read).json()).toMatchObject([{ code, made: 1, possible: 2 }])
  await expect(page.getByText('No repeated mistakes yet.')).toBeVisible()
  await expect(card).toBeHidden()

  await answer(page, others.slice(2), code, 3)
  const [slip] = await slipsOf(page)
  await page.reload()
  await card.scrollIntoViewIfNeeded()
  await expect(card.getByRole('heading', { level: 2, name: headingOf(slip) })).toBeVisible()
  await expect(card.getByText('4 of your last 6 chances', { exact: true })).toBeVisible()
  await expectSound(page, 'slips-hub')
  const ten = page.getByRole('link', { name: '10 questions on this mistake' })
  await ten.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/build/test\\?slip=${code}&ids=`))
  await expect(page.getByRole('radiogroup')).toBeVisible()
  await page.getByRole('link', { name: 'Close test' }).click()
  await expect(page).toHaveURL('/personal-hub?tab=mistakes')

  // The fifth time is in a test with 'Check as I go'.
  await page.goto(`/quiz/${encodeURIComponent(CELL.category)}/${CELL.difficulty}/${testNumber}`)
  const heading = page.getByRole('heading', { level: 1 })
  await page.getByRole('switch', { name: 'Check as I go' }).check()
  await heading.focus()
  const asked = await get<Question[]>(page, '/api/questions', { ...CELL, testNumber })
  for (const [index, one] of asked.entries()) {
    await expect(heading).toContainText(one.question)
    await page.keyboard.press((index === place ? letter : one.correctOption).toLowerCase())
    await page.keyboard.press('Enter')
    await expect(page.getByText('CORRECT', { exact: true })).toBeVisible()
    if (index === place) {
      await expect(page.getByText('The mistake · fifth time this month')).toBeVisible()
    }
    await page.keyboard.press('Enter')
  }

  await expect(heading).toContainText('90%')
  await expect(page.getByRole('heading', { level: 2, name: headingOf(slip) })).toBeVisible()
  await expect(page.getByText('5 of your last 7 chances, 1 in this test')).toBeVisible()
  await expect(page.getByText('The mistake · fifth time this month')).toBeVisible()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()

  await ten.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/build/test\\?slip=${code}&ids=`))
  await expect(page.getByRole('radiogroup')).toBeVisible()
})
