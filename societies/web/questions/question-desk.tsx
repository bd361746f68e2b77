import { ArrowDown, ArrowLeft, ArrowUp, Copy, Trash2 } from 'lucide-react'
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { ApiFailure } from '../../../platform/web/api.ts'
import { useLeaveGuard } from '../../../platform/web/ui/back.tsx'
import { Question as AskFirst } from '../../../platform/web/ui/dialog.tsx'
import { createPart, dialogOnDemand, usePart } from '../../../platform/web/ui/on-demand.ts'
import { type listQuestions, staleQuestion } from '../../contract/questions.ts'
import { changedFields, type Draft, EMPTY_DRAFT } from '../../questions/question-content.ts'
import { type Mark, marksWhileWriting } from '../../questions/question-marks.ts'
import type { Form } from '../../questions/two-forms.ts'
import { FormField } from './form-choice.tsx'
import { IconButton } from './icon-button.tsx'
import { contentOf, type Desk, type ListedQuestion, useAdd, useRemove, useSave } from './queries.ts'
import { QuestionEditor } from './question-editor.tsx'
import { QuestionList } from './question-list.tsx'
import { type Removed, RemovedBar } from './removed-bar.tsx'
import { type Stale, savedBy, useDrafts } from './use-drafts.ts'
import { useForms } from './use-forms.ts'
import { useOrder } from './use-order.ts'
import { usePresence } from './use-presence.ts'

// Beside the editor or below it: who writes need not wait for it.
const viewPart = createPart(async () => (await import('./candidate-view.tsx')).CandidateView)
const HistoryDialog = dialogOnDemand(
  async () => (await import('./history-dialog.tsx')).HistoryDialog,
)
const StaleDialog = dialogOnDemand(async () => (await import('./stale-dialog.tsx')).StaleDialog)

export type ListOfQuestions = ResponseOf<typeof listQuestions>

/** In the address, for a question that is not there yet. */
export const NEW = 'new'
const NEW_PLACE = { form: null } as ListedQuestion

