import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from 'react-router'
import { quizUrl, URLS } from '../../../platform/urls.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { useTitle } from '../../../platform/web/ui/page.tsx'
import { Redirect } from '../../../platform/web/ui/skeleton.tsx'
import { inWords, numberWord } from '../../../platform/words.ts'
import { Cell, StreakCell } from '../dashboard/streak-strip.tsx'
import { OnLink, Section } from '../kit.tsx'
import { todayQuery } from '../queries.ts'
import { againIn, type Done, doneSchema, NOT_AGAIN } from './due-sitting.ts'

/** /due/done (product 3.10.11): the sitting's result, when its questions come back, and the next steps. */
export function DueDone() {
  const user = useUser()
  const { state } = useLocation()
  const done = doneSchema.safeParse(state)
  useTitle(done.success ? headingOf(done.data).replace(/\.$/, '') : 'Done for today')
  if (!done.success || done.data.userId !== user.id) return <Redirect to={URLS.due} />
  return (
    <main className="wrap pt-[34px] pb-20 nav:pt-10">
      <Summary done={done.data} />
      <dl className="ledger">
        <Cell label="moved up">{done.data.climbed}</Cell>
        <Cell label="wrong or guessed">{done.data.missed}</Cell>
        <Cell label={done.data.cleared === 1 ? 'old mistake fixed' : 'old mistakes fixed'}>
          {done.data.cleared}
        </Cell>
        <StreakCell />
      </dl>
      <div className="mt-[34px] grid items-start gap-9 nav:mt-11 nav:grid-cols-2 nav:gap-16">
        {done.data.intervals.length > 0 && <WhereTheyStand intervals={done.data.intervals} />}
        {done.data.mistakes.length > 0 && <WentWrong mistakes={done.data.mistakes} />}
      </div>
    </main>
  )
}

function Summary({ done }: { done: Done }) {
  const { data: today } = useQuery(todayQuery())
  const tomorrow = today?.due.nextSevenDays[1]
  // The dashboard shows the rest of a planned day.
  const next = done.of === null ? today?.next : null
  return (
    <section
      aria-labelledby="done"
      className="grid items-end gap-x-14 pb-6 nav:grid-cols-[auto_1fr] nav:pb-8"
    >
      <p
        aria-hidden
        className="fig -ml-[0.03em] text-[128px] leading-[0.8] tracking-[-0.03em] [font-feature-settings:'lnum','pnum'] nav:text-(length:--fig-1)"
      >
        {done.answered}
      </p>
      <div>
        <p className="eyebrow max-nav:mt-5">
          {done.answered === 1 ? 'Question' : 'Questions'} answered
        </p>
        <h1 id="done" className="mt-1.5 text-[30px] nav:mt-2.5 nav:text-[42px]">
          {headingOf(done)}
          <span className="sr-only"> {done.answered} answered.</span>
        </h1>
        {/* This reserves its space, so nothing moves when the text appears. */}
        <p className="running mt-2.5 min-h-[1.55em] text-[17px] text-ink-2">
          {done.left > 0
            ? `${whatTheyWere(done)}${words(done.left)} more ${done.left === 1 ? 'is' : 'are'} ${done.of === null ? 'due' : 'left'} today.`
            : tomorrow !== undefined && comeBack(tomorrow)}
        </p>
        <div className="mt-6 grid gap-1 nav:flex nav:items-center nav:gap-3">
          {done.left > 0 ? (
            <OnLink to={URLS.due}>{done.left < 10 ? `Last ${done.left}` : 'Next ten'}</OnLink>
          ) : next ? (
            <OnLink to={quizUrl(next.category, next.difficulty, next.testNumber)}>
              Start Test {next.testNumber}
            </OnLink>
          ) : null}
          <Link
            to={URLS.dashboard}
            className={done.left > 0 || next ? 'btn btn-flat' : 'btn btn-big'}
          >
            Dashboard
          </Link>
        </div>
      </div>
    </section>
  )
}

/** Only the planned day's questions are done here. The dashboard shows its other parts. */
function headingOf({ of, left, answered }: Done): string {
  if (left > 0) return of === null ? `${words(answered)} done.` : `${of - left} of ${of} today.`
  return of === null ? 'Done for today.' : `All ${of} done.`
}

/** 'Seven were due, three were new. ' explains why ten done out of ten can leave three. */
function whatTheyWere({ answered, fresh }: Done): string {
  const due = answered - fresh
  if (fresh === 0 || due === 0) return ''
  return `${words(due)} ${due === 1 ? 'was' : 'were'} due, ${inWords(fresh)} ${fresh === 1 ? 'was' : 'were'} new. `
}

function comeBack(count: number): string {
  if (count === 0) return 'Nothing comes back tomorrow.'
  const minutes = Math.max(1, Math.round(count / 2))
  return `${words(count)} ${count === 1 ? 'comes' : 'come'} back tomorrow, about ${minutes === 1 ? 'a minute' : `${inWords(minutes)} minutes`}.`
}

const words = (count: number) => numberWord(count, 'zero')
function WentWrong({ mistakes }: { mistakes: Done['mistakes'] }) {
  return (
    <Section id="went-wrong" title="What went wrong">
      <ul>
        {mistakes.map(({ topic, sentence, days }, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
            key={index}
            className="grid grid-cols-[1fr_auto] gap-x-5 gap-y-0.5 border-line border-b pt-3 pb-3.5"
          >
            <span className="hint">{topic}</span>
            <span className="hint">
              {(days === null ? NOT_AGAIN : againIn(days)).toLowerCase()}
            </span>
            <span className="serif col-span-2 line-clamp-3 text-[18px] leading-[1.3]">
              {sentence}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const COLUMNS = [
  { label: '1 day', upTo: 1 },
  { label: '2–4 days', upTo: 4 },
  { label: '5–10 days', upTo: 10 },
  { label: '11–30 days', upTo: 30 },
  { label: 'longer', upTo: Number.POSITIVE_INFINITY },
]

function WhereTheyStand({ intervals }: { intervals: readonly number[] }) {
  const columns = COLUMNS.map(({ label, upTo }, index) => {
    const above = COLUMNS[index - 1]?.upTo ?? 0
    return { label, count: intervals.filter((days) => days > above && days <= upTo).length }
  })
  const most = Math.max(...columns.map(({ count }) => count))
  return (
    <Section id="stand" title="When they come back">
      <dl className="mt-2">
        {columns.map(({ label, count }) => (
          <div key={label} className="grid grid-cols-[84px_1fr_28px] items-center gap-x-4 py-2">
            <dt className="hint">{label}</dt>
            <dd aria-hidden className="track">
              <span style={{ width: `${(100 * count) / most}%` }} />
            </dd>
            <dd className="text-end font-semibold">{count}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
