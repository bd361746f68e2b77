import { ArrowDown, ArrowUp, Copy, type LucideIcon, Trash2 } from 'lucide-react'
import { type ComponentProps, type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import type { OptionLetter } from '../../../platform/options.ts'
import { call } from '../../../platform/web/api.ts'
import { createPart, dialogOnDemand, usePart } from '../../../platform/web/ui/on-demand.ts'
import { isStale, NewerNotice, YourText } from '../../kit/web/console/changed-meanwhile.tsx'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { Segments } from '../../kit/web/fields.tsx'
import { useAct, usePlace } from '../../kit/web/use-act.tsx'
import { zoneDay } from '../../kit/zone-time.ts'
import {
  addQuestion,
  type KeyCorrection,
  type ListedQuestion,
  removeQuestion,
  saveQuestion,
} from '../contract.ts'
import { contentOf, type Draft, EMPTY_DRAFT, type QuestionContent } from '../question-content.ts'
import { marksWhileWriting } from '../question-marks.ts'
import type { Form, Placed } from '../two-forms.ts'
import type { CandidateView } from './candidate-view.tsx'
import { NEW, type useDrafts } from './hooks.ts'
import { Disputes } from './key-answer.tsx'
import { QuestionEditor } from './question-editor.tsx'
import { FORM_CHOICES, formOf } from './question-list.tsx'

// The editor doesn't wait for this part to load.
const viewPart = createPart(async () => (await import('./candidate-view.tsx')).CandidateView)
const HistoryDialog = dialogOnDemand(
  async () => (await import('./question-dialogs.tsx')).HistoryDialog,
)

interface PaneProps {
  /** null for a new question */
  item: ListedQuestion | null
  items: readonly ListedQuestion[]
  drafts: ReturnType<typeof useDrafts>
  isWritable: boolean
  className: string
  back: ReactNode
  onSelect: (question: string | null) => void
  onAssign: (questions: ReadonlySet<string>, form: Form | null) => void
  onMove: (to: number) => void
  onRemoved: (item: ListedQuestion) => void
}

export function QuestionPane(props: PaneProps) {
  const { item, items, drafts, isWritable } = props
  const id = item?.questionId ?? NEW
  const standing: Draft = item ? contentOf(item) : EMPTY_DRAFT
  const read = { read: standing, version: item?.version ?? 0 }
  const unsaved = drafts.drafts.get(id)
  const isAside = unsaved?.isAside === true
  const draft = unsaved && !isAside ? unsaved.draft : standing
  const { version } = unsaved ?? read
  const behind = items.findIndex(({ questionId }) => questionId === unsaved?.after)
  const index = item ? items.indexOf(item) : behind >= 0 ? behind + 1 : items.length
  const { said, setSaid, store, remove, isBusy, isSaving } = useStoring(props, id, draft)
  const slow = useDeferredValue(draft)
  const marks = useMemo(
    () => marksWhileWriting(slow, item ? index : items.length, items),
    [slow, item, index, items],
  )
  const isBehind = unsaved !== undefined && said?.isStale === true
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
          onDelete={() => item && !isBusy && remove(item)}
          onBringBack={(content) => item && store(content, item.version)}
        />
        {item && <Disputes item={item} />}
        {item?.correction && (
          <Corrected
            {...item.correction}
            onTakeOver={
              isWritable && !unsaved
                ? (answer) => store({ ...standing, answer }, item.version)
                : undefined
            }
          />
        )}
        {unsaved && isAside ? (
          <YourText
            onPutBack={() => drafts.put(id, { ...read, draft: unsaved.draft })}
            onDiscard={() => drafts.drop(id)}
          />
        ) : (
          isBehind && (
            <NewerNotice
              text={said.text}
              onReload={() => {
                drafts.put(id, { ...unsaved, isAside: true })
                setSaid(null)
              }}
            />
          )
        )}
        <QuestionEditor
          key={id}
          item={item}
          draft={draft}
          marks={item || unsaved ? marks : []}
          topics={[...new Set(items.flatMap(({ topic }) => topic ?? []))].sort()}
          onChange={
            isWritable && !isAside
              ? (next) => {
                  setSaid(null)
                  drafts.put(id, { ...read, ...unsaved, draft: next })
                }
              : undefined
          }
        />
        {item && <AskedIn {...props} item={item} />}
        {isWritable && (
          <div className="flex flex-wrap items-center gap-2.5">
            <button
              type="button"
              className="btn"
              aria-disabled={!unsaved || isAside || isBusy}
              onClick={() => unsaved && !isAside && store(draft, version)}
            >
              {isSaving ? 'Saving…' : `Save as version ${read.version + 1}`}
            </button>
            {(unsaved || !item) && !isAside && (
              <button
                type="button"
                className="btn btn-quiet"
                onClick={() => {
                  drafts.drop(id)
                  setSaid(null)
                  if (!item) props.onSelect(null)
                }}
              >
                Discard changes
              </button>
            )}
            <span role="status" className="hint">
              {!said?.isError && said?.text}
            </span>
          </div>
        )}
        <p role="alert" className="mt-2 empty:hidden">
          {said?.isError && !isBehind && said.text}
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

/** A ruling that replaced the key of this question, here or in another test (product 7.9.49). */
function Corrected(
  props: KeyCorrection & { onTakeOver: ((answer: OptionLetter) => void) | undefined },
) {
  const { from, to, isOpen, onTakeOver } = props
  const { timeZone } = useAssessment()
  const on = zoneDay(props.at, timeZone, Date.now())
  return (
    <p className={`mb-4 text-[13px]! ${isOpen ? 'warning' : 'hint text-ink-2'}`}>
      {isOpen ? 'In another test, the key' : 'Key'} changed from {from} to {to} on {on}.
      {isOpen && !onTakeOver && ' Use the new key here?'}
      {isOpen && onTakeOver && (
        <button type="button" className="link max-md:min-h-11" onClick={() => onTakeOver(to)}>
          Use new key
        </button>
      )}
    </p>
  )
}

function AskedIn({ item, isWritable, onAssign }: PaneProps & { item: ListedQuestion }) {
  const form = item.form ?? 'both'
  return (
    <div className="mb-4.5 max-md:hidden">
      <p className="label">
        Asked in <span className="hint ml-2 font-normal">only for tests in two forms</span>
      </p>
      <Segments
        legend="Asked in"
        options={FORM_CHOICES.filter(([one]) => isWritable || one === form)}
        value={form}
        onChange={(to) => isWritable && onAssign(new Set([item.questionId]), formOf(to))}
      />
    </div>
  )
}

function View(props: ComponentProps<typeof CandidateView>) {
  const [isOpen, setIsOpen] = useState(true)
  const Fetched = usePart(viewPart, { open: isOpen, onOpenChange: setIsOpen })
  if (Fetched) return <Fetched {...props} />
  if (isOpen) return null
  return (
    <button type="button" className="btn btn-ghost" onClick={() => setIsOpen(true)}>
      Show candidate view
    </button>
  )
}

interface Said {
  question: string
  text: string
  isError?: boolean
  isStale?: boolean
}

function useStoring({ drafts, onSelect, onRemoved }: PaneProps, id: string, draft: Draft) {
  const place = usePlace()
  const params = { ...place, question: id }
  const [said, setSaid] = useState<Said | null>(null)
  const act = useAct(
    ({ send }: { question: string; isSaving: boolean; send: () => Promise<void> }) => send(),
    undefined,
    (text, error, { question }) =>
      setSaid({ question, text, isError: true, isStale: isStale(error) }),
  )
  async function add(content: QuestionContent): Promise<void> {
    const after = drafts.drafts.get(NEW)?.after ?? null
    const { questionId } = await call(addQuestion, { params: place, body: { content, after } })
    drafts.drop(NEW)
    onSelect(questionId)
    setSaid({ question: questionId, text: 'Saved as version 1.' })
  }
  async function save(content: QuestionContent, version: number): Promise<void> {
    const written = await call(saveQuestion, { params, body: { content, version } })
    drafts.saved(id, content, written.version, draft)
    setSaid({ question: id, text: `Saved as version ${written.version}.` })
  }
  function store(next: Draft, version: number) {
    if (act.isBusy) return
    const { answer, exhibit } = next
    const refuse = (text: string) => setSaid({ question: id, text, isError: true })
    if (answer === null) return refuse('Select the option that is the key.')
    if (exhibit?.kind === 'picture' && exhibit.alt.trim() === '') {
      return refuse('Describe what the image shows.')
    }
    const content = { ...next, answer }
    const send = () => (id === NEW ? add(content) : save(content, version))
    act.run({ question: id, isSaving: true, send })
  }
  function remove(item: ListedQuestion): void {
    const send = async () => {
      await call(removeQuestion, { params, body: { version: item.version } })
      drafts.drop(id)
      onRemoved(item)
    }
    act.run({ question: id, isSaving: false, send })
  }
  const { isBusy, given } = act
  const isSaving = isBusy && given?.isSaving === true
  return { said: said?.question === id ? said : null, setSaid, store, remove, isBusy, isSaving }
}

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
  const bringBack = (content: QuestionContent) => {
    setIsHistory(false)
    props.onBringBack(content)
  }
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
          onBringBack={isWritable ? bringBack : undefined}
        />
      )}
    </div>
  )
}