/** List, editor and the candidate's view side by side; on a phone one after the other. */
export function QuestionDesk(props: {
  desk: Desk
  list: ListOfQuestions
  marks: readonly (readonly Mark[])[]
  isWritable: boolean
}) {
  const { desk, list, isWritable } = props
  const [search, setSearch] = useSearchParams()
  const asked = search.get('question')
  const { items, move, problem } = useOrder(desk, list)
  const marks = useMemo(() => {
    const of = new Map(list.items.map(({ questionId }, at) => [questionId, props.marks[at] ?? []]))
    return items.map(({ questionId }) => of.get(questionId) ?? [])
  }, [items, list.items, props.marks])
  const forms = useForms(desk)
  const [viewed, setViewed] = useState<Form>('A')
  const [isViewed, setIsViewed] = useState(true)
  const CandidateView = usePart(viewPart, { open: isViewed, onOpenChange: setIsViewed })
  const { drafts, put, drop } = useDrafts()
  const latest = useRef(drafts)
  latest.current = drafts
  const [after, setAfter] = useState<string | null>(null)
  const [stale, setStale] = useState<Stale | null>(null)
  const [removed, setRemoved] = useState<Removed | null>(null)
  const forget = useCallback(() => setRemoved(null), [])
  const [message, setMessage] = useState<{ text: string; isError: boolean } | null>(null)
  const [isHistory, setIsHistory] = useState(false)
  const [moved, setMoved] = useState('')
  const [add, save, remove] = [useAdd(desk), useSave(desk), useRemove(desk)]

  const isNew = asked === NEW && isWritable
  const item = isNew ? null : (items.find((one) => one.questionId === asked) ?? items[0] ?? null)
  const id = isNew ? NEW : (item?.questionId ?? null)
  const index = item ? items.indexOf(item) : items.length
  const standing: Draft = item ? contentOf(item) : EMPTY_DRAFT
  const unsaved = id === null ? undefined : drafts.get(id)
  const draft = unsaved?.draft ?? standing
  const version = unsaved?.version ?? item?.version ?? 0
  const isDirty = unsaved !== undefined
  const others = usePresence(desk, item?.questionId ?? null, isWritable)
  const here = others.filter(({ questionId }) => questionId !== null && questionId === id)
  const slow = useDeferredValue(draft)
  const written = useMemo(() => marksWhileWriting(slow, index, items), [slow, index, items])
  const topics = [...new Set(items.flatMap(({ topic }) => topic ?? []))].sort()
  const rows = useRef<HTMLDivElement>(null)
  const blocker = useLeaveGuard(
    ({ currentLocation, nextLocation }) =>
      drafts.size > 0 && currentLocation.pathname !== nextLocation.pathname,
  )
  // A question that was moved keeps the focus; its row may have been taken out and put in again.
  useEffect(() => {
    if (moved === '') return
    const row = rows.current?.querySelector<HTMLElement>('[aria-current="true"]')
    if (document.activeElement === document.body) row?.focus()
  }, [moved])

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

  const isBusy = add.isPending || save.isPending || remove.isPending
  const failed = (error: Error) => setMessage({ text: error.message, isError: true })

  function store(next: Draft, from: number): void {
    if (isBusy || id === null) return
    const { answer } = next
    const { exhibit } = next
    if (answer === null || (exhibit?.kind === 'picture' && exhibit.alt.trim() === '')) {
      const text =
        answer === null
          ? 'Please tick the option that is the key.'
          : 'Please say what the picture shows.'
      setMessage({ text, isError: true })
      return
    }
    const content = { ...next, answer }
    if (isNew) {
      add.mutate(
        { content, after },
        {
          onSuccess: ({ questionId }) => {
            drop(NEW)
            setAfter(null)
            select(questionId)
            setMessage({ text: 'Saved as version 1.', isError: false })
          },
          onError: failed,
        },
      )
      return
    }
    save.mutate(
      { question: id, content, version: from },
      {
        onSuccess: ({ version: saved }) => {
          const now = latest.current.get(id)?.draft
          // Somebody may have gone on writing meanwhile.
          if (now && now !== draft && changedFields(now, next).length > 0) {
            put(id, { read: content, version: saved, draft: now })
          } else drop(id)
          setStale(null)
          setMessage({ text: `Saved as version ${saved}.`, isError: false })
        },
        onError: (error) => {
          const is = error instanceof ApiFailure && error.code === 'stale'
          const parsed = is ? staleQuestion.safeParse(error.details) : null
          if (parsed?.success) setStale(parsed.data)
          else failed(error)
        },
      },
    )
  }

  function takeOut(): void {
    if (!item || isBusy) return
    const { questionId, question, form } = item
    const gone = { questionId, position: index + 1, question, form }
    const next = items[index + 1] ?? items[index - 1]
    remove.mutate(
      { question: item.questionId, version: item.version },
      {
        onSuccess: () => {
          drop(gone.questionId)
          setRemoved(gone)
          select(next?.questionId ?? null)
        },
        onError: failed,
      },
    )
  }

  const number = isNew && after ? items.findIndex((one) => one.questionId === after) + 2 : index + 1
  return (
    <div className="grid border-ink border-t min-[860px]:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] min-[1240px]:grid-cols-[minmax(0,486fr)_minmax(0,478fr)_396px]">
      <div
        ref={rows}
        className={`min-w-0 min-[860px]:border-line min-[860px]:border-r min-[860px]:pr-5 ${asked ? 'max-md:hidden' : ''}`}
      >
        <QuestionList
          items={items}
          marks={marks}
          selected={id}
          unsaved={new Set(drafts.keys())}
          onMove={isWritable ? moveTo : undefined}
          onAssign={isWritable ? forms.assign : undefined}
          onSelect={select}
        />
        <p role="alert" className="py-2 empty:hidden">
          {problem ?? forms.problem}
        </p>
        <p role="status" className="sr-only">
          {moved}
        </p>
      </div>
      {id !== null && (
        <>
          <section
            aria-labelledby="question-title"
            className={`min-w-0 pt-4 min-[860px]:pl-7 min-[1240px]:border-line min-[1240px]:border-r min-[1240px]:pr-7 ${asked ? '' : 'max-md:hidden'}`}
          >
            <button
              type="button"
              className="btn btn-quiet mb-3 -ml-2.5 md:hidden"
              onClick={() => select(null)}
            >
              <ArrowLeft size={16} aria-hidden />
              All questions
            </button>
            <div className="mb-4 flex flex-wrap items-center gap-x-2 gap-y-1">
              <h2 id="question-title" className="mr-auto whitespace-nowrap">
                {isNew ? 'New question' : `Question ${number}`}
              </h2>
              <span role="status" className="hint">
                {here.length > 0 &&
                  `${here.map(({ name }) => name).join(', ')} ${here.length === 1 ? 'is' : 'are'} here too`}
              </span>
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
            {item && unsaved && item.version > unsaved.version && (
              <p className="warning mb-4">
                <span>
                  {savedBy(item)} version {item.version} meanwhile. Saving yours shows both.
                </span>
              </p>
            )}
            <QuestionEditor
              key={id}
              desk={desk}
              item={item}
              draft={draft}
              marks={isNew && !isDirty ? [] : written}
              topics={topics}
              onChange={isWritable ? change : undefined}
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
                  aria-disabled={!isDirty || isBusy}
                  onClick={() => isDirty && store(draft, version)}
                >
                  {add.isPending || save.isPending
                    ? 'Saving…'
                    : `Save as version ${(item?.version ?? 0) + 1}`}
                </button>
                {(isDirty || isNew) && (
                  <button
                    type="button"
                    className="btn btn-quiet"
                    onClick={() => {
                      drop(id)
                      if (isNew) select(null)
                      else setMessage(null)
                    }}
                  >
                    Throw the change away
                  </button>
                )}
                <span role="status" className="hint">
                  {message && !message.isError && message.text}
                </span>
              </div>
            )}
            <p role="alert" className="mt-2 empty:hidden">
              {message?.isError && message.text}
            </p>
          </section>
          <div
            className={`min-w-0 pt-4 max-[859px]:mt-6 min-[860px]:col-start-2 min-[860px]:pl-7 min-[1240px]:col-start-3 ${asked ? '' : 'max-md:hidden'}`}
          >
            {CandidateView ? (
              <CandidateView
                key={id}
                desk={desk}
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
      {removed && <RemovedBar desk={desk} removed={removed} onOver={forget} onRestored={select} />}
      {item && isHistory && (
        <HistoryDialog
          desk={desk}
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
      {stale && unsaved && (
        <StaleDialog
          read={unsaved.read}
          mine={unsaved.draft}
          stale={stale}
          isSaving={save.isPending}
          onClose={() => setStale(null)}
          onSave={(merged) => {
            // From now on it is made from theirs: a third person's change is told again.
            put(id as string, { read: stale.content, version: stale.version, draft: merged })
            store(merged, stale.version)
          }}
        />
      )}
      <AskFirst
        open={blocker.state === 'blocked'}
        onOpenChange={(open) => !open && blocker.reset?.()}
        title="Leave without saving?"
        description={`${drafts.size === 1 ? 'One question has' : `${drafts.size} questions have`} changes that are not saved yet.`}
      >
        <button type="button" className="btn" onClick={() => blocker.reset?.()}>
          Stay here
        </button>
        <button type="button" className="btn btn-ghost" onClick={() => blocker.proceed?.()}>
          Throw the changes away
        </button>
      </AskFirst>
    </div>
  )
}
