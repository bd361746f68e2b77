import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { URLS } from '../../../platform/urls.ts'
import { fetchScreenAhead } from '../../../platform/web/screens.ts'
import { BackLink, useTitle } from '../../../platform/web/ui/page.tsx'
import { HubRow } from '../../../platform/web/ui/section.tsx'
import { whenIdle } from '../../../platform/web/when-idle.ts'
import { countOf } from '../../../platform/words.ts'
import { DIFFICULTIES } from '../../categories.ts'
import { ROLE_NAMES, ROLES, type Role } from '../../schedule/plan-choices.ts'
import { topicWeights } from '../../schedule/tracks.ts'
import { Choices, OnLink, toggled } from '../kit.tsx'
import { UnfinishedBuilt } from '../personal-hub-unfinished.tsx'
import { topicHeading } from '../topics.ts'
import {
  ANYTHING,
  builtTestUrl,
  type Choice,
  fittingQuery,
  LENGTHS,
  SECONDS_A_QUESTION,
} from './built-test.ts'
import { TopicChoice } from './topic-choice.tsx'

const CLOCKS = [
  ['off', 'Off'],
  ['pace', 'Show my pace'],
  ['timed', 'Timed'],
] as const

/** /build (product 3.14.5): topics, levels, length and clock of a custom test. */
export function BuildTest() {
  useTitle('Build a test', 'A test of the topics, levels and length that you choose.')
  const [choice, setChoice] = useState<Choice>(ANYTHING)
  const { data: found } = useQuery(fittingQuery(choice))
  useEffect(() => whenIdle(() => fetchScreenAhead(URLS.builtTest)), [])
  const count = found === undefined ? choice.size : Math.min(choice.size, found)

  return (
    <main className="wrap wrap-narrow pt-6">
      <BackLink to={URLS.dashboard}>Dashboard</BackLink>
      <h1 className="mt-3">Build a test</h1>
      <p className="running mt-3 max-w-[60ch] text-ink-2">
        New questions first, then the ones you're most likely to have forgotten.
      </p>
      <UnfinishedBuilt />
      <div className="mt-6 border-ink border-t">
        <HubRow name="Topics by role" hint="Topics asked in interviews. Edit them below.">
          <Choices
            legend="Topics by role"
            options={ROLES.map((role) => [role, ROLE_NAMES[role]])}
            chosen={roleOf(choice)}
            onChoose={(role) => setChoice({ ...choice, topics: topicsOfRole(role) })}
          />
        </HubRow>
      </div>
      <TopicChoice chosen={choice.topics} onChange={(topics) => setChoice({ ...choice, topics })} />
      <section aria-label="Your choice" className="mt-9 border-ink border-t">
        <HubRow name="Levels" hint="All, unless you choose">
          <Choices
            legend="Levels"
            options={DIFFICULTIES.map((level) => [level, level])}
            chosen={choice.levels}
            onChoose={(level) => setChoice({ ...choice, levels: toggled(choice.levels, level) })}
          />
        </HubRow>
        <HubRow name="Questions" hint="Each question comes up once">
          <Choices
            legend="Questions"
            options={LENGTHS.map((size) => [size, String(size)])}
            chosen={choice.size}
            onChoose={(size) => setChoice({ ...choice, size })}
          />
        </HubRow>
        <HubRow name="Clock" hint="90 seconds a question. A timed test ends when time is up.">
          <Choices
            legend="Clock"
            options={CLOCKS}
            chosen={choice.clock}
            onChoose={(clock) => setChoice({ ...choice, clock })}
          />
        </HubRow>
      </section>
      <div className="page-bar sticky bottom-0 z-10 mt-9 grid gap-2 border-line border-t bg-paper py-3 sm:flex sm:items-center sm:gap-5">
        <Start choice={choice} count={count} />
        <p role="status" className="hint text-center">
          {aboutChoice(choice, found)}
        </p>
      </div>
    </main>
  )
}

const topicsOfRole = (role: Role) => [...topicWeights(role).keys()]

const roleOf = ({ topics }: Choice): Role | undefined =>
  ROLES.find((role) => {
    const own = topicsOfRole(role)
    return own.length === topics.length && own.every((topic) => topics.includes(topic))
  })

function Start({ choice, count }: { choice: Choice; count: number }) {
  const words = `Start ${countOf(count, 'question')}`
  if (count === 0) {
    return (
      <span className="btn btn-big" aria-disabled>
        {words}
      </span>
    )
  }
  return (
    <OnLink to={builtTestUrl(choice)} className="min-w-0">
      <span className="truncate">
        {words} · {topicsOf(choice)}
      </span>
    </OnLink>
  )
}

/** 'all topics', 'Quant trading', 'LBO, DCF', 'LBO, DCF and 3 more' */
function topicsOf(choice: Choice): string {
  const { topics } = choice
  const role = roleOf(choice)
  if (role) return ROLE_NAMES[role]
  const [first, second, ...more] = topics.map((topic) =>
    topicHeading(topic.split('/').at(-1) ?? ''),
  )
  if (!first) return 'all topics'
  const named = second ? `${first}, ${second}` : first
  return more.length > 0 ? `${named} and ${more.length} more` : named
}

/** Returns '64 questions match · about 5 minutes', or what to do if none match. */
function aboutChoice({ size, clock }: Choice, found: number | undefined): string {
  if (found === undefined) return '\u00a0'
  if (found === 0) return 'No questions match. Choose another level or topic.'
  const minutes = (Math.min(size, found) * (clock === 'off' ? 30 : SECONDS_A_QUESTION)) / 60
  return `${found.toLocaleString('en-US')} ${found === 1 ? 'question matches' : 'questions match'} · about ${Math.ceil(minutes)} min`
}
