import './aloud.css'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'react-router'
import { daysBetween } from '../../../platform/local-day.ts'
import { aloudUrl, URLS } from '../../../platform/urls.ts'
import { NotLoaded } from '../../../platform/web/ui/not-loaded.tsx'
import { BackLink, useTitle } from '../../../platform/web/ui/page.tsx'
import { useToday } from '../../../platform/web/use-today.ts'
import { duePrompts, planSession, whenAgain, whenDue } from '../../aloud/session.ts'
import {
  KIND_NAMES,
  PROMPT_KINDS,
  RATING_NAMES,
  SPEAKING_SECONDS,
} from '../../aloud/spoken-prompt.ts'
import type { ListedPrompt } from '../../contract/aloud.ts'
import { Loaded, OnLink } from '../kit.tsx'
import { spokenPromptsQuery } from '../queries.ts'
import { Ticks } from '../sitting/ticks.tsx'

/** /aloud (product 3.13.1): the next prompts, the due ones, and all by kind. */
export function PromptList() {
  const prompts = useQuery(spokenPromptsQuery)
  const today = useToday()
  useTitle('Answer aloud', 'Answer interview questions aloud, in ninety seconds each.')
  return (
    <main className="wrap pt-6 pb-20 sm:pt-8">
      <BackLink to={URLS.dashboard}>Dashboard</BackLink>
      <h1 className="mt-4 text-[clamp(34px,4vw,52px)]">Answer aloud</h1>
      <p className="running mt-3 max-w-[38em] text-ink-2">
        Practice saying your answers. You get {SPEAKING_SECONDS} seconds a question, then a model
        answer and six points to check. Recordings stay in this browser.
      </p>
      <Loaded
        query={prompts}
        note="Loading the questions"
        shapes={['mt-9 h-[3px]', 'mt-8 h-9 w-64', 'mt-4 h-4 w-80 max-w-full', 'mt-16 h-[360px]']}
        failed={
          <div className="mt-10">
            <NotLoaded title="Failed to load the questions" query={prompts} />
          </div>
        }
      >
        {(all) => <Prompts prompts={all} today={today} />}
      </Loaded>
    </main>
  )
}

function Prompts({ prompts, today }: { prompts: ListedPrompt[]; today: string }) {
  const due = duePrompts(prompts, today)
  return (
    <>
      <Lead prompts={prompts} dueCount={due.length} today={today} />
      {due.length > 0 && <Rows title="Due today" prompts={due} today={today} />}
      {PROMPT_KINDS.map((kind) => {
        const rest = prompts.filter((prompt) => prompt.kind === kind && !due.includes(prompt))
        return (
          rest.length > 0 && (
            <Rows key={kind} title={KIND_NAMES[kind]} prompts={rest} today={today} isLong />
          )
        )
      })}
    </>
  )
}

function Lead(props: { prompts: ListedPrompt[]; dueCount: number; today: string }) {
  const { prompts, dueCount } = props
  const planned = planSession(prompts, props.today)
  const first = prompts.find(({ slug }) => slug === planned[0])
  const soonest = prompts.flatMap(({ next }) => next ?? []).sort()[0]
  return (
    <section aria-labelledby="now" className="mt-9">
      <Ticks ticks={planned.length > 0 ? planned.map(() => 'open' as const) : ['done']} />
      <div className="lead">
        <div className="min-w-0">
          <h2 id="now">
            {dueCount > 0
              ? `${dueCount} due today`
              : planned.length > 0
                ? `${planned.length} new ${planned.length === 1 ? 'question' : 'questions'}`
                : 'Nothing is due'}
          </h2>
          <p className="lead-stem">
            {first
              ? `Starts with: ${first.prompt}`
              : soonest &&
                `The next one comes back ${whenAgain(daysBetween(props.today, soonest))}.`}
          </p>
        </div>
        {first && (
          <OnLink to={aloudUrl(first.slug)} state={{ prompts: planned }}>
            Start
          </OnLink>
        )}
      </div>
    </section>
  )
}

const SHOWN = 6

function Rows(props: { title: string; prompts: ListedPrompt[]; today: string; isLong?: boolean }) {
  const [showsAll, setShowsAll] = useState(!props.isLong || props.prompts.length <= SHOWN + 2)
  const answeredFirst = [...props.prompts].sort((a, b) => Number(!a.last) - Number(!b.last))
  const shown = showsAll ? answeredFirst : answeredFirst.slice(0, SHOWN)
  const list = useRef<HTMLUListElement>(null)
  // The button disappears, so the focus moves to the first prompt that it shows.
  const showAll = () => {
    flushSync(() => setShowsAll(true))
    list.current?.querySelectorAll('a')[SHOWN]?.focus()
  }
  const id = `aloud-${props.title.replaceAll(' ', '-').toLowerCase()}`
  return (
    <section aria-labelledby={id} className="mt-12">
      <div className="section-head">
        <h2 id={id}>{props.title}</h2>
        <p className="hint">{props.prompts.length}</p>
      </div>
      <ul ref={list}>
        {shown.map(({ slug, prompt, last, next }) => (
          <li key={slug}>
            <Link to={aloudUrl(slug)} className="aloud-row">
              <span className="serif text-[20px]">{prompt}</span>
              {last && next && (
                <span className="hint">
                  {RATING_NAMES[last.rating]}, {last.pointsSaid} of 6 ·{' '}
                  {whenDue(daysBetween(props.today, next))}
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
      {!showsAll && (
        <button type="button" className="btn btn-flat -ml-3 mt-2" onClick={showAll}>
          All {props.prompts.length}
          <span className="sr-only"> of {props.title}</span>
        </button>
      )}
    </section>
  )
}
