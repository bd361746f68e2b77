import { ArrowLeft } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../../../platform/web/api.ts'
import { useLeaveGuard } from '../../../platform/web/ui/back.tsx'
import { countOf } from '../../../platform/words.ts'
import { DialogFrame } from '../../kit/web/dialog-frame.tsx'
import { useAct, usePlace } from '../../kit/web/use-act.tsx'
import { type ListedQuestion, restoreQuestion } from '../contract.ts'
import type { Mark } from '../question-marks.ts'
import { HideKeys, KeyAnswer } from './key-answer.tsx'
import { QuestionList } from './question-list.tsx'
import { QuestionPane } from './question-pane.tsx'
import { useArranging } from './use-arranging.ts'
import { NEW, useDrafts } from './use-drafts.ts'

/** A question that was just deleted. */
type Removed = Pick<ListedQuestion, 'questionId' | 'form'> & {
  /** from 1 */
  position: number
}

/** List, editor and the candidate's view side by side; on a phone one after the other. */
export function QuestionDesk(props: {
  items: readonly ListedQuestion[]
  marks: readonly (readonly Mark[])[]
  isWritable: boolean
  /** whether the member may answer the questions with their keys hidden */
  mayCheck: boolean
}) {
  const { items, marks, isWritable, mayCheck } = props
  const [search, setSearch] = useSearchParams()
  const asked = search.get('question')
  const drafts = useDrafts()
  const arranging = useArranging()
  const [isHidden, setIsHidden] = useState(mayCheck && search.get('keys') === 'hidden')
  const [removed, setRemoved] = useState<Removed | null>(null)
  const [moved, setMoved] = useState('')
  const blocker = useLeaveGuard(
    ({ currentLocation, nextLocation }) =>
      drafts.drafts.size > 0 && currentLocation.pathname !== nextLocation.pathname,
  )
  const isNew = asked === NEW && isWritable
  const item = isNew ? null : (items.find((one) => one.questionId === asked) ?? items[0] ?? null)
  const index = item ? items.indexOf(item) : items.length
  const next = items[index + 1]
  const select = (question: string | null) => setSearch(question ? { question } : {})
  const onPhone = asked ? '' : 'max-md:hidden'
  const back = (
    <button
      type="button"
      className="btn btn-quiet mb-3 -ml-2.5 md:hidden"
      onClick={() => select(null)}
    >
      <ArrowLeft size={16} aria-hidden />
      All questions
    </button>
  )
  return (
    <div className="grid border-ink border-t min-[860px]:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] min-[1240px]:grid-cols-[minmax(0,486fr)_minmax(0,478fr)_396px]">
      <div
        className={`min-w-0 min-[860px]:border-line min-[860px]:border-r min-[860px]:pr-5 ${asked ? 'max-md:hidden' : ''}`}
      >
        {mayCheck && items.length > 0 && (
          <HideKeys items={items} isHidden={isHidden} onChange={setIsHidden} />
        )}
        {items.length > 0 && (
          <QuestionList
            items={items}
            marks={isHidden ? [] : marks}
            isHidden={isHidden}
            selected={item?.questionId ?? null}
            unsaved={drafts.drafts}
            onAssign={isWritable && !isHidden ? arranging.assign : undefined}
            onSelect={select}
          />
        )}
        <p role="alert" className="py-2 empty:hidden">
          {arranging.problem}
        </p>
        <p role="status" className="sr-only">
          {moved}
        </p>
      </div>
      {item && isHidden ? (
        <div
          className={`min-w-0 pt-4 min-[860px]:col-start-2 min-[860px]:pl-7 min-[1240px]:col-span-2 ${onPhone}`}
        >
          {back}
          <KeyAnswer
            item={item}
            place={`Question ${index + 1} of ${items.length}`}
            onNext={next && (() => select(next.questionId))}
          />
        </div>
      ) : (
        (item || isNew) && (
          <QuestionPane
            item={item}
            items={items}
            drafts={drafts}
            isWritable={isWritable}
            className={onPhone}
            back={back}
            onSelect={select}
            onAssign={arranging.assign}
            onMove={(to) => {
              if (!item) return
              arranging.move(item.questionId, to)
              setSearch({ question: item.questionId }, { replace: true })
              setMoved(`Question ${index + 1} is now ${to + 1}.`)
            }}
            onRemoved={(gone) => {
              const at = items.findIndex(({ questionId }) => questionId === gone.questionId)
              setRemoved({ questionId: gone.questionId, form: gone.form, position: at + 1 })
              select((items[at + 1] ?? items[at - 1])?.questionId ?? null)
            }}
          />
        )
      )}
      {removed && (
        <RemovedBar
          key={removed.questionId}
          removed={removed}
          forget={setRemoved}
          onRestored={select}
        />
      )}
      {blocker.state === 'blocked' && (
        <DialogFrame
          title="Leave without saving?"
          text={`${countOf(drafts.drafts.size, 'question has', 'questions have')} unsaved changes.`}
          button={['Discard changes', 'Leaving…']}
          problem={null}
          isBusy={false}
          onAct={() => blocker.proceed?.()}
          onClose={() => blocker.reset?.()}
        />
      )}
    </div>
  )
}

/** How long a deletion can be undone, milliseconds. */
const UNDO_MS = 10_000

/** Shows that a question was deleted, and for ten seconds restores it as it was (product 7.9.7). */
function RemovedBar(props: {
  removed: Removed
  forget: (none: null) => void
  onRestored: (question: string) => void
}) {
  const { forget } = props
  const { questionId, position, form } = props.removed
  const place = usePlace()
  const restore = useAct(
    () =>
      call(restoreQuestion, {
        params: { ...place, question: questionId },
        body: { position, form },
      }),
    () => {
      props.onRestored(questionId)
      forget(null)
    },
  )
  const isWaiting = !restore.isBusy && !restore.failure
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => forget(null), UNDO_MS)
    return () => clearTimeout(timer)
  }, [isWaiting, forget])
  return (
    <div className="chosen-bar col-span-full" role="status">
      <span className="mr-2">{restore.problem ?? `Question ${position} is deleted.`}</span>
      <button type="button" aria-disabled={restore.isBusy} onClick={() => restore.run()}>
        {restore.isBusy ? 'Restoring…' : 'Undo'}
      </button>
    </div>
  )
}
