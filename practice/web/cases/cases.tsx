import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { caseUrl, URLS } from '../../../platform/urls.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { NotLoaded } from '../../../platform/web/ui/not-loaded.tsx'
import { BackLink, useTitle } from '../../../platform/web/ui/page.tsx'
import { LinkRow } from '../../../platform/web/ui/section.tsx'
import { type CaseListed, isFindTheError } from '../../cases/case.ts'
import { CATEGORIES, type Category, SHORT_NAMES } from '../../categories.ts'
import { Choices, Loaded, OnLink } from '../kit.tsx'
import { casesQuery } from '../queries.ts'
import { caseSittings } from './case-sitting.ts'

/** /cases (product 3.12.7): the cases in order, each with the person's progress. */
export function Cases() {
  const cases = useQuery(casesQuery)
  useTitle('Cases', 'Cases: one exhibit and five questions that build on each other.')
  return (
    <main className="wrap pt-4 sm:pt-8">
      <BackLink to={URLS.dashboard}>Dashboard</BackLink>
      <h1 className="mt-2 sm:mt-4 text-[clamp(32px,3.8vw,48px)]">Cases</h1>
      <p className="running mt-3 max-w-[38em] text-ink-2">
        One exhibit, five questions that build on each other. If you get a figure wrong, you get the
        right one before the next question.
      </p>
      <Loaded
        query={cases}
        note="Loading cases"
        shapes={['mt-9 h-[104px]', 'mt-4 h-[104px]', 'mt-4 h-[104px]']}
        failed={<NotLoaded title="The cases could not be loaded" query={cases} />}
      >
        {(all) => <List cases={all} />}
      </Loaded>
    </main>
  )
}

/** Returns the next case that was never finished, starting after `after`, or else the first one never finished. */
export function nextCase(cases: readonly CaseListed[], after?: string): CaseListed | undefined {
  const from = cases.findIndex(({ slug }) => slug === after) + 1
  return [...cases.slice(from), ...cases.slice(0, from)].find(
    ({ slug, best }) => best === null && slug !== after,
  )
}

const ALL = 'All'
const FIND_THE_ERROR = 'Find the error'
const isSample = ({ questions }: CaseListed) => isFindTheError(questions)

function List({ cases }: { cases: readonly CaseListed[] }) {
  const { id: userId } = useUser()
  const [shown, setShown] = useState<Category | typeof ALL | typeof FIND_THE_ERROR>(ALL)
  const begun = new Map(
    caseSittings
      .list(userId)
      .filter(({ value }) => value.given.length > 0 || value.chosen)
      .map(({ name, value }) => [name, value.given.length + 1] as const),
  )
  const lead = cases.find(({ slug }) => begun.has(slug)) ?? nextCase(cases)
  const samples = cases.filter(isSample)
  const whole = cases.filter((one) => !isSample(one))
  const counts = CATEGORIES.map(
    (category) => [category, whole.filter((one) => one.category === category).length] as const,
  ).filter(([, count]) => count > 0)
  const listed =
    shown === FIND_THE_ERROR
      ? samples
      : whole.filter(({ category }) => shown === ALL || category === shown)
  return (
    <>
      {lead && <LeadCase one={lead} question={begun.get(lead.slug)} />}
      <div className="mt-6">
        <Choices
          legend="Category"
          options={[
            [ALL, `${ALL} ${whole.length}`],
            ...counts.map(([name, count]) => [name, `${SHORT_NAMES[name]} ${count}`] as const),
            ...(samples.length > 0
              ? [[FIND_THE_ERROR, `${FIND_THE_ERROR} ${samples.length}`] as const]
              : []),
          ]}
          chosen={shown}
          onChoose={setShown}
        />
      </div>
      <ol className="mt-4 border-ink border-t">
        {listed.map((one) => {
          const { slug, title, best } = one
          const question = begun.get(slug)
          const aside = question && question <= one.questions && `Continue, question ${question}`
          return (
            <LinkRow
              key={slug}
              to={caseUrl(slug)}
              name={title}
              about={aboutCase(one)}
              aside={aside || (best && `${best.score} of ${best.total}`)}
            />
          )
        })}
      </ol>
    </>
  )
}

const aboutCase = (one: CaseListed) =>
  `${SHORT_NAMES[one.category]} · ${one.difficulty} · ${isSample(one) ? '4 minutes' : `${one.questions} questions`}`

function LeadCase({ one, question }: { one: CaseListed; question: number | undefined }) {
  const action = question ? 'Continue' : one.best ? 'Try again' : 'Start Case'
  return (
    <section aria-labelledby="next-case" className="mt-6 border-ink border-t pt-4">
      <p className="eyebrow">{question ? 'In progress' : 'Next'}</p>
      <h2 id="next-case" className="mt-1.5 text-[25px]">
        {one.title}
      </h2>
      <p className="running mt-1.5 max-w-[44em] text-[15px] text-ink-2">{one.story}</p>
      <p className="hint mt-1.5">{aboutCase(one)}</p>
      <OnLink
        to={caseUrl(one.slug)}
        aria-label={`${action}: ${one.title}`}
        className="mt-4 max-sm:w-full"
      >
        {action}
      </OnLink>
    </section>
  )
}
