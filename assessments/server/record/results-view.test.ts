import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { startedSeat } from '../../../tests/rig/assessment-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { itemRulings } from '../tables.ts'

// What the view assessment_results makes of keys, rulings and choices (product 6.11.2, 6.11.4). Whom it
// lists, and the time, stand in attempt.test.ts and events.test.ts.
const rig = useRig()

type Option = 'A' | 'B' | 'C' | 'D'
/** an option that is also accepted; '=D': that key instead; '*': full marks; null: a void item */
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

/** The keys of the three items are A, B and C; a choice of '-' is none. */
it.each<[string, string, Rulings, { correct: number; incorrect: number }]>([
  ['all right', 'ABC', [], { correct: 3, incorrect: 0 }],
  ['one wrong', 'ABD', [], { correct: 2, incorrect: 1 }],
  ['unanswered counts as incorrect', 'A--', [], { correct: 1, incorrect: 2 }],
  ['nothing answered', '---', [], { correct: 0, incorrect: 3 }],
  ['an accepted option', 'ABD', [[], [], ['D']], { correct: 3, incorrect: 0 }],
  ['the key beside an accepted option', 'ABC', [[], [], ['D']], { correct: 3, incorrect: 0 }],
  ['neither key nor accepted', 'ABA', [[], [], ['D']], { correct: 2, incorrect: 1 }],
  ['two accepted options', 'DBC', [['C', 'D']], { correct: 3, incorrect: 0 }],
  ['accepted for another item alone', 'DBD', [['D']], { correct: 2, incorrect: 1 }],
  ['a void item answered right is neither', 'ABC', [[null]], { correct: 2, incorrect: 0 }],
  ['a void item answered wrong is neither', 'DBC', [[null]], { correct: 2, incorrect: 0 }],
  ['a void item unanswered is neither', '-BC', [[null]], { correct: 2, incorrect: 0 }],
  ['void, though an option was accepted', 'DBC', [['D', null]], { correct: 2, incorrect: 0 }],
  ['another key instead, chosen', 'DBC', [['=D']], { correct: 3, incorrect: 0 }],
  ['the key that was replaced', 'ABC', [['=D']], { correct: 2, incorrect: 1 }],
  ['accepted beside a replaced key', 'CBC', [['=D', 'C']], { correct: 3, incorrect: 0 }],
  ['full marks, answered wrong', 'DBC', [['*']], { correct: 3, incorrect: 0 }],
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
