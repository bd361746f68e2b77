import { useMemo, useState } from 'react'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { call } from '../../../platform/web/api.ts'
import { saveAsFile } from '../../../platform/web/save-file.ts'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import { useSociety } from '../../kit/web/console/console.tsx'
import { type Column, DataTable, type NameColumn } from '../../kit/web/data-table.tsx'
import { DialogFrame } from '../../kit/web/dialog-frame.tsx'
import { useListBar } from '../../kit/web/list-bar.tsx'
import { Loaded } from '../../kit/web/loaded.tsx'
import { Problem, useAct, usePlace } from '../../kit/web/use-act.tsx'
import { zoneMoment } from '../../kit/zone-time.ts'
import {
  type ListedQuestion,
  listBank,
  listQuestionVersions,
  TAKEN_AT_ONCE,
  takeFromBank,
} from '../contract.ts'
import { exportAssessment } from '../contract-exchange.ts'
import {
  changedFields,
  exhibitsInFile,
  type QuestionContent,
  type QuestionField,
} from '../question-content.ts'
import type { WrittenFormat } from '../question-files.ts'
import { shareOf } from './question-list.tsx'

type BankQuestion = ResponseOf<typeof listBank>[number] & { id: string }

/** Lists questions from the society's other tests, to copy them (product 7.9.14). */
export function BankDialog({ onClose }: { onClose: () => void }) {
  const place = usePlace()
  const found = useEndpoint(listBank, { params: place }, { staleTime: 0 })
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const isReady = ticked.size > 0 && ticked.size <= TAKEN_AT_ONCE
  const take = useAct(
    () => call(takeFromBank, { params: place, body: { questions: [...ticked] } }),
    onClose,
  )
  return (
    <DialogFrame
      title="Copy from earlier tests"
      text="A copy counts as the same question, so results add up across tests."
      wide
      button={found.data?.length ? [`Add ${countOf(ticked.size, 'question')}`, 'Adding…'] : null}
      problem={ticked.size > TAKEN_AT_ONCE ? `Add at most ${TAKEN_AT_ONCE} at once.` : take.problem}
      isReady={isReady}
      isBusy={take.isBusy}
      onAct={() => isReady && take.run()}
      onClose={onClose}
    >
      <Loaded of={found} name="questions" isPart>
        {(bank) =>
          bank.length === 0 ? (
            <p>This test already has every question of the society’s other tests.</p>
          ) : (
            <Bank bank={bank} ticked={ticked} onTick={setTicked} />
          )
        }
      </Loaded>
    </DialogFrame>
  )
}

const NAME: NameColumn<BankQuestion> = {
  id: 'question',
  head: 'Question',
  className: 'w-full py-1.5!',
  text: ({ question }) => question,
  cell: ({ name, topic, correctedAt }) => (
    <small className="hint block text-ink-2">
      {[name, topic, correctedAt && 'key changed by a ruling'].filter(Boolean).join(' · ')}
    </small>
  ),
}
const COLUMNS: readonly Column<BankQuestion>[] = [
  {
    id: 'last',
    head: 'Last time',
    className: 'whitespace-nowrap text-end text-ink-2',
    cell: ({ lastTime }) =>
      lastTime ? `${shareOf(lastTime)} right, n = ${lastTime.of}` : 'not used yet',
  },
]
const textOf = ({ question, name, topic }: BankQuestion) => `${question} ${name} ${topic ?? ''}`

function Bank(props: {
  bank: readonly Omit<BankQuestion, 'id'>[]
  ticked: ReadonlySet<string>
  onTick: (ticked: ReadonlySet<string>) => void
}) {
  const { bank } = props
  const rows = useMemo(() => bank.map((one) => ({ ...one, id: one.questionId })), [bank])
  const filters = useMemo(() => {
    const topics = [...new Set(bank.flatMap(({ topic }) => topic ?? []))].sort()
    const all = { id: '', label: 'All topics', fits: (_: BankQuestion) => true }
    return [
      all,
      ...topics.map((id) => ({ id, label: id, fits: (one: BankQuestion) => one.topic === id })),
    ]
  }, [bank])
  const list = useListBar(rows, { by: 'Question, test or topic', textOf, filters })
  return (
    <div>
      {list.bar}
      <DataTable
        label="Questions of earlier tests"
        rows={list.shown}
        view={list.view}
        name={NAME}
        columns={COLUMNS}
        empty="No questions match."
        ticked={props.ticked}
        onTick={props.onTick}
      />
    </div>
  )
}

