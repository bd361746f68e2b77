import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { OPTION_LETTERS } from '../../platform/options.ts'
import { CONTENT_DIR } from '../../platform/server/project-folder.ts'
import { listCells } from '../../practice/categories.ts'
import { loadContent, raiseBankVersion } from '../../practice/server/content/content.ts'
import { questions } from '../../practice/server/tables.ts'
import type { Rig } from './rig.ts'

/**
 * A small bank: 20 questions in Financial Accounting & Analysis, Intern (ids 2001 to 2020), ten in every other cell.
 * The keys repeat A, B, C, D.
 */
export async function fillBank(rig: Rig): Promise<void> {
  const rows = listCells().flatMap(({ category, difficulty }, cell) => {
    const count = cell === 1 ? 20 : 10
    return Array.from({ length: count }, (_, index) => {
      const id = (cell + 1) * 1000 + 1 + index
      return {
        id,
        category,
        difficulty,
        topic: 'test',
        question: `Question ${id}?`,
        answerA: `first of ${id}`,
        answerB: `second of ${id}`,
        answerC: `third of ${id}`,
        answerD: `fourth of ${id}`,
        correctOption: keyOf(id),
        explanation: `Because of ${id}.`,
        why: {},
        source: 'content' as const,
      }
    })
  })
  await rig.db.transaction(async (tx) => {
    await tx.insert(questions).values(rows)
    await raiseBankVersion(tx)
  })
}

/** Loads the cases of content/ without its slow questions. Call it before fillBank, because it retires others. */
export async function loadCases(rig: Rig): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'superday-cases-'))
  for (const name of ['cases', 'slips.yaml']) {
    await symlink(path.join(CONTENT_DIR, name), path.join(folder, name))
  }
  await loadContent(rig.db, folder)
  await rm(folder, { recursive: true })
}

export function keyOf(id: number) {
  return OPTION_LETTERS[id % 4] as (typeof OPTION_LETTERS)[number]
}

/** A wrong option of a question. */
export function wrongOf(id: number) {
  return OPTION_LETTERS[(id + 1) % 4] as (typeof OPTION_LETTERS)[number]
}

/** A finished test as the browser sends it. `wrong` lists positions (0 to 9) answered incorrectly. */
export function finishedTest(
  now: Date,
  options: {
    id?: string
    testNumber?: number
    wrong?: number[]
    completedAt?: string
    timeZone?: string
  } = {},
) {
  const testNumber = options.testNumber ?? 1
  const first = 2001 + (testNumber - 1) * 10
  return {
    id: options.id ?? randomUUID(),
    category: 'Financial Accounting & Analysis',
    difficulty: 'Intern',
    testNumber,
    answers: Array.from({ length: 10 }, (_, index) => ({
      questionId: first + index,
      selectedAnswer: options.wrong?.includes(index)
        ? wrongOf(first + index)
        : keyOf(first + index),
    })),
    completedAt: options.completedAt ?? now.toISOString(),
    timeZone: options.timeZone ?? 'Europe/Lisbon',
  }
}
