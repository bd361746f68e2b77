import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../../../platform/web/api.ts'
import { useLeaveGuard } from '../../../platform/web/ui/back.tsx'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { countOf } from '../../../platform/words.ts'
import { DialogFrame } from '../../kit/web/dialog-frame.tsx'
import { useAct, usePlace } from '../../kit/web/use-act.tsx'
import { type ListedQuestion, restoreQuestion } from '../contract.ts'
import type { Mark } from '../question-marks.ts'
import { NEW, useArranging, useDrafts } from './hooks.ts'
import { HideKeys, KeyAnswer } from './key-answer.tsx'
import { QuestionList } from './question-list.tsx'
import { QuestionPane } from './question-pane.tsx'

export function QuestionDesk(props: {
  items: readonly ListedQuestion[]
  marks: readonly (readonly Mark[])[]
  isWritable: boolean
  /** whether the member can answer questions with keys hidden */
  mayCheck: boolean
}) {
  const { items, marks, isWritable, mayCheck } = props
  const [search, setSearch] = useSearchParams()
  const asked = search.get('question')
  const drafts = useDrafts()
  const arranging = useArranging()
  const [isHidden, setIsHidden] = useState(mayCheck && search.get('keys') === 'hidden')
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
  const offerUndo = useRestoring(select)
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
    <div
      className={`grid border-ink min-[860px]:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] min-[1240px]:grid-cols-[minmax(0,486fr)_minmax(0,478fr)_396px] ${item || isNew ? 'border-t' : ''}`}
    >
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
              offerUndo(gone, at + 1)
              select((items[at + 1] ?? items[at - 1])?.questionId ?? null)
            }}
          />
        )
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

/** Confirms a deleted question, with ten seconds to restore it (product 7.9.7). */
function useRestoring(onRestored: (question: string) => void) {
  const place = usePlace()
  const restore = useAct(
    ({ questionId, form, position }: ListedQuestion & { position: number }) =>
      call(restoreQuestion, {
        params: { ...place, question: questionId },
        body: { position, form },
      }),
    (_, { questionId }) => onRestored(questionId),
    (problem) => toast.error('Not restored', problem),
  )
  return (gone: ListedQuestion, position: number) =>
    toast.undoable(`Question ${position} is deleted.`, () => restore.run({ ...gone, position }))
}
