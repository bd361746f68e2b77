import { useQueryClient } from '@tanstack/react-query'
import { History, Plus, Upload } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { Message } from '../../../platform/web/ui/message.tsx'
import { dialogOnDemand } from '../../../platform/web/ui/on-demand.ts'
import { endpointQuery, useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { listQuestions } from '../../contract/questions.ts'
import { marksOfQuestions, marksOfTest } from '../../questions/question-marks.ts'
import { countForms, describeForms, describeUneven, isUneven } from '../../questions/two-forms.ts'
import { useSociety } from '../console/console.tsx'
import { Top } from '../console/top.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { usePlace } from '../kit/use-act.tsx'
import { areCovered, CoveredKeys } from './covered-keys.tsx'
import { ExportMenu } from './export-menu.tsx'
import type { ListOfQuestions } from './listed-question.ts'
import { headlineOf, wordsOfTestMark } from './mark-words.ts'
import { NEW, QuestionDesk } from './question-desk.tsx'
import { useKeyReading } from './use-key-reading.ts'

const BankDialog = dialogOnDemand(async () => (await import('./bank-dialog.tsx')).BankDialog)

/** Keys stay open, and the session goes on, while somebody writes for a long time without saving. */
const REFRESH_MS = 60_000

/** …/questions: list, editor, the candidate’s view (product 7.9). */
export function Questions() {
  const place = usePlace()
  const client = useQueryClient()
  const reading = useKeyReading()
  // Asked too early it would ask for a proof, and be refused after it.
  const found = useEndpoint(
    listQuestions,
    { params: place },
    { enabled: reading !== 'later', every: REFRESH_MS },
  )
  if (reading === 'later') return <NotYet />
  return (
    <Loaded
      of={found}
      name="questions"
      refused={(failure) => (
        <>
          <Top title="Questions" headline="Questions" />
          {areCovered(failure) ? (
            <CoveredKeys
              read={() =>
                client.fetchQuery({
                  ...endpointQuery(listQuestions, { params: place }),
                  staleTime: 0,
                })
              }
            />
          ) : (
            <Message isError title="Not yet" actions={null}>
              {failure.message}
            </Message>
          )}
        </>
      )}
    >
      {(list) => <Shown list={list} mayCheck={reading === 'all'} />}
    </Loaded>
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

function Shown({ list, mayCheck }: { list: ListOfQuestions; mayCheck: boolean }) {
  const place = usePlace()
  const { may } = useSociety()
  const [, setSearch] = useSearchParams()
  const [isTaking, setIsTaking] = useState(false)
  const { items, lockedBy } = list
  const isWritable = may('write_questions') && lockedBy === null
  const marks = useMemo(() => marksOfQuestions(items), [items])
  const forms = countForms(items)
  const ofForms = describeForms(forms)
  const ofTest = useMemo(() => marksOfTest(items), [items])
  const page = (name: string) => assessmentUrl(place.society, place.code, name)
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
        <QuestionDesk list={list} marks={marks} isWritable={isWritable} mayCheck={mayCheck} />
      )}
      {isTaking && <BankDialog onClose={() => setIsTaking(false)} />}
    </div>
  )
}
