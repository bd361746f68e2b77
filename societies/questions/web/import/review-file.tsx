import { FileText } from 'lucide-react'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { BodyOf, CallInput, ResponseOf } from '../../../../platform/endpoint.ts'
import { call } from '../../../../platform/web/api.ts'
import { toast } from '../../../../platform/web/ui/toast.tsx'
import { countOf, numberWord } from '../../../../platform/words.ts'
import { ColumnChoice } from '../../../kit/web/brought-list.tsx'
import { DialogFrame } from '../../../kit/web/dialog-frame.tsx'
import { type Option, SelectField, Tick } from '../../../kit/web/fields.tsx'
import { Top } from '../../../kit/web/section.tsx'
import { Problem, useAct, usePlace, useUrlOf } from '../../../kit/web/use-act.tsx'
import { importReviewed, reviewQuestionFile, undoImport } from '../../contract-exchange.ts'
import {
  COLUMN_ROLES,
  type ColumnRole,
  FILE_NOTICES,
  FORMAT_NAMES,
  fixOf,
  KEY_FORMS,
  type KeyForm,
} from '../../question-files.ts'
import { CONTENT_LIMITS } from '../../written-question.ts'
import { type Draft, ImportableList, keyOf, LeftOutList } from './review-lists.tsx'

type Import = BodyOf<typeof importReviewed>
type Mode = Import['mode']

type Review = ResponseOf<typeof reviewQuestionFile>

const NOT_CLEAR: Option = ['', 'Varies by row']

const draftsOf = ({ questions }: Review) =>
  questions.map((one, id): Draft => ({ ...one, id, isTicked: true, isFixed: false }))

