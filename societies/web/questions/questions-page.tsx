import { useQuery } from '@tanstack/react-query'
import { History, Plus, Upload } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { ApiFailure } from '../../../platform/web/api.ts'
import { Message, TryAgain } from '../../../platform/web/ui/message.tsx'
import { createPart, usePart } from '../../../platform/web/ui/on-demand.ts'
import { Spinner } from '../../../platform/web/ui/spinner.tsx'
import { marksOfQuestions, marksOfTest } from '../../questions/question-marks.ts'
import { countForms, describeForms, describeUneven, isUneven } from '../../questions/two-forms.ts'
import { useAssessment, useSociety } from '../console/console.tsx'
import { Top } from '../console/top.tsx'
import { areCovered, CoveredKeys } from './covered-keys.tsx'
import { ExportMenu } from './export-menu.tsx'
import { headlineOf, wordsOfTestMark } from './mark-words.ts'
import { type Desk, questionsQuery } from './queries.ts'
import { type ListOfQuestions, NEW, QuestionDesk } from './question-desk.tsx'
import { useKeyReading } from './use-key-reading.ts'

const bankPart = createPart(async () => (await import('./bank-dialog.tsx')).BankDialog)

/** Keys stay open, and the session goes on, while somebody writes for a long time without saving. */
const REFRESH_MS = 60_000

/** …/questions: list, editor, the candidate’s view (product 7.9). */
export function Questions() {
  const { society } = useSociety()
  const { code } = useAssessment()
  const desk = useMemo(() => ({ society: society.id, code }), [society.id, code])
  const reading = useKeyReading()
  // Asked too early it would ask for a proof, and be refused after it.
  const found = useQuery({
    ...questionsQuery(desk),
    enabled: reading !== 'later',
    refetchInterval: REFRESH_MS,
  })
  if (reading === 'later') return <NotYet />
  if (found.data) return <Loaded desk={desk} list={found.data} mayCheck={reading === 'all'} />
  if (!found.isError) return <Spinner />
  if (areCovered(found.error)) {
    return (
      <>
        <Top title="Questions" headline="Questions" />
        <CoveredKeys query={questionsQuery(desk)} />
      </>
    )
  }
  const isRefused = found.error instanceof ApiFailure && found.error.code === 'not_closed'
  return (
    <>
      <Top title="Questions" headline="Questions" />
      <Message
        isError
        title={isRefused ? 'Not yet' : 'The questions could not be loaded'}
        actions={
          !isRefused && <TryAgain onClick={() => void found.refetch()} isBusy={found.isFetching} />
        }
      >
        {found.error.message}
      </Message>
    </>
  )
}

function NotYet() {
  return (
    <>
      <Top title="Questions" headline="Questions" />
      <Message title="Not yet" actions={null}>
        You can read the questions when nobody can sit the test any more.
      </Message>
    </>
  )
}

function Loaded(props: { desk: Desk; list: ListOfQuestions; mayCheck: boolean }) {
  const { desk, list, mayCheck } = props
  const { may } = useSociety()
  const [, setSearch] = useSearchParams()
  const [isTaking, setIsTaking] = useState(false)
  const BankDialog = usePart(bankPart, { open: isTaking, onOpenChange: setIsTaking })
  const { items, lockedBy } = list
  const isWritable = may('write_questions') && lockedBy === null
  const marks = useMemo(() => marksOfQuestions(items), [items])
  const forms = countForms(items)
  const ofForms = describeForms(forms)
  const ofTest = useMemo(() => marksOfTest(items), [items])
  const page = (name: string) => assessmentUrl(desk.society, desk.code, name)
  const write = () => setSearch({ question: NEW })
  const acts = isWritable ? (
    <>
      {items.length > 0 && <ExportMenu items={items} />}
      <button type="button" className="btn btn-ghost" onClick={() => setIsTaking(true)}>
        <History size={15} aria-hidden />
        Take from earlier tests
      </button>
      <Link to={page('questions/import')} className="btn btn-ghost">
        <Upload size={15} aria-hidden />
        Import a file
      </Link>
      <button type="button" className="btn" onClick={write}>
        <Plus size={15} aria-hidden />
        New question
      </button>
    </>
  ) : (
    items.length > 0 && <ExportMenu items={items} />
  )
  return (
    <div className="[&_.top_.acts]:max-md:hidden">
      <Top
        title="Questions"
        headline={items.length === 0 ? 'No questions yet' : headlineOf(marks)}
        acts={acts}
      >
        {items.length === 0
          ? isWritable
            ? 'Import a file, take some from earlier tests, or write one.'
            : 'There is nothing to show.'
          : 'A hint is something that a candidate could use to guess, or that reads badly. Only errors keep the test from opening.'}
      </Top>
      {lockedBy === 'started' && (
        <p className="mb-5 max-w-[100ch]">
          A candidate has started, so the questions stay as they are. A wrong key is ruled on under
          Analysis.
        </p>
      )}
      {list.isSample && (
        <p className="mb-5 max-w-[100ch] text-ink-2">
          These are samples, whose keys everybody can read. Try everything: the next start of the
          server brings them back as they were.
        </p>
      )}
      {ofForms && (
        <p className="mb-2 max-w-[100ch]">
          {ofForms}: each candidate answers one of them, and does not learn which. In the list, x
          ticks, and a, b or o gives what is ticked to form A, to form B or to both.
        </p>
      )}
      {forms && isUneven(forms) && <p className="amber mb-2">{describeUneven(forms)}</p>}
      {ofTest.length > 0 && (
        <ul className="mb-5 grid gap-1">
          {ofTest.map((mark) => (
            <li key={`${mark.mark}${'first' in mark ? mark.first : ''}`} className="amber">
              Hint for the whole test: {wordsOfTestMark(mark)}
            </li>
          ))}
        </ul>
      )}
      {(items.length > 0 || isWritable) && (
        <QuestionDesk {...{ desk, list, marks, isWritable, mayCheck }} />
      )}
      {BankDialog && <BankDialog desk={desk} open={isTaking} onOpenChange={setIsTaking} />}
    </div>
  )
}
