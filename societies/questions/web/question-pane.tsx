import { ArrowDown, ArrowUp, Copy, type LucideIcon, Trash2 } from 'lucide-react'
import { type ComponentProps, type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { createPart, dialogOnDemand, usePart } from '../../../platform/web/ui/on-demand.ts'
import { isStale, Notice, YourText } from '../../kit/web/console/changed-meanwhile.tsx'
import { Segments } from '../../kit/web/fields.tsx'
import { useAct, usePlace } from '../../kit/web/use-act.tsx'
import { addQuestion, type ListedQuestion, removeQuestion, saveQuestion } from '../contract.ts'
import { type Draft, EMPTY_DRAFT, type QuestionContent } from '../question-content.ts'
import { marksWhileWriting } from '../question-marks.ts'
import type { Form, Placed } from '../two-forms.ts'
import type { CandidateView } from './candidate-view.tsx'
import { Disputes } from './key-answer.tsx'
import { QuestionEditor } from './question-editor.tsx'
import { FORM_CHOICES, formOf } from './question-list.tsx'
import { NEW, type Unsaved, type useDrafts } from './use-drafts.ts'

// Beside the editor or below it: the editor doesn't wait for it.
const viewPart = createPart(async () => (await import('./candidate-view.tsx')).CandidateView)
const HistoryDialog = dialogOnDemand(
  async () => (await import('./history-dialog.tsx')).HistoryDialog,
)

/** What can be edited of a listed question. */
const contentOf = (item: ListedQuestion): QuestionContent => {
  const { question, options, answer, explanation, topic, compute, exhibit } = item
  return { question, options, answer, explanation, topic, compute, exhibit }
}

/** What keeps a draft from being saved. */
function gapOf({ answer, exhibit }: Draft): string | null {
  if (answer === null) return 'Please tick the option that is the key.'
  const isUnsaid = exhibit?.kind === 'picture' && exhibit.alt.trim() === ''
  return isUnsaid ? 'Please say what the picture shows.' : null
}

interface PaneProps {
  /** null for a new question */
  item: ListedQuestion | null
  items: readonly ListedQuestion[]
  drafts: ReturnType<typeof useDrafts>
  isWritable: boolean
  className: string
  /** to the list, on a phone */
  back: ReactNode
  onSelect: (question: string | null) => void
  onAssign: (questions: ReadonlySet<string>, form: Form | null) => void
  onMove: (to: number) => void
  onRemoved: (item: ListedQuestion) => void
}

/** One question in the editor, and as the candidate sees it. */
export function QuestionPane(props: PaneProps) {
  const { item, items, drafts, isWritable } = props
  const id = item?.questionId ?? NEW
  const standing: Draft = item ? contentOf(item) : EMPTY_DRAFT
  const unsaved = drafts.drafts.get(id)
  const isAside = unsaved?.isAside === true
  const draft = unsaved && !isAside ? unsaved.draft : standing
  const version = unsaved?.version ?? item?.version ?? 0
  const behind = items.findIndex(({ questionId }) => questionId === unsaved?.after)
  const index = item ? items.indexOf(item) : behind >= 0 ? behind + 1 : items.length
  const { message, setMessage, store, remove, isBusy, isSaving } = useStoring(props, id, draft)
  const slow = useDeferredValue(draft)
  const marks = useMemo(
    () => marksWhileWriting(slow, item ? index : items.length, items),
    [slow, item, index, items],
  )
  const put = (next: Draft) => {
    setMessage(null)
    drafts.put(id, { read: standing, version, ...unsaved, draft: next })
  }
  const isBehind = unsaved !== undefined && message?.isStale === true
  return (
    <>
      <section
        aria-labelledby="question-title"
        className={`min-w-0 pt-4 min-[860px]:pl-7 min-[1240px]:border-line min-[1240px]:border-r min-[1240px]:pr-7 ${props.className}`}
      >
        {props.back}
        <Head
          item={item}
          index={index}
          count={items.length}
          isWritable={isWritable}
          onMove={props.onMove}
          onDuplicate={() => {
            drafts.put(NEW, { read: EMPTY_DRAFT, version: 0, draft, after: id })
            props.onSelect(NEW)
          }}
          onDelete={() => item && !isBusy && remove.run(item)}
          onBringBack={(content) => item && store(content, item.version)}
        />
        {item && <Disputes item={item} />}
        {unsaved && (
          <Clash
            text={isBehind ? message.text : null}
            unsaved={unsaved}
            onReload={() => {
              drafts.put(id, { ...unsaved, isAside: true })
              setMessage(null)
            }}
            onPutBack={() =>
              drafts.put(id, { read: standing, version: item?.version ?? 0, draft: unsaved.draft })
            }
            onDiscard={() => drafts.drop(id)}
          />
        )}
        <QuestionEditor
          key={id}
          item={item}
          draft={draft}
          marks={item || unsaved ? marks : []}
          topics={[...new Set(items.flatMap(({ topic }) => topic ?? []))].sort()}
          onChange={isWritable && !isAside ? put : undefined}
        />
        {item && (
          <div className="mb-4.5 max-md:hidden">
            <p className="label">
              Asked in <span className="hint ml-2 font-normal">only for tests in two forms</span>
            </p>
            <Segments
              legend="Asked in"
              options={FORM_CHOICES.filter(([one]) => isWritable || one === (item.form ?? 'both'))}
              value={item.form ?? 'both'}
              onChange={(to) => isWritable && props.onAssign(new Set([id]), formOf(to))}
            />
          </div>
        )}
        {isWritable && (
          <div className="flex flex-wrap items-center gap-2.5">
            <button
              type="button"
              className="btn"
              aria-disabled={!unsaved || isAside || isBusy}
              onClick={() => unsaved && !isAside && store(draft, version)}
            >
              {isSaving ? 'Saving…' : `Save as version ${(item?.version ?? 0) + 1}`}
            </button>
            {(unsaved || !item) && !isAside && (
              <button
                type="button"
                className="btn btn-quiet"
                onClick={() => {
                  drafts.drop(id)
                  setMessage(null)
                  if (!item) props.onSelect(null)
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
        className={`min-w-0 pt-4 max-[859px]:mt-6 min-[860px]:col-start-2 min-[860px]:pl-7 min-[1240px]:col-start-3 ${props.className}`}
      >
        <View
          shown={draft}
          at={index}
          questions={
            item ? items : (items as readonly Placed[]).toSpliced(index, 0, { form: null })
          }
        />
      </div>
    </>
  )
}

/** Another member saved first: their version is shown, and the own text waits. */
function Clash(props: {
  /** null: the save was not refused for it */
  text: string | null
  unsaved: Unsaved
  onReload: () => void
  onPutBack: () => void
  onDiscard: () => void
}) {
  if (props.unsaved.isAside) {
    return <YourText onPutBack={props.onPutBack} onDiscard={props.onDiscard} />
  }
  if (props.text === null) return null
  return (
    <Notice text={props.text}>
      <button type="button" className="link" onClick={props.onReload}>
        Reload
      </button>
    </Notice>
  )
}

function View(props: ComponentProps<typeof CandidateView>) {
  const [isOpen, setIsOpen] = useState(true)
  const Fetched = usePart(viewPart, { open: isOpen, onOpenChange: setIsOpen })
  if (Fetched) return <Fetched {...props} />
  if (isOpen) return null
  return (
    <button type="button" className="btn btn-ghost" onClick={() => setIsOpen(true)}>
      Show it as the candidate sees it
    </button>
  )
}

interface Said {
  question: string
  text: string
  isError?: boolean
  isStale?: boolean
}

/** Saves and deletes, and what came of it. */
function useStoring(props: PaneProps, id: string, draft: Draft) {
  const { drafts, onSelect, onRemoved } = props
  const place = usePlace()
  const [said, setSaid] = useState<Said | null>(null)
  const failed = (question: string, text: string, error: Error) =>
    setSaid({ question, text, isError: true, isStale: isStale(error) })
  const add = useAct(
    (content: QuestionContent) =>
      call(addQuestion, {
        params: place,
        body: { content, after: drafts.drafts.get(NEW)?.after ?? null },
      }),
    ({ questionId }) => {
      drafts.drop(NEW)
      onSelect(questionId)
      setSaid({ question: questionId, text: 'Saved as version 1.' })
    },
    (text, error) => failed(NEW, text, error),
  )
  const save = useAct(
    (given: { question: string; content: QuestionContent; version: number; draft: Draft }) =>
      call(saveQuestion, {
        params: { ...place, question: given.question },
        body: { content: given.content, version: given.version },
      }),
    ({ version }, given) => {
      drafts.saved(given.question, given.content, version, given.draft)
      setSaid({ question: given.question, text: `Saved as version ${version}.` })
    },
    (text, error, given) => failed(given.question, text, error),
  )
  const remove = useAct(
    ({ questionId, version }: ListedQuestion) =>
      call(removeQuestion, { params: { ...place, question: questionId }, body: { version } }),
    (_, item) => {
      drafts.drop(item.questionId)
      onRemoved(item)
    },
    (text, error, given) => failed(given.questionId, text, error),
  )
  const isSaving = add.isBusy || save.isBusy
  const isBusy = isSaving || remove.isBusy
  function store(next: Draft, version: number): void {
    if (isBusy) return
    const { answer } = next
    const gap = gapOf(next)
    if (gap !== null || answer === null) {
      setSaid({ question: id, text: gap ?? '', isError: true })
    } else if (id === NEW) add.run({ ...next, answer })
    else save.run({ question: id, content: { ...next, answer }, version, draft })
  }
  const message = said?.question === id ? said : null
  return { message, setMessage: setSaid, store, remove, isBusy, isSaving }
}

/** The question's number and versions, and what can be done with all of it. */
function Head(props: {
  item: ListedQuestion | null
  index: number
  count: number
  isWritable: boolean
  onMove: (to: number) => void
  onDuplicate: () => void
  onDelete: () => void
  onBringBack: (content: QuestionContent) => void
}) {
  const { item, index, onMove, isWritable } = props
  const [isHistory, setIsHistory] = useState(false)
  const tool = (label: string, Icon: LucideIcon, act: () => void, isOff = false) => (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-disabled={isOff}
      className="grid size-8 place-items-center text-ink-2 hover:text-ink aria-disabled:opacity-40"
      onClick={() => !isOff && act()}
    >
      <Icon size={16} aria-hidden />
    </button>
  )
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-2 gap-y-1">
      <h2 id="question-title" className="mr-auto whitespace-nowrap">
        {item ? `Question ${index + 1}` : 'New question'}
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
          {tool('Move up', ArrowUp, () => onMove(index - 1), index === 0)}
          {tool('Move down', ArrowDown, () => onMove(index + 1), index === props.count - 1)}
          {tool('Duplicate', Copy, props.onDuplicate)}
          {tool('Delete', Trash2, props.onDelete)}
        </div>
      )}
      {item && isHistory && (
        <HistoryDialog
          question={item.questionId}
          onClose={() => setIsHistory(false)}
          onBringBack={
            isWritable
              ? (content) => {
                  setIsHistory(false)
                  props.onBringBack(content)
                }
              : undefined
          }
        />
      )}
    </div>
  )
}
