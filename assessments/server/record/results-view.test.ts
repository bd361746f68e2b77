import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { startedSeat } from '../../../tests/rig/assessment-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { itemRulings } from '../tables.ts'

// Grades in the view assessment_results from keys, rulings and choices (product 6.11.2, 6.11.4). Its candidates and
// times are tested in attempt.test.ts and events.test.ts.
const rig = useRig()

type Option = 'A' | 'B' | 'C' | 'D'
/** An option that is also accepted. '=D' replaces the key, '*' gives full marks, and null voids the item. */
type Ruling = Option | `=${Option}` | '*' | null
type Rulings = Ruling[][]

function rulingOf(ruling: Ruling) {
  if (ruling === null) return { kind: 'void' as const }
  if (ruling === '*') return { kind: 'full_marks' as const }
  const acceptedOption = ruling.slice(-1) as Option
  return {
    kind: ruling.startsWith('=') ? ('replace' as const) : ('accept' as const),
    acceptedOption,
  }
}

/** The keys of the three items are A, B and C. '-' means no choice. */
it.each<[string, string, Rulings, { correct: number; incorrect: number }]>([
  ['all right', 'ABC', [], { correct: 3, incorrect: 0 }],
  ['one wrong', 'ABD', [], { correct: 2, incorrect: 1 }],
  ['unanswered counts as incorrect', 'A--', [], { correct: 1, incorrect: 2 }],
  ['nothing answered', '---', [], { correct: 0, incorrect: 3 }],
  ['an accepted option', 'ABD', [[], [], ['D']], { correct: 3, incorrect: 0 }],
  ['the key, with an accepted option', 'ABC', [[], [], ['D']], { correct: 3, incorrect: 0 }],
  ['neither key nor accepted', 'ABA', [[], [], ['D']], { correct: 2, incorrect: 1 }],
  ['two accepted options', 'DBC', [['C', 'D']], { correct: 3, incorrect: 0 }],
  ['accepted only for another item', 'DBD', [['D']], { correct: 2, incorrect: 1 }],
  ['a void item answered correctly', 'ABC', [[null]], { correct: 2, incorrect: 0 }],
  ['a void item answered incorrectly', 'DBC', [[null]], { correct: 2, incorrect: 0 }],
  ['an unanswered void item', '-BC', [[null]], { correct: 2, incorrect: 0 }],
  ['a void item with an accepted option', 'DBC', [['D', null]], { correct: 2, incorrect: 0 }],
  ['the replacement key, chosen', 'DBC', [['=D']], { correct: 3, incorrect: 0 }],
  ['the replaced key, chosen', 'ABC', [['=D']], { correct: 2, incorrect: 1 }],
  ['accepted after a replaced key', 'CBC', [['=D', 'C']], { correct: 3, incorrect: 0 }],
  ['full marks, answered incorrectly', 'DBC', [['*']], { correct: 3, incorrect: 0 }],
  ['full marks, not answered', '-BC', [['*']], { correct: 3, incorrect: 0 }],
  ['all void', 'AD-', [[null], [null], [null]], { correct: 0, incorrect: 0 }],
])('the results view grades %s: %s', async (_, choices, rulings, grade) => {
  const { seat, code, items } = await startedSeat(rig, { itemCount: 3 })
  const answers = [...choices].flatMap((choice, index) =>
    choice === '-' ? [] : [{ questionId: items[index]?.id ?? 0, choice, revision: 1 }],
  )
  if (answers.length > 0) await seat.save(answers)
  for (const [index, accepted] of rulings.entries()) {
    for (const ruling of accepted) {
      await rig.db.insert(itemRulings).values({
        itemId: items[index]?.id ?? 0,
        ...rulingOf(ruling),
        reason: 'two readings',
        createdAt: rig.clock.now,
      })
    }
  }
  await rig.db.execute(sql`
    update attempts set submitted_at = deadline_at, submit_reason = 'deadline'
    where assessment = ${code}`)
  const { rows } = await rig.db.execute(
    sql`select correct, incorrect from assessment_results where assessment = ${code}`,
  )
  expect(rows).toEqual([grade])
})