const FORMATS: readonly [format: WrittenFormat, name: string, what: string, type: string][] = [
  ['csv', 'CSV', 'for Excel; can be imported here again', 'csv'],
  ['gift', 'GIFT', 'for Moodle and others', 'plain'],
]

/** Downloads the questions with their keys as a file (product 7.9.38, 7.9.47). */
export function ExportDialog(props: { items: readonly ListedQuestion[]; onClose: () => void }) {
  const place = usePlace()
  const take = useAct(
    ({ format }: { format: WrittenFormat; type: string }) =>
      call(exportAssessment, { params: place, query: { format } }),
    ({ fileName, content }, { type }) =>
      saveAsFile(fileName, content, `text/${type};charset=utf-8`),
  )
  return (
    <Dialog
      open
      onOpenChange={props.onClose}
      title="Export the questions"
      description="The file contains the keys. The download is saved in the log."
    >
      {exhibitsInFile(props.items.map(({ exhibit }) => exhibit)).map((sentence) => (
        <p key={sentence} className="mb-3">
          {sentence}
        </p>
      ))}
      <ul className="grid gap-3">
        {FORMATS.map(([format, name, what, type]) => (
          <li key={format} className="flex flex-wrap items-center gap-3">
            <button
              type="button"
              className="btn btn-ghost"
              aria-disabled={take.isBusy}
              onClick={() => take.run({ format, type })}
            >
              Download as {name}
            </button>
            <span className="text-ink-2">{what}</span>
          </li>
        ))}
      </ul>
      <div role="status" className="hint mt-3">
        {take.done && `${take.done.fileName} has ${countOf(take.done.count, 'question')}.`}
      </div>
      <Problem text={take.problem} />
    </Dialog>
  )
}

/** Lists all versions of a question with author, time and changes, and can restore any of them (product 7.9.8). */
export function HistoryDialog(props: {
  question: string
  onClose: () => void
  /** undefined while questions are locked */
  onBringBack: ((content: QuestionContent) => void) | undefined
}) {
  const { onBringBack } = props
  const { society } = useSociety()
  const params = { ...usePlace(), question: props.question }
  const found = useEndpoint(listQuestionVersions, { params }, { staleTime: 0 })
  return (
    <Dialog open onOpenChange={props.onClose} title="Versions" wide>
      <Loaded of={found} name="versions" isPart>
        {(versions) => (
          <ol>
            {versions.map(({ version, content, changedByName, changedByYou, changedAt }, index) => {
              const before = versions[index + 1]?.content
              const fields = before ? changedFields(before, content) : []
              return (
                <li key={version} className="border-line border-b py-3 first:pt-0">
                  <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
                    <b className="font-semibold">Version {version}</b>
                    <span className="hint flex-1">
                      {changedByName && changedAt
                        ? `${changedByYou ? 'You' : changedByName}, ${zoneMoment(changedAt, society.timeZone, Date.now())}`
                        : 'as loaded, imported or copied'}
                    </span>
                    {index === 0 && <span className="hint">current version</span>}
                    {index > 0 && onBringBack && (
                      <button
                        type="button"
                        className="btn btn-ghost btn-small"
                        onClick={() => onBringBack(content)}
                      >
                        Restore version {version}
                      </button>
                    )}
                  </div>
                  <p className="mt-1">{content.question}</p>
                  <p className="hint">
                    Key {content.answer}: {content.options[content.answer]}
                    {fields.length > 0 && ` · changed: ${fields.map(wordsOfField).join(', ')}`}
                  </p>
                </li>
              )
            })}
          </ol>
        )}
      </Loaded>
    </Dialog>
  )
}

function wordsOfField(field: QuestionField): string {
  if (field === 'answer') return 'Key'
  if (field === 'compute') return 'Computed answer'
  return field.length === 1 ? `Option ${field}` : field.charAt(0).toUpperCase() + field.slice(1)
}
