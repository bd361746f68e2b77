import { useEffect } from 'react'
import type { Form } from '../../questions/two-forms.ts'
import { type Desk, useRestore } from './queries.ts'

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
  desk: Desk
  removed: Removed
  onOver: () => void
  onRestored: (question: string) => void
}) {
  const { removed, onOver } = props
  const restore = useRestore(props.desk)
  const isWaiting = !restore.isPending && !restore.isError
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(onOver, UNDO_MS)
    return () => clearTimeout(timer)
  }, [isWaiting, onOver])
  return (
    <div className="chosen-bar col-span-full" role="status">
      <span className="mr-2">
        {restore.isError ? restore.error.message : `Question ${removed.position} is deleted.`}
      </span>
      <button
        type="button"
        aria-disabled={restore.isPending}
        onClick={() =>
          !restore.isPending &&
          restore.mutate(
            {
              question: removed.questionId,
              position: removed.position,
              form: removed.form,
            },
            {
              onSuccess: () => {
                props.onRestored(removed.questionId)
                onOver()
              },
            },
          )
        }
      >
        {restore.isPending ? 'Putting it back…' : 'Undo'}
      </button>
    </div>
  )
}
