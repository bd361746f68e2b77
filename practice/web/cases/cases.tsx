import { useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import { caseUrl, URLS } from '../../../platform/urls.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { Message, TryAgain } from '../../../platform/web/ui/message.tsx'
import { BackLink, useTitle } from '../../../platform/web/ui/page.tsx'
import { LoadingNote, Skeleton } from '../../../platform/web/ui/skeleton.tsx'
import type { CaseListed } from '../../contract/cases.ts'
import { casesQuery } from '../queries.ts'
import { caseSittings } from './case-sitting.ts'

/** /cases (product 3.12.7): the cases in their order, each with what the person has made of it. */
export function Cases() {
  const cases = useQuery(casesQuery)
  useTitle('Cases', 'Cases: one exhibit and five questions that build on each other.')
  return (
    <main className="wrap pt-6 pb-20 sm:pt-8">
      <BackLink to={URLS.dashboard}>Dashboard</BackLink>
      <h1 className="mt-4 text-[clamp(32px,3.8vw,48px)]">Cases</h1>
      <p className="running mt-3 max-w-[38em] text-ink-2">
        One exhibit, five questions that build on each other. A figure that went wrong is put right
        before the next question needs it.
      </p>
      {cases.data ? (
        <List cases={cases.data} />
      ) : cases.isError ? (
        <Message
          title="The cases could not be loaded"
          isError
          actions={<TryAgain onClick={() => void cases.refetch()} isBusy={cases.isFetching} />}
        />
      ) : (
        <div className="mt-9 grid gap-4">
          <LoadingNote>Loading cases</LoadingNote>
          {[1, 2, 3].map((row) => (
            <Skeleton key={row} className="h-[104px] w-full" />
          ))}
        </div>
      )}
    </main>
  )
}

/** The case to go on with: the first behind one that was never finished, else the first never finished at all. */
export function nextCase(cases: readonly CaseListed[], after?: string): CaseListed | undefined {
  const from = cases.findIndex(({ slug }) => slug === after) + 1
  return [...cases.slice(from), ...cases.slice(0, from)].find(
    ({ slug, best }) => best === null && slug !== after,
  )
}

function List({ cases }: { cases: readonly CaseListed[] }) {
  const { id: userId } = useUser()
  const begun = new Map(
    cases.flatMap(({ slug }) => {
      const sitting = caseSittings.load(userId, slug)
      return sitting && (sitting.given.length > 0 || sitting.chosen)
        ? [[slug, sitting.given.length + 1] as const]
        : []
    }),
  )
  const lead = cases.find(({ slug }) => begun.has(slug)) ?? nextCase(cases)
  const rows = cases.map((one, index) => ({ one, place: index + 1, question: begun.get(one.slug) }))
  return (
    <>
      {lead && (
        <section aria-labelledby="next-case" className="mt-9">
          <Row {...(rows.find(({ one }) => one === lead) as RowProps)} isLead />
        </section>
      )}
      <ol className="mt-9 border-ink border-t">
        {rows.map((row) => row.one !== lead && <Row key={row.place} {...row} isLead={false} />)}
      </ol>
    </>
  )
}

interface RowProps {
  one: CaseListed
  /** in the list */
  place: number
  /** where it goes on; undefined for one that is not under way */
  question: number | undefined
}

/** A case; the one to go on with stands above the others, and alone tells its story on a phone. */
function Row({ one, place, question, isLead }: RowProps & { isLead: boolean }) {
  const { slug, title, category, difficulty, story, questions, best } = one
  const action = question ? 'Continue' : best ? 'Start over' : 'Start Case'
  const Frame = isLead ? 'div' : 'li'
  return (
    <Frame
      className={`grid grid-cols-[34px_minmax(0,1fr)] gap-x-2 py-5 nav:grid-cols-[48px_minmax(0,1fr)_auto] nav:gap-x-4 ${isLead ? 'border-ink border-t-2' : 'border-line border-b'}`}
    >
      <span aria-hidden className="serif text-[20px] text-ink-2">
        {place}
      </span>
      <div className="min-w-0">
        <h2 id={isLead ? 'next-case' : undefined} className="text-[23px]">
          {title}
        </h2>
        <p className="hint mt-1">
          {category}, {difficulty}
        </p>
        <p
          className={`running mt-2 max-w-[44em] text-[15px] text-ink-2 ${isLead ? '' : 'max-nav:hidden'}`}
        >
          {story}
        </p>
      </div>
      <div className="col-start-2 mt-3 flex flex-wrap items-center gap-x-4 gap-y-1 nav:col-start-3 nav:mt-0 nav:grid nav:justify-items-end nav:self-center">
        <p className="hint order-2 nav:order-none">
          {question && question <= questions
            ? `in progress, question ${question}`
            : best
              ? `best so far ${best.score} of ${best.total}`
              : `${questions} questions`}
        </p>
        <Link
          to={caseUrl(slug)}
          aria-label={`${action}: ${title}`}
          className={isLead ? 'btn' : 'btn btn-flat -ml-3 text-accent nav:ml-0'}
        >
          {action}
          {isLead && <ArrowRight size={18} aria-hidden />}
        </Link>
      </div>
    </Frame>
  )
}
