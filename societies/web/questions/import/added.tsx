import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { assessmentUrl } from '../../../../platform/urls.ts'
import { call } from '../../../../platform/web/api.ts'
import { undoImport } from '../../../contract/exchange.ts'
import { useAssessment, useSociety } from '../../console/console.tsx'
import { societyKey } from '../../console/queries.ts'
import { Top } from '../../console/top.tsx'

/** How long 'undo' is offered, seconds (product 7.9.35). */
const UNDO_SECONDS = 10

/** What an import did, and for a moment the way back. */
export function Added(props: {
  importId: string
  added: number
  askedAlready: number
  itemCount: number
  isReplaced: boolean
  onAgain: () => void
}) {
  const { society } = useSociety()
  const { code } = useAssessment()
  const client = useQueryClient()
  const [left, setLeft] = useState(UNDO_SECONDS)
  const undoing = useMutation({
    mutationFn: () =>
      call(undoImport, { params: { society: society.id, code }, body: { id: props.importId } }),
    onSuccess: () => client.invalidateQueries({ queryKey: societyKey(society.id) }),
  })
  const mayUndo = !props.isReplaced && !undoing.data && left > 0
  useEffect(() => {
    if (!mayUndo) return
    const timer = setTimeout(() => setLeft(left - 1), 1_000)
    return () => clearTimeout(timer)
  }, [mayUndo, left])
  const undone = undoing.data
  const itemCount = undone?.itemCount ?? props.itemCount
  const say = (count: number) => (count === 1 ? 'One question' : `${count} questions`)
  return (
    <>
      <Top
        title="Import questions"
        headline={
          undone
            ? `${say(undone.removed)} taken out again`
            : `${say(props.added)} ${props.isReplaced ? 'put in place of the others' : 'added'}`
        }
        acts={
          <>
            {mayUndo && (
              <button
                type="button"
                className="btn btn-ghost"
                aria-disabled={undoing.isPending}
                onClick={() => !undoing.isPending && undoing.mutate()}
              >
                {undoing.isPending ? 'Taking them out…' : `Undo (${left} s)`}
              </button>
            )}
            <button type="button" className="btn btn-ghost" onClick={props.onAgain}>
              Import another file
            </button>
            <Link to={assessmentUrl(society.id, code, 'questions')} className="btn">
              To the questions
            </Link>
          </>
        }
      >
        The assessment has {itemCount === 1 ? 'one question' : `${itemCount} questions`} now.
        {props.askedAlready > 0 && !undone
          ? ` ${say(props.askedAlready)} had been added by somebody else meanwhile, and ${props.askedAlready === 1 ? 'was' : 'were'} left out.`
          : ''}
        {undone ? '' : ' Their keys have not been checked yet.'}
      </Top>
      <div role="alert" className="amber">
        {undoing.error?.message}
      </div>
    </>
  )
}
