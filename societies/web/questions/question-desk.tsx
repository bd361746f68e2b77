import { ArrowDown, ArrowUp, Copy, Trash2 } from 'lucide-react'
import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../../../platform/web/api.ts'
import { useLeaveGuard } from '../../../platform/web/ui/back.tsx'
import { createPart, dialogOnDemand, usePart } from '../../../platform/web/ui/on-demand.ts'
import { addQuestion, removeQuestion, saveQuestion } from '../../contract/questions.ts'
import {
  changedFields,
  type Draft,
  EMPTY_DRAFT,
  type QuestionContent,
} from '../../questions/question-content.ts'
import { type Mark, marksWhileWriting } from '../../questions/question-marks.ts'
import type { Form } from '../../questions/two-forms.ts'
import { isStale, Notice, YourText } from '../console/changed-meanwhile.tsx'
import { DialogFrame } from '../kit/dialog-frame.tsx'
import { useAct, usePlace } from '../kit/use-act.tsx'
import { FormField } from './form-choice.tsx'
import { IconButton } from './icon-button.tsx'
import { Disputes, HideKeys, KeyAnswer } from './key-answer.tsx'
import { contentOf, type ListedQuestion, type ListOfQuestions } from './listed-question.ts'
import { QuestionEditor } from './question-editor.tsx'
import { AllQuestions, QuestionList } from './question-list.tsx'
import { type Removed, RemovedBar } from './removed-bar.tsx'
import { useDrafts } from './use-drafts.ts'
import { useForms } from './use-forms.ts'
import { useOrder } from './use-order.ts'

// Beside the editor or below it: who writes need not wait for it.
const viewPart = createPart(async () => (await import('./candidate-view.tsx')).CandidateView)
const HistoryDialog = dialogOnDemand(
  async () => (await import('./history-dialog.tsx')).HistoryDialog,
)

/** In the address, for a question that is not there yet. */
export const NEW = 'new'
const NEW_PLACE = { form: null } as ListedQuestion

