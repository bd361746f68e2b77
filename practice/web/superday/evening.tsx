import './superday.css'
import { type UseQueryResult, useMutation, useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import { Link, useParams } from 'react-router'
import { partOfSuperdayUrl, superdayReportUrl, URLS } from '../../../platform/urls.ts'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { hourAndMinute } from '../../../platform/web/dates.ts'
import { queryClient } from '../../../platform/web/query-client.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { BackLink, useTitle } from '../../../platform/web/ui/page.tsx'
import { useSingleFlight } from '../../../platform/web/ui/single-flight.ts'
import { Redirect } from '../../../platform/web/ui/skeleton.tsx'
import { type Evening, endSuperday, PARTS, type Part } from '../../contract/superday.ts'
import { placeOf } from '../../superday/next-days.ts'
import { Loaded, NotThere } from '../kit.tsx'
import { Ticks } from '../sitting/ticks.tsx'
import { outbox } from '../use-outbox.tsx'
import { PART_WORDS, superdayQuery, superdaysQuery } from './evenings.ts'

type UseBeginTest = () => (evening: string) => Promise<void>

/** /superday/{id} (product 3.15.2): the finished parts and the next one. */
export function EveningPage(props: { useBeginTest: UseBeginTest }) {
  const { id = '' } = useParams()
  const found = useQuery(superdayQuery(id))
  useTitle('Mock superday')
  if (found.data && !found.data.isOpen) return <Redirect to={superdayReportUrl(id)} />
  return (
    <main className="wrap pt-6 pb-20 sm:pt-8">
      <BackLink to={URLS.superday}>Mock superday</BackLink>
      <Loaded
        query={found}
        note="Loading the mock superday"
        shapes={['mt-6 h-12 w-64', ...PARTS.map(() => 'mt-5 h-[92px]')]}
        failed={<NoSuperday query={found} />}
      >
        {(evening) => <Running key={id} evening={evening} useBeginTest={props.useBeginTest} />}
      </Loaded>
    </main>
  )
}

export function NoSuperday({ query }: { query: UseQueryResult }) {
  return (
    <div className="mt-8">
      <NotThere
        query={query}
        gone="There is no such mock superday"
        failed="The mock superday could not be loaded"
        wayOut={{ to: URLS.superday, name: 'Mock superday' }}
      />
    </div>
  )
}

function Running(props: { evening: Evening; useBeginTest: UseBeginTest }) {
  const { evening } = props
  const { isTooLate } = evening.test
  const next = PARTS.find((part) => !isDone(evening, part) && !(part === 'test' && isTooLate))
  const done = PARTS.filter((part) => isDone(evening, part))
  const nextPrompt = evening.aloud.find(({ result }) => result === null)?.slug ?? ''
  return (
    <>
      <h1 className="mt-4 text-[clamp(32px,3.8vw,48px)]">
        {done.length === 0 ? 'Four parts' : `${COUNTS[done.length]} of four done`}
      </h1>
      <p className="running mt-3 max-w-[38em] text-ink-2">
        Started at {hourAndMinute(evening.startedAt)}. You can leave and return until{' '}
        {hourAndMinute(evening.closesAt)}. Only your first try at each part counts.
      </p>
      <Unsent />
      <div className="mt-8">
        <Ticks
          ticks={PARTS.map((part) =>
            isDone(evening, part) ? 'done' : part === next ? 'now' : 'open',
          )}
        />
      </div>
      <ol>
        {PARTS.map((part, index) => (
          <li key={part} className="superday-row">
            <span aria-hidden className="serif text-[20px] text-ink-2">
              {index + 1}
            </span>
            <div className="min-w-0">
              <h2 className="text-[23px]">{PART_WORDS[part].name}</h2>
              <p className="running mt-1 max-w-[46em] text-ink-2">{PART_WORDS[part].about}</p>
              {part === 'test' && part === next && <TestRules evening={evening} />}
              {part === 'aloud' && <Prompts evening={evening} />}
            </div>
            <div className="superday-act">
              {isDone(evening, part) ? (
                <p className="text-ink-2">Done: {figureOf(evening, part)}</p>
              ) : part !== 'test' ? (
                <Link
                  to={partOfSuperdayUrl(placeOf(evening, part, nextPrompt), evening.id)}
                  className={
                    part === next ? 'btn' : 'btn btn-flat text-accent max-nav:-ml-3 nav:-mr-3'
                  }
                >
                  {ACTIONS[part]}
                  {part === next && <ArrowRight size={18} aria-hidden />}
                </Link>
              ) : isTooLate ? (
                <p className="hint max-w-[26ch]">
                  Too late. It had to start by {hourAndMinute(evening.test.lastStartAt)}.
                </p>
              ) : (
                <BeginTest
                  evening={evening}
                  isNext={part === next}
                  useBeginTest={props.useBeginTest}
                />
              )}
            </div>
          </li>
        ))}
      </ol>
      <Close id={evening.id} />
    </>
  )
}

const COUNTS = ['None', 'One', 'Two', 'Three', 'Four'] as const
const ACTIONS = { case: 'Open the case', aloud: 'Answer aloud', drill: 'Open the drill' } as const

function isDone({ test, case: solved, aloud, drill }: Evening, part: Part): boolean {
  if (part === 'aloud') return aloud.every(({ result }) => result !== null)
  return { test, case: solved, drill }[part].result !== null
}

function figureOf({ test, case: solved, aloud, drill }: Evening, part: Part): string {
  switch (part) {
    case 'test':
      return `${test.result?.right} of ${test.result?.total}`
    case 'case':
      return `${solved.result?.right} of ${solved.result?.total}`
    case 'aloud':
      return `${aloud.length} answers`
    case 'drill':
      return `${drill.result?.right} right, ${drill.result?.wrong} wrong`
  }
}

/** Shows which of the three prompts are answered. Prompts are hidden until their turn. */
function Prompts({ evening: { aloud } }: { evening: Evening }) {
  const answered = aloud.filter(({ result }) => result !== null)
  if (answered.length === 0 || answered.length === aloud.length) return null
  return (
    <p className="hint mt-2">
      {answered.length} of {aloud.length} answered
    </p>
  )
}

/** Explains the test's rules before it starts (product 3.15.3). */
function TestRules({ evening }: { evening: Evening }) {
  if (evening.test.runsUntil) return null
  return (
    <ul className="running mt-4 max-w-[46em] list-disc space-y-1.5 pl-5 text-[15px]">
      <li>The server keeps the time. The clock starts with the button and doesn't stop.</li>
      <li>
        Leaving the page, copying, pasting, right-clicking and browser shortcuts are violations. The
        third one ends the test.
      </li>
      <li>Answers are saved as you go. You can change them until you submit.</li>
    </ul>
  )
}

function BeginTest(props: { evening: Evening; isNext: boolean; useBeginTest: UseBeginTest }) {
  const { evening, isNext } = props
  const { runsUntil } = evening.test
  const begin = props.useBeginTest()
  const [problem, setProblem] = useState('')
  const [working, start] = useSingleFlight<'opening'>()
  async function onBegin(): Promise<void> {
    setProblem('')
    try {
      await begin(evening.id)
    } catch (error) {
      setProblem(
        error instanceof ApiFailure ? error.message : 'The test could not be opened. Try again.',
      )
      // It's too late by now or was submitted in another tab. The reloaded session shows which.
      void queryClient.invalidateQueries({ queryKey: superdayQuery(evening.id).queryKey })
    }
  }
  return (
    <>
      <button
        type="button"
        className={isNext ? 'btn' : 'btn btn-flat text-accent max-nav:-ml-3 nav:-mr-3'}
        aria-disabled={working !== null}
        onClick={() => void start('opening', onBegin)}
      >
        {working ? 'Opening…' : runsUntil ? 'Continue the test' : 'Start the test'}
        {isNext && <ArrowRight size={18} aria-hidden />}
      </button>
      {runsUntil && <p className="hint mt-1.5">time ends at {hourAndMinute(runsUntil)}</p>}
      <p role="alert" className="mt-1.5 max-w-[30ch] text-wrong empty:hidden">
        {problem}
      </p>
    </>
  )
}

/** Parts done offline count once they are sent. */
function Unsent() {
  const { id: userId } = useUser()
  const waiting = useSyncExternalStore(outbox.subscribe, () => outbox.listWaiting(userId).length)
  return (
    <p role="status" className="hint mt-2 min-h-[1.5em]">
      {waiting > 0 && `${waiting} not sent yet. They will count once you are back online.`}
    </p>
  )
}

/** Ending needs a confirmation, because a session can't be reopened. */
function Close({ id }: { id: string }) {
  const [isAsked, setAsked] = useState(false)
  const end = useMutation({
    mutationFn: () => call(endSuperday, { params: { id } }),
    onSuccess: (evening) => {
      queryClient.setQueryData(superdayQuery(id).queryKey, evening)
      void queryClient.invalidateQueries({ queryKey: superdaysQuery.queryKey, exact: true })
    },
  })
  return (
    <div className="mt-8">
      {isAsked ? (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <p>Leave now? Unfinished parts will be marked as not done.</p>
          <button
            type="button"
            className="btn btn-ghost"
            aria-disabled={end.isPending}
            onClick={() => !end.isPending && end.mutate()}
          >
            End and open report
          </button>
          <button type="button" className="btn btn-flat" onClick={() => setAsked(false)}>
            Keep it open
          </button>
        </div>
      ) : (
        <button type="button" className="btn btn-quiet -ml-2.5" onClick={() => setAsked(true)}>
          End mock superday now
        </button>
      )}
      <p role="alert" className="mt-2 text-wrong empty:hidden">
        {end.isError && end.error.message}
      </p>
    </div>
  )
}
