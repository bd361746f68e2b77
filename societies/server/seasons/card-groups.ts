import type { CardContent } from '../../contract/card.ts'
import { reliabilityOf } from '../../statistics/reliability.ts'
import { FIGURES_FROM } from '../../statistics/sample-size.ts'
import { eachForm, type Sat } from '../analysis/sat.ts'
import type { AnswerTable } from '../results/answer-table.ts'

type Described = CardContent['groups'][number]

/** Below it no statistic of a group is public: it could be told whose it is. */
export const LEAST_GROUP = 15

/** Candidates who had the same questions: of a session, or of one of its forms. */
export interface CardGroup {
  name: string | null
  minutes: number
  sat: Sat
}

/** @returns the session's one group, or one for each form that was dealt */
export function groupsOf(
  table: AnswerTable,
  { name, minutes }: { name: string | null; minutes: number },
): CardGroup[] {
  return eachForm(table)
    .filter(({ rows }) => rows.length > 0)
    .map((sat) => ({
      ...{ minutes, sat },
      name:
        sat.form === null ? name : name === null ? `Form ${sat.form}` : `${name}, form ${sat.form}`,
    }))
}

/** What a group's answers say of the test, as far as the group is large enough (product 7.21.4). */
export function describeGroup({ name, minutes, sat: { rows, scores } }: CardGroup): Described {
  const sat = rows.length
  const reliability = sat < FIGURES_FROM ? null : reliabilityOf(scores)
  return {
    ...{ name, sat, minutes },
    questions: scores.items.length,
    reliability: reliability && {
      kr20: rounded(reliability.kr20, 4),
      error: rounded(reliability.error, 4),
    },
  }
}

/** So that a card is the same on every machine. */
function rounded(value: number, digits: number): number {
  const text = Number(value.toFixed(digits))
  return text === 0 ? 0 : text
}