/** List, editor and the candidate's view side by side; on a phone one after the other. */
export function QuestionDesk(props: {
  list: ListOfQuestions
  marks: readonly (readonly Mark[])[]
  isWritable: boolean
  /** whether the member may answer the questions with their keys hidden */
  mayCheck: boolean
}) {
  const { list, isWritable, mayCheck } = props
  const place = usePlace()
  const [search, setSearch] = useSearchParams()
  const asked = search.get('question')
  const { items, move, problem } = useOrder(list)
  const marks = useMemo(() => {
    const of = new Map(list.items.map(({ questionId }, at) => [questionId, props.marks[at] ?? []]))
    return items.map(({ questionId }) => of.get(questionId) ?? [])
  }, [items, list.items, props.marks])
  const forms = useForms()
  const [viewed, setViewed] = useState<Form>('A')
  const [isViewed, setIsViewed] = useState(true)
  const CandidateView = usePart(viewPart, { open: isViewed, onOpenChange: setIsViewed })
  const { drafts, put, drop } = useDrafts()
  const latest = useRef(drafts)
  latest.current = drafts
  const [after, setAfter] = useState<string | null>(null)
  const [isHidden, setIsHidden] = useState(mayCheck && search.get('keys') === 'hidden')
  const [removed, setRemoved] = useState<Removed | null>(null)
  const forget = useCallback(() => setRemoved(null), [])
  const [message, setMessage] = useState<{
    text: string
    isError: boolean
    isStale?: boolean
  } | null>(null)
  const [isHistory, setIsHistory] = useState(false)
  const [moved, setMoved] = useState('')

  const isNew = asked === NEW && isWritable
  const item = isNew ? null : (items.find((one) => one.questionId === asked) ?? items[0] ?? null)
  const id = isNew ? NEW : (item?.questionId ?? null)
  const index = item ? items.indexOf(item) : items.length
  const standing: Draft = item ? contentOf(item) : EMPTY_DRAFT
  const unsaved = id === null ? undefined : drafts.get(id)
  // Somebody else saved first: what is saved is looked at, and the own text waits.
  const isAside = unsaved?.isAside === true
  const draft = unsaved && !isAside ? unsaved.draft : standing
  const version = unsaved?.version ?? item?.version ?? 0
  const isDirty = unsaved !== undefined
  const isBehind = isDirty && message?.isStale === true
  const slow = useDeferredValue(draft)
  const written = useMemo(() => marksWhileWriting(slow, index, items), [slow, index, items])
  const topics = [...new Set(items.flatMap(({ topic }) => topic ?? []))].sort()
  const blocker = useLeaveGuard(
    ({ currentLocation, nextLocation }) =>
      drafts.size > 0 && currentLocation.pathname !== nextLocation.pathname,
  )

  const select = (question: string | null) => {
    setMessage(null)
    setSearch(question ? { question } : {})
  }
  const change = (next: Draft) => {
    if (id === null) return
    setMessage(null)
    put(id, { read: unsaved?.read ?? standing, version, draft: next }, isNew)
  }
  function moveTo(question: string, to: number): void {
    if (!move(question, to)) return
    setSearch({ question }, { replace: true })
    setMoved(
      `Question ${items.findIndex((one) => one.questionId === question) + 1} is now ${to + 1}.`,
    )
  }

  const failed = (text: string, error: Error) =>
    setMessage({ text, isError: true, isStale: isStale(error) })
  // A save hands out the keys again; the proof of half an hour ago may be asked for anew.
  const add = useAct(
    (content: QuestionContent) => call(addQuestion, { params: place, body: { content, after } }),
    ({ questionId }) => {
      drop(NEW)
      setAfter(null)
      select(questionId)
      setMessage({ text: 'Saved as version 1.', isError: false })
    },
    failed,
  )
  const save = useAct(
    (given: { question: string; content: QuestionContent; version: number; draft: Draft }) => {
      const { question, content, version: from } = given
      const params = { ...place, question }
      return call(saveQuestion, { params, body: { content, version: from } })
    },
    ({ version: saved }, { question, content, draft: was }) => {
      const now = latest.current.get(question)?.draft
      // Somebody may have gone on writing meanwhile.
      if (now && now !== was && changedFields(now, content).length > 0) {
        put(question, { read: content, version: saved, draft: now })
      } else drop(question)
      setMessage({ text: `Saved as version ${saved}.`, isError: false })
    },
    failed,
  )
  const remove = useAct(
    ({ gone, version: from }: { gone: Removed; version: number; next: string | null }) =>
      call(removeQuestion, {
        params: { ...place, question: gone.questionId },
        body: { version: from },
      }),
    (_, { gone, next }) => {
      drop(gone.questionId)
      setRemoved(gone)
      select(next)
    },
    failed,
  )
  const isBusy = add.isBusy || save.isBusy || remove.isBusy

  function store(next: Draft, from: number): void {
    if (isBusy || id === null) return
    const { answer, exhibit } = next
    if (answer === null || (exhibit?.kind === 'picture' && exhibit.alt.trim() === '')) {
      const text =
        answer === null
          ? 'Please tick the option that is the key.'
          : 'Please say what the picture shows.'
      setMessage({ text, isError: true })
      return
    }
    const content = { ...next, answer }
    if (isNew) add.run(content)
    else save.run({ question: id, content, version: from, draft })
  }

  function takeOut(): void {
    if (!item || isBusy) return
    const { questionId, question, form } = item
    remove.run({
      gone: { questionId, position: index + 1, question, form },
      version: item.version,
      next: (items[index + 1] ?? items[index - 1])?.questionId ?? null,
    })
  }

  const number = isNew && after ? items.findIndex((one) => one.questionId === after) + 2 : index + 1
  return (
    <div className="grid border-ink border-t min-[860px]:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] min-[1240px]:grid-cols-[minmax(0,486fr)_minmax(0,478fr)_396px]">
      <div
        className={`min-w-0 min-[860px]:border-line min-[860px]:border-r min-[860px]:pr-5 ${asked ? 'max-md:hidden' : ''}`}
      >
        {mayCheck && items.length > 0 && (
          <HideKeys items={items} isHidden={isHidden} onChange={setIsHidden} />
        )}
        <QuestionList
          items={items}
          marks={isHidden ? [] : marks}
          isHidden={isHidden}
          selected={id}
          unsaved={new Set(drafts.keys())}
          onAssign={isWritable && !isHidden ? forms.assign : undefined}
          onSelect={select}
        />
        <p role="alert" className="py-2 empty:hidden">
          {problem ?? forms.problem}
        </p>
        <p role="status" className="sr-only">
          {moved}
        </p>
      </div>
      {item && isHidden && (
        <div
          className={`min-w-0 pt-4 min-[860px]:col-start-2 min-[860px]:pl-7 min-[1240px]:col-span-2 ${asked ? '' : 'max-md:hidden'}`}
        >
          <AllQuestions onClick={() => select(null)} />
          <KeyAnswer
            item={item}
            place={`Question ${index + 1} of ${items.length}`}
            onNext={items[index + 1] && (() => select(items[index + 1]?.questionId ?? null))}
          />
        </div>
      )}
      {id !== null && !(item && isHidden) && (
        <>
          <section
            aria-labelledby="question-title"
            className={`min-w-0 pt-4 min-[860px]:pl-7 min-[1240px]:border-line min-[1240px]:border-r min-[1240px]:pr-7 ${asked ? '' : 'max-md:hidden'}`}
          >
            <AllQuestions onClick={() => select(null)} />
            <div className="mb-4 flex flex-wrap items-center gap-x-2 gap-y-1">
              <h2 id="question-title" className="mr-auto whitespace-nowrap">
                {isNew ? 'New question' : `Question ${number}`}
              </h2>
              {item && (
                <button
                  type="button"
                  className="btn btn-quiet btn-small"
                  onClick={() => setIsHistory(true)}
                >
                  Version {item.version}
                </button>
              )}
              {item && isWritable && (
                <div className="flex max-md:hidden">
                  <IconButton
                    label="Move up"
                    isOff={index === 0}
                    onClick={() => moveTo(item.questionId, index - 1)}
                  >
                    <ArrowUp size={16} aria-hidden />
                  </IconButton>
                  <IconButton
                    label="Move down"
                    isOff={index === items.length - 1}
                    onClick={() => moveTo(item.questionId, index + 1)}
                  >
                    <ArrowDown size={16} aria-hidden />
                  </IconButton>
                  <IconButton
                    label="Duplicate"
                    onClick={() => {
                      put(NEW, { read: EMPTY_DRAFT, version: 0, draft }, true)
                      setAfter(item.questionId)
                      select(NEW)
                    }}
                  >
                    <Copy size={16} aria-hidden />
                  </IconButton>
                  <IconButton label="Delete" onClick={takeOut}>
                    <Trash2 size={16} aria-hidden />
                  </IconButton>
                </div>
              )}
            </div>
            {item && <Disputes item={item} />}
            {item && unsaved && message && isBehind && (
              <Notice text={message.text}>
                <button
                  type="button"
                  className="link"
                  onClick={() => {
                    put(item.questionId, { ...unsaved, isAside: true })
                    setMessage(null)
                  }}
                >
                  Reload
                </button>
              </Notice>
            )}
            {item && unsaved && isAside && (
              <YourText
                onPutBack={() => {
                  const own = { read: standing, version: item.version, draft: unsaved.draft }
                  put(item.questionId, own)
                }}
                onDiscard={() => drop(item.questionId)}
              />
            )}
            <QuestionEditor
              key={id}
              item={item}
              draft={draft}
              marks={isNew && !isDirty ? [] : written}
              topics={topics}
              onChange={isWritable && !isAside ? change : undefined}
            />
            {item && (
              <FormField
                form={item.form}
                onChange={
                  isWritable ? (form) => forms.assign(new Set([item.questionId]), form) : undefined
                }
              />
            )}
            {isWritable && (
              <div className="flex flex-wrap items-center gap-2.5">
                <button
                  type="button"
                  className="btn"
                  aria-disabled={!isDirty || isAside || isBusy}
                  onClick={() => isDirty && !isAside && store(draft, version)}
                >
                  {add.isBusy || save.isBusy
                    ? 'Saving…'
                    : `Save as version ${(item?.version ?? 0) + 1}`}
                </button>
                {(isDirty || isNew) && !isAside && (
                  <button
                    type="button"
                    className="btn btn-quiet"
                    onClick={() => {
                      drop(id)
                      if (isNew) select(null)
                      else setMessage(null)
                    }}
                  >
                    Discard changes
                  </button>
                )}
                <span role="status" className="hint">
                  {message && !message.isError && message.text}
                </span>
              </div>
            )}
            <p role="alert" className="mt-2 empty:hidden">
              {message?.isError && !isBehind && message.text}
            </p>
          </section>
          <div
            className={`min-w-0 pt-4 max-[859px]:mt-6 min-[860px]:col-start-2 min-[860px]:pl-7 min-[1240px]:col-start-3 ${asked ? '' : 'max-md:hidden'}`}
          >
            {CandidateView ? (
              <CandidateView
                key={id}
                shown={draft}
                at={number - 1}
                questions={isNew ? items.toSpliced(number - 1, 0, NEW_PLACE) : items}
                form={viewed}
                onForm={setViewed}
              />
            ) : (
              !isViewed && (
                <button type="button" className="btn btn-ghost" onClick={() => setIsViewed(true)}>
                  Show it as the candidate sees it
                </button>
              )
            )}
          </div>
        </>
      )}
      {removed && <RemovedBar removed={removed} onOver={forget} onRestored={select} />}
      {item && isHistory && (
        <HistoryDialog
          question={item.questionId}
          onClose={() => setIsHistory(false)}
          onBringBack={
            isWritable
              ? (_, content) => {
                  setIsHistory(false)
                  store(content, item.version)
                }
              : undefined
          }
        />
      )}
      {blocker.state === 'blocked' && (
        <DialogFrame
          title="Leave without saving?"
          text={`${drafts.size === 1 ? 'One question has' : `${drafts.size} questions have`} changes that are not saved yet.`}
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
