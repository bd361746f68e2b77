import { useEffect } from 'react'
import { call } from '../../../platform/web/api.ts'
import { restoreQuestion } from '../../contract/questions.ts'
import type { Form } from '../../questions/two-forms.ts'
import { useAct, usePlace } from '../kit/use-act.tsx'

/** A question that was just taken out. */
export interface Removed {
  questionId: string
  /** from 1 */
  position: number
  question: string
  form: Form | null
}

/** How long it can be undone, milliseconds. */
const UNDO_MS = 10_000

/** Tells that a question is gone, and for ten seconds puts it back as it was (product 7.9.7). */
export function RemovedBar(props: {
  removed: Removed
  onOver: () => void
  onRestored: (question: string) => void
}) {
  const { removed, onOver } = props
  const { questionId, position, form } = removed
  const place = usePlace()
  const restore = useAct(
    () =>
      call(restoreQuestion, {
        params: { ...place, question: questionId },
        body: { position, form },
      }),
    () => {
      props.onRestored(questionId)
      onOver()
    },
  )
  const isWaiting = !restore.isBusy && !restore.failure
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(onOver, UNDO_MS)
    return () => clearTimeout(timer)
  }, [isWaiting, onOver])
  return (
    <div className="chosen-bar col-span-full" role="status">
      <span className="mr-2">{restore.problem ?? `Question ${position} is deleted.`}</span>
      <button type="button" aria-disabled={restore.isBusy} onClick={() => restore.run()}>
        {restore.isBusy ? 'Putting it back…' : 'Undo'}
      </button>
    </div>
  )
}
