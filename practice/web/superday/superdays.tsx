import './superday.css'
import { useMutation, useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { Link, useNavigate } from 'react-router'
import { superdayReportUrl, superdayUrl, URLS } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { deviceTimeZone, shortDateTime } from '../../../platform/web/dates.ts'
import { queryClient } from '../../../platform/web/query-client.ts'
import { BackLink, useTitle } from '../../../platform/web/ui/page.tsx'
import { HubSection } from '../../../platform/web/ui/section.tsx'
import { Skeleton } from '../../../platform/web/ui/skeleton.tsx'
import { PART_MINUTES, PARTS, startSuperday } from '../../contract/superday.ts'
import { OnLink, RetryLine } from '../kit.tsx'
import { Ticks } from '../sitting/ticks.tsx'
import { EVENING_MINUTES, PART_WORDS, superdayQuery, superdaysQuery } from './evenings.ts'

/** /superday (product 3.15.1): what a mock superday is, what it needs, and past ones. */
export function Superdays() {
  useTitle('Mock superday', 'A test, a case, three answers aloud and a drill, in one session.')
  const evenings = useQuery(superdaysQuery)
  const open = evenings.data?.find(({ isOpen }) => isOpen)
  const past = evenings.data?.filter(({ isOpen }) => !isOpen) ?? []
  return (
    <main className="wrap pt-6 pb-20 sm:pt-8">
      <BackLink to={URLS.dashboard}>Dashboard</BackLink>
      <h1 className="mt-4 text-[clamp(34px,4vw,52px)]">Mock superday</h1>
      <p className="running mt-3 max-w-[38em] text-ink-2">
        A test, a case, three answers aloud and a drill, one after the other. It ends with a
        one-page report: your strengths, your weaknesses, and what to do before your interview.
      </p>
      <section aria-labelledby="now" className="mt-9">
        <Ticks ticks={PARTS.map(() => 'open' as const)} />
        <div className="lead">
          <div className="min-w-0">
            <h2 id="now">
              {open ? 'A mock superday is in progress' : 'Four parts, about an hour'}
            </h2>
            <p className="lead-stem">
              {open
                ? `Started ${shortDateTime(open.startedAt)}.`
                : `${EVENING_MINUTES} minutes of work, 75 with breaks.`}
            </p>
          </div>
          {open ? (
            <OnLink to={superdayUrl(open.id)}>Continue</OnLink>
          ) : (
            <Begin isKnown={evenings.data !== undefined} />
          )}
        </div>
      </section>
      <HubSection title="The four parts">
        <ol>
          {PARTS.map((part, index) => (
            <li key={part} className="superday-row">
              <span aria-hidden className="serif text-[20px] text-ink-2">
                {index + 1}
              </span>
              <div className="min-w-0">
                <h3 className="text-[21px]">{PART_WORDS[part].name}</h3>
                <p className="running mt-1 max-w-[46em] text-ink-2">{PART_WORDS[part].about}</p>
              </div>
              <p className="hint superday-act">{PART_MINUTES[part]} min</p>
            </li>
          ))}
        </ol>
      </HubSection>
      <HubSection title="What you need">
        <ul className="running mt-4 max-w-[44em] list-disc space-y-2 pl-5">
          <li>A quiet room and an undisturbed hour.</li>
          <li>A computer, not a phone. During the test, leaving the page is a violation.</li>
          <li>
            A microphone, if you want to hear yourself. The clock runs even without one, and
            recordings stay in this browser.
          </li>
          <li>Paper and pen. No calculator.</li>
        </ul>
        <p className="running mt-4 max-w-[44em] text-ink-2">
          You have four hours and can leave a part and return to it. After that, the mock superday
          ends, and the report says what's missing. It doesn't predict an offer.
        </p>
      </HubSection>
      <HubSection title="Past mock superdays" note={past.length > 0 ? past.length : undefined}>
        {evenings.isPending && <Skeleton className="mt-4 h-12" />}
        {evenings.isError && (
          <RetryLine className="mt-4" onRetry={() => void evenings.refetch()}>
            Past mock superdays could not be loaded.
          </RetryLine>
        )}
        {evenings.data && past.length === 0 && <p className="mt-4 text-ink-2">None yet.</p>}
        <ul>
          {past.map(({ id, startedAt, right, total }) => (
            <li key={id} className="border-line border-b">
              <Link
                to={superdayReportUrl(id)}
                className="flex min-h-[52px] flex-wrap items-baseline gap-x-4 py-3.5 hover:underline hover:underline-offset-4"
              >
                <span className="font-medium">{shortDateTime(startedAt)}</span>
                <span className="hint">
                  {right === null ? 'no test handed in' : `test ${right} of ${total}`}
                </span>
                <span className="ml-auto text-accent">Report</span>
              </Link>
            </li>
          ))}
        </ul>
      </HubSection>
    </main>
  )
}

function Begin({ isKnown }: { isKnown: boolean }) {
  const navigate = useNavigate()
  const begin = useMutation({
    mutationFn: (id: string) =>
      call(startSuperday, {
        params: { id },
        body: { startedAt: new Date().toISOString(), timeZone: deviceTimeZone() },
      }),
    onSuccess: (evening) => {
      queryClient.setQueryData(superdayQuery(evening.id).queryKey, evening)
      void navigate(superdayUrl(evening.id))
    },
    onError: () => void queryClient.invalidateQueries({ queryKey: superdaysQuery.queryKey }),
  })
  const isBusy = begin.isPending || !isKnown
  return (
    <div>
      <button
        type="button"
        className="btn btn-big max-nav:w-full"
        aria-disabled={isBusy}
        onClick={() => !isBusy && begin.mutate(crypto.randomUUID())}
      >
        Start mock superday
        <ArrowRight size={18} aria-hidden />
      </button>
      <p role="alert" className="hint mt-2 max-w-[30ch] empty:hidden">
        {begin.isError && begin.error.message}
      </p>
    </div>
  )
}
