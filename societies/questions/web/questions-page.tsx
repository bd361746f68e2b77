import { Download, History, Plus, Upload } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { Message } from '../../../platform/web/ui/message.tsx'
import { dialogOnDemand } from '../../../platform/web/ui/on-demand.ts'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf, inWords } from '../../../platform/words.ts'
import { stateOf } from '../../kit/assessment-state.ts'
import { extentOf } from '../../kit/roles.ts'
import { useAssessment, useSociety } from '../../kit/web/console/console.tsx'
import { useNowMs } from '../../kit/web/console/use-now.ts'
import { CoveredKeys } from '../../kit/web/covered-keys.tsx'
import { Loaded } from '../../kit/web/loaded.tsx'
import { Top } from '../../kit/web/section.tsx'
import { usePlace, useUrlOf } from '../../kit/web/use-act.tsx'
import { listQuestions } from '../contract.ts'
import { type Mark, marksOfQuestions, marksOfTest } from '../question-marks.ts'
import { countForms, describeForms, describeUneven, isUneven } from '../two-forms.ts'
import { NEW } from './hooks.ts'
import { QuestionDesk } from './question-desk.tsx'

const BankDialog = dialogOnDemand(async () => (await import('./question-dialogs.tsx')).BankDialog)
const ExportDialog = dialogOnDemand(
  async () => (await import('./question-dialogs.tsx')).ExportDialog,
)

/** This keeps keys visible and the session alive while a member writes for a long time without saving. */
const REFRESH_MS = 60_000

/** …/questions shows the list, the editor and the candidate’s view (product 7.9). */
export function Questions() {
  const { society } = useSociety()
  const assessment = useAssessment()
  const state = stateOf(assessment, useNowMs(10_000))
  const held = society.roles.filter((one) => [null, assessment.code].includes(one.assessment))
  const extent = extentOf(held, 'read_keys')
  // Members who can read keys only afterward (product 7.7.4) would be rejected even after re-authenticating.
  const isEarly = extent !== 'all' && extent.length > 0 && state !== 'closed'
  const found = useEndpoint(
    listQuestions,
    { params: usePlace() },
    { enabled: !isEarly, every: REFRESH_MS },
  )
  if (isEarly) {
    return <NotYet text="You can read the questions once the test is over." />
  }
  return (
    <Loaded
      of={found}
      name="questions"
      refused={({ code, message }) =>
        code === 'fresh_proof_required' ? (
          <CoveredKeys title="Questions" read={() => found.refetch({ throwOnError: true })} />
        ) : (
          code === 'not_closed' && <NotYet text={message} isError />
        )
      }
    >
      {(list) => <Shown list={list} mayCheck={extent === 'all'} />}
    </Loaded>
  )
}

const NotYet = ({ text, isError = false }: { text: string; isError?: boolean }) => (
  <>
    <Top title="Questions" headline="Questions" />
    <Message title="Not yet" actions={null} isError={isError}>
      {text}
    </Message>
  </>
)

function Shown(props: { list: ResponseOf<typeof listQuestions>; mayCheck: boolean }) {
  const urlOf = useUrlOf()
  const { may } = useSociety()
  const [, setSearch] = useSearchParams()
  const [dialog, setDialog] = useState<'bank' | 'export' | null>(null)
  const { items, lockedBy, isSample } = props.list
  const isWritable = may('write_questions') && lockedBy === null
  const marks = useMemo(() => marksOfQuestions(items), [items])
  const ofTest = useMemo(() => marksOfTest(items), [items])
  const forms = countForms(items)
  const acts = (
    <>
      {items.length > 0 && may('read_keys') && (
        <button type="button" className="btn btn-ghost" onClick={() => setDialog('export')}>
          <Download size={16} aria-hidden />
          Export
        </button>
      )}
      {isWritable && (
        <>
          <button type="button" className="btn btn-ghost" onClick={() => setDialog('bank')}>
            <History size={15} aria-hidden />
            Copy from earlier tests
          </button>
          <Link to={urlOf('questions/import')} className="btn btn-ghost">
            <Upload size={15} aria-hidden />
            Import a file
          </Link>
          <button type="button" className="btn" onClick={() => setSearch({ question: NEW })}>
            <Plus size={15} aria-hidden />
            New question
          </button>
        </>
      )}
    </>
  )
  return (
    <div className="[&_.top_.acts]:max-md:hidden">
      <Top
        title="Questions"
        headline={items.length === 0 ? 'No questions yet' : headlineOf(marks, ofTest.length)}
        acts={acts}
      >
        {items.length > 0
          ? 'Hints point out giveaways and unclear wording. Only errors prevent publishing.'
          : isWritable && 'Import a file, copy questions from earlier tests, or write one.'}
      </Top>
      {lockedBy === 'started' && (
        <p className="mb-5 max-w-[100ch]">
          A candidate has started, so the questions can’t change. If a key is wrong, make a ruling
          under Analysis.
        </p>
      )}
      {isSample && (
        <p className="mb-5 max-w-[100ch] text-ink-2">
          These are samples, so everyone can read their keys. Try anything. Restarting the server
          restores them.
        </p>
      )}
      {forms && (
        <p className="mb-2 max-w-[100ch]">
          {describeForms(forms)}: each candidate gets one and isn’t told which. In the list, press x
          to select questions, then a for form A, b for form B, or o for both.
        </p>
      )}
      {isUneven(forms) && <p className="amber mb-2">{describeUneven(forms)}</p>}
      {ofTest.length > 0 && (
        <ul className="mb-5 grid gap-1">
          {ofTest.map((hint) => (
            <li key={hint} className="amber">
              Whole test: {hint}
            </li>
          ))}
        </ul>
      )}
      {(items.length > 0 || isWritable) && (
        <QuestionDesk
          items={items}
          marks={marks}
          isWritable={isWritable}
          mayCheck={props.mayCheck}
        />
      )}
      {dialog === 'bank' && <BankDialog onClose={() => setDialog(null)} />}
      {dialog === 'export' && <ExportDialog items={items} onClose={() => setDialog(null)} />}
    </div>
  )
}

/** '24 questions, no errors, four hints' */
function headlineOf(marks: readonly (readonly Mark[])[], ofTest: number): string {
  const errors = marks.flat().filter(({ isError }) => isError).length
  const hints = marks.flat().length - errors + ofTest
  const words = (count: number, one: string) => `${inWords(count)} ${count === 1 ? one : `${one}s`}`
  return `${countOf(marks.length, 'question')}, ${words(errors, 'error')}, ${words(hints, 'hint')}`
}
