import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { hubUrl, URLS } from '../../platform/urls.ts'
import { useTitle } from '../../platform/web/ui/page.tsx'
import { HubSection, LinkRow } from '../../platform/web/ui/section.tsx'
import { useToday } from '../../platform/web/use-today.ts'
import { leadOf, type TodaysPlan } from './dashboard/lead-content.ts'
import { WAYS } from './dashboard/other-ways.tsx'
import { nextInWords, standOf, wordsOf } from './plan/todays-parts.tsx'
import { todayQuery } from './queries.ts'

/** /practice: all ways to practice, today's first. Phones have it second in the bar. */
export function Practice() {
  useTitle('Practice', 'Every way to practice, in one list.')
  const { data: today } = useQuery(todayQuery())
  const due = today?.due.count ?? 0
  const lead = leadOf([], today, undefined, useToday())
  return (
    <main className="wrap pt-4 nav:pt-8">
      <h1>Practice</h1>
      <Section title="Today">
        {lead.kind === 'plan' ? (
          <NextOfPlan todays={lead.todays} />
        ) : (
          <LinkRow
            to={URLS.due}
            name={today && due === 0 ? '10 new questions' : 'Reviews due'}
            about={due > 0 ? `${due} due today` : 'About 5 minutes'}
          />
        )}
        <LinkRow to={hubUrl('mistakes')} name="Mistakes" about="The ones you keep making" />
      </Section>
      {Object.entries(WAYS).map(([title, ways]) => (
        <Section key={title} title={title}>
          {title === 'Tests and questions' && (
            <LinkRow
              to={`${URLS.dashboard}#categories`}
              name="Tests"
              about="Five categories, three levels"
            />
          )}
          {ways.map(([to, name, about]) => (
            <LinkRow key={to} to={to} name={name} about={about} />
          ))}
        </Section>
      ))}
    </main>
  )
}

function NextOfPlan({ todays }: { todays: TodaysPlan }) {
  const stand = standOf(todays, useToday())
  return (
    <LinkRow
      to={stand.next ? wordsOf(stand.next).to : URLS.due}
      name={nextInWords(stand)}
      about={`${stand.answered} of ${stand.of} done`}
      onClick={stand.next?.open}
    />
  )
}

function Section(props: { title: string; children: ReactNode }) {
  return (
    <HubSection title={props.title}>
      <ul>{props.children}</ul>
    </HubSection>
  )
}
