import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { hubUrl, URLS } from '../../platform/urls.ts'
import { useUser } from '../../platform/web/session.tsx'
import { useTitle } from '../../platform/web/ui/page.tsx'
import { HubSection } from '../../platform/web/ui/section.tsx'
import { todayQuery } from './queries.ts'
import { useUnfinishedBuilt } from './quiz/unfinished.ts'

/** What there is besides today's questions, by what it is for (product 1.7.12). */
export const WAYS = {
  'Tests and questions': [
    [URLS.build, 'Build a test', 'Choose topics, levels and clock'],
    [URLS.drills, 'Drills', 'Timed mental math'],
    [URLS.cases, 'Cases', 'Five questions on one exhibit'],
  ],
  Interview: [
    [URLS.aloud, 'Answer aloud', 'Speak, then check yourself'],
    [URLS.superday, 'Mock superday', 'A full practice round with a report'],
    [URLS.plan, 'Your plan', 'By the date of your interview'],
    [URLS.formulaSheet, 'Formula sheet', 'For the night before'],
  ],
} as const

/** What a way holds in place of its description; a built test that was left is named. */
export function useAboutWay(): (way: readonly [to: string, name: string, about: string]) => string {
  const [begun] = useUnfinishedBuilt(useUser().id)
  return ([to, , about]) =>
    to === URLS.build && begun ? `In progress, question ${begun.question}` : about
}

/** /practice: every way to practice, today's first; the second place of the bar on phones. */
export function Practice() {
  useTitle('Practice', 'Every way to practice, in one list.')
  const { data: today } = useQuery(todayQuery())
  const aboutWay = useAboutWay()
  const due = today?.due.count ?? 0
  return (
    <main className="wrap pt-4 nav:pt-8">
      <h1>Practice</h1>
      <Section title="Today">
        <Row
          to={URLS.due}
          name={today && due === 0 ? '10 new questions' : 'Reviews due'}
          about={due > 0 ? `${due} due today` : 'About 5 minutes'}
        />
        <Row to={hubUrl('mistakes')} name="Mistakes" about="The ones you keep making" />
      </Section>
      {Object.entries(WAYS).map(([title, ways]) => (
        <Section key={title} title={title}>
          {title === 'Tests and questions' && (
            <Row
              to={`${URLS.dashboard}#categories`}
              name="Tests"
              about="Five categories, three levels"
            />
          )}
          {ways.map((way) => (
            <Row key={way[0]} to={way[0]} name={way[1]} about={aboutWay(way)} />
          ))}
        </Section>
      ))}
    </main>
  )
}

function Section(props: { title: string; children: ReactNode }) {
  return (
    <HubSection title={props.title}>
      <ul>{props.children}</ul>
    </HubSection>
  )
}

function Row({ to, name, about }: { to: string; name: string; about: string }) {
  return (
    <li className="border-line border-b">
      <Link to={to} className="group flex min-h-14 items-center justify-between gap-4 py-2.5">
        <span>
          <span className="block font-medium group-hover:underline group-hover:underline-offset-4">
            {name}
          </span>
          <span className="hint block">{about}</span>
        </span>
        <ChevronRight size={17} aria-hidden className="flex-none text-ink-2" />
      </Link>
    </li>
  )
}