export function ReviewFile(props: {
  name: string
  bytes: Blob
  first: Review
  onAgain: () => void
}) {
  const [{ format, notices, unread, table, standing }, setReview] = useState(props.first)
  const [drafts, setDrafts] = useState(() => draftsOf(props.first))
  const again = useReading(props.bytes, (review) => {
    setReview(review)
    setDrafts(draftsOf(review))
  })
  const [mode, setMode] = useState<Mode>('append')
  const [isAsking, setIsAsking] = useState(false)
  // A question that is already in the test can replace itself.
  const isReady = ({ reason }: Draft) =>
    reason === null || (reason === 'asked_already' && mode === 'replace')
  const ready = drafts.filter(isReady)
  const chosen = ready.filter(({ isTicked }) => isTicked)
  const store = useImporting(mode, standing.fingerprint)
  const change = (draft: Draft) =>
    setDrafts(drafts.map((one) => (one.id === draft.id ? draft : one)))
  const fixable = drafts.filter(({ reason, options }) => reason && fixOf(reason, options)).length
  const inTest = countOf(standing.count, 'question')
  const press = () => (mode === 'replace' ? setIsAsking(true) : store.run(chosen))
  const acts = (
    <>
      <button type="button" className="btn btn-ghost" onClick={props.onAgain}>
        Cancel
      </button>
      <button
        type="button"
        className="btn"
        aria-disabled={chosen.length === 0 || store.isBusy}
        onClick={() => chosen.length > 0 && press()}
      >
        {store.isBusy ? 'Importing…' : `Import ${chosen.length} of ${drafts.length}`}
      </button>
    </>
  )
  return (
    <>
      <Top
        title="Import questions"
        headline={`${ready.length} of ${drafts.length} can be imported`}
        acts={acts}
      >
        {fixable > 0 && `${numberWord(fixable)} more can be fixed on this page. `}
        Nothing is saved until you press the button, and the file is not kept.
      </Top>
      <div role="alert">{store.problem && <p className="warning mb-6">{store.problem}</p>}</div>
      <div className="mb-7.5">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-2 border-ink border-t border-b border-b-line py-2.5">
          <FileText size={18} aria-hidden className="flex-none" />
          <b className="min-w-0 truncate font-semibold">{props.name}</b>
          <span className="text-ink-2">
            read as {FORMAT_NAMES[format]}, {countOf(drafts.length, 'question')}
          </span>
        </p>
        {notices.length + unread.length > 0 && (
          <p className="mt-3 text-[13.5px] text-ink-2">
            {notices.map((notice) => FILE_NOTICES[notice]).join(' ')}
            {unread.length > 0 && ` Not read: ${unread.join(', ')}.`}
          </p>
        )}
        {table && <TableChoice table={table} again={again} />}
      </div>
      <div className="grid gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,496px)]">
        <ImportableList
          drafts={ready}
          onChange={change}
          onTickAll={(isTicked) =>
            setDrafts(drafts.map((one) => (isReady(one) ? { ...one, isTicked } : one)))
          }
        />
        <LeftOutList drafts={drafts.filter((one) => !isReady(one))} onChange={change} />
      </div>
      <div className="mt-8.5 flex flex-wrap items-center gap-3.5 border-ink border-t pt-4">
        {standing.count > 0 && (
          <fieldset className="flex flex-wrap items-center gap-x-5">
            <legend className="sr-only">Where they go</legend>
            {(['append', 'replace'] as const).map((one) => (
              <Tick
                key={one}
                kind="radio"
                name="import-mode"
                checked={mode === one}
                onChange={() => setMode(one)}
                label={`${one === 'append' ? 'Add after' : 'Replace'} the ${inTest} in this test`}
              />
            ))}
          </fieldset>
        )}
        <div className="acts">{acts}</div>
      </div>
      {isAsking && (
        <DialogFrame
          title={`Replace ${inTest}?`}
          text="The questions and members’ answers to them are permanently deleted. You can’t undo this. Export them first if you may need them again."
          button={[`Replace ${standing.count} with ${chosen.length}`, 'Importing…']}
          problem={null}
          isBusy={false}
          onAct={() => {
            setIsAsking(false)
            store.run(chosen)
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  )
}

function useReading(file: Blob, then: (review: Review) => void) {
  const params = usePlace()
  return useAct(
    (query: CallInput<typeof reviewQuestionFile>['query']) =>
      call(reviewQuestionFile, { params, file, query }),
    then,
  )
}

function TableChoice(props: {
  table: NonNullable<Review['table']>
  again: ReturnType<typeof useReading>
}) {
  const { table, again } = props
  const read = (roles: readonly ColumnRole[], keys: KeyForm | undefined) =>
    again.run({ columns: roles.join('.'), keys })
  return (
    <ColumnChoice
      columns={table.columns}
      words={COLUMN_ROLES}
      many={['option', 'none']}
      onRoles={(roles) => read(roles, again.given?.keys)}
    >
      <SelectField
        label="Key format"
        options={[...(table.keys ? [] : [NOT_CLEAR]), ...Object.entries(KEY_FORMS)]}
        value={table.keys ?? ''}
        onChange={(keys) =>
          read(
            table.columns.map(({ role }) => role),
            keys as KeyForm,
          )
        }
      />
      <Problem text={again.problem} />
    </ColumnChoice>
  )
}

function writtenOf(draft: Draft): Import['questions'][number] {
  const { question, explanation, category, form } = draft
  const [A = '', B = '', C = '', D = ''] = draft.options.map(({ text }) => text)
  return {
    ...{ question, options: { A, B, C, D }, answer: keyOf(draft), form },
    explanation: explanation.slice(0, CONTENT_LIMITS.explanation),
    topic: category.slice(0, CONTENT_LIMITS.topic),
  }
}

/**
 * Imports questions, and offers to undo it.
 * @param fingerprint of the test's current questions
 */
function useImporting(mode: Mode, fingerprint: string) {
  const place = usePlace()
  const urlOf = useUrlOf()
  const navigate = useNavigate()
  // The id is the same for every click on this page.
  const { current: id } = useRef(crypto.randomUUID())
  const undo = useAct(
    () => call(undoImport, { params: place, body: { id } }),
    ({ removed }) => toast.success(`${countOf(removed, 'question')} removed again`),
    // The toast stays after this page closes.
    (problem) => toast.error('Not undone', problem),
  )
  return useAct(
    (chosen: readonly Draft[]) => {
      const body = { id, mode, fingerprint, questions: chosen.map(writtenOf) }
      return call(importReviewed, { params: place, body })
    },
    ({ added, askedAlready }) => {
      void navigate(urlOf('questions'))
      const title = `${countOf(added, 'question')} imported`
      const more = askedAlready
        ? `Someone else had already added ${countOf(askedAlready, 'question')}.`
        : undefined
      if (mode === 'replace') toast.success(title, more)
      else toast.undoable(title, () => undo.run(), more)
    },
  )
}
