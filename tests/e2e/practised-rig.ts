import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { Question } from '../../practice/question.ts'
import { expect, type Product, tokenOf } from './rig.ts'

// What a person may have done earlier: tests taken, and unfinished tests on this device.

/** The page, its user and the product. */
export interface Here {
  page: Page
  product: Product
  userId: string
}

const questionsOf = async (page: Page, category: string, difficulty: string, test: number) => {
  const response = await page.request.get(
    `/api/questions?${new URLSearchParams({ category, difficulty, testNumber: String(test) })}`,
    { headers: { Authorization: `Bearer ${await tokenOf(page)}` } },
  )
  return (await response.json()) as Question[]
}

/** Saves a finished test with `right` correct answers. @returns the attempt's id */
export async function take(
  { page }: Here,
  category: string,
  difficulty: string,
  testNumber: number,
  right = 10,
  daysAgo = 0,
): Promise<string> {
  const id = randomUUID()
  const questions = await questionsOf(page, category, difficulty, testNumber)
  const response = await page.request.post('/api/results', {
    headers: { Authorization: `Bearer ${await tokenOf(page)}` },
    data: {
      id,
      category,
      difficulty,
      testNumber,
      completedAt: new Date(Date.now() - daysAgo * 86_400_000).toISOString(),
      timeZone: 'Europe/Lisbon',
      answers: questions.map(({ id, correctOption }, index) => ({
        questionId: id,
        selectedAnswer: index < right ? correctOption : correctOption === 'A' ? 'B' : 'A',
      })),
    },
  })
  expect(response.status()).toBe(201)
  return id
}

/** Leaves an unfinished test on this device. */
export async function leave(
  { page, userId }: Here,
  name: string,
  answered: number,
  minutesAgo = 0,
) {
  const [category = '', difficulty = '', number] = name.split('/')
  const questions = await questionsOf(page, category, difficulty, Number(number))
  const at = Date.now() - minutesAgo * 60_000
  const draft = {
    answers: Object.fromEntries(questions.slice(0, answered).map(({ id }) => [id, 'A'])),
    index: answered,
    startedAtMs: at,
    savedAtMs: at,
  }
  await page.evaluate(
    ([key, text]) => localStorage.setItem(key as string, text as string),
    [`superday-draft:${userId}:${name}`, JSON.stringify(draft)],
  )
}

/** The page's signed-in user, read on a page that loads none of their data. */
export async function hereOf(page: Page, product: Product): Promise<Here> {
  await page.goto('/faq')
  const userId = await page.evaluate(
    () => JSON.parse(localStorage.getItem('superday-auth') ?? '{}').user.id as string,
  )
  return { page, product, userId }
}
