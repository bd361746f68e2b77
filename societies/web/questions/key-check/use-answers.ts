import { useRef, useState } from 'react'
import type { OptionLetter } from '../../../../platform/options.ts'
import { call } from '../../../../platform/web/api.ts'
import { answerKeyCheck } from '../../../contract/key-check.ts'
import { useAssessment, useSociety } from '../../console/console.tsx'
import type { Sitting } from './queries.ts'

interface Given {
  choice: OptionLetter | null
  comment: string
}

/** What was chosen in a sitting; each answer is stored at once, one after the other, the newest of each last. */
export function useAnswers({ id, questions }: Sitting) {
  const { society } = useSociety()
  const { code } = useAssessment()
  const [answers, setAnswers] = useState<Record<number, Given>>(() =>
    Object.fromEntries(
      questions.map(({ itemId, choice, comment }) => [itemId, { choice, comment }]),
    ),
  )
  const [problem, setProblem] = useState<string | null>(null)
  const before = useRef<Promise<unknown>>(Promise.resolve())
  // What a later key press changes is told the newest, not what was drawn last.
  const newest = useRef(answers)

  function keep({ itemId, version }: Sitting['questions'][number], more: Partial<Given>) {
    const earlier = newest.current[itemId] ?? { choice: null, comment: '' }
    const given = { ...earlier, ...more }
    if (given.choice === earlier.choice && given.comment === earlier.comment) return
    newest.current = { ...newest.current, [itemId]: given }
    setAnswers(newest.current)
    before.current = before.current
      .then(() =>
        call(answerKeyCheck, {
          params: { society: society.id, code, sitting: id },
          body: { itemId, version, ...given },
        }),
      )
      .then(
        () => setProblem(null),
        (error: Error) => setProblem(`Your answer was not stored. ${error.message}`),
      )
  }
  return { answers, keep, problem }
}
