import { useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { URLS } from '../../../platform/urls.ts'
import { fetchScreenAhead } from '../../../platform/web/screens.ts'
import { BackLink, useTitle } from '../../../platform/web/ui/page.tsx'
import { whenIdle } from '../../../platform/web/when-idle.ts'
import { DIFFICULTIES, type Difficulty } from '../../difficulties.ts'
import { Choices, PILL, Row } from '../choices.tsx'
import { ANYTHING, builtTestUrl, type Choice, LENGTHS } from './built-test.ts'
import { fittingQuery } from './queries.ts'
import { TopicChoice } from './topic-choice.tsx'
import { UnfinishedBuilt } from './unfinished-built.tsx'

const CLOCKS = [
  ['off', 'Off'],
  ['pace', 'Show my pace'],
  ['timed', 'Timed'],
] as const

/** /build (product 3.14.5): topics, levels, length and clock of a test of one's own. */
export function BuildTest() {
  useTitle('Build a test', 'A test of the topics, levels and length that you choose.')
  const [choice, setChoice] = useState<Choice>(ANYTHING)
  const { data: found } = useQuery(fittingQuery(choice))
  useEffect(() => whenIdle(() => fetchScreenAhead(URLS.builtTest)), [])
  const count = found === undefined ? choice.size : Math.min(choice.size, found)

  function toggleLevel(level: Difficulty) {
    const levels = choice.levels.includes(level)
      ? choice.levels.filter((one) => one !== level)
      : [...choice.levels, level]
    setChoice({ ...choice, levels })
  }

  return (
    <main className="wrap wrap-narrow pt-6 pb-16">
      <BackLink to={URLS.dashboard}>Dashboard</BackLink>
      <h1 className="mt-3">Build a test</h1>
      <p className="running mt-3 max-w-[60ch] text-ink-2">
        What you have never answered comes first, then what you are likeliest to have forgotten.
      </p>
      <UnfinishedBuilt />
      <section aria-label="Your choice" className="mt-8 border-ink border-t">
        <Row name="Levels" hint="None chosen: all of them.">
          <fieldset className="flex flex-wrap gap-1.5">
            <legend className="sr-only">Levels</legend>
            {DIFFICULTIES.map((level) => (
              <label key={level} className={PILL}>
                <input
                  type="checkbox"
                  checked={choice.levels.includes(level)}
                  onChange={() => toggleLevel(level)}
                  className="absolute inset-0 cursor-pointer opacity-0"
                />
                {level}
              </label>
            ))}
          </fieldset>
        </Row>
        <Row name="Questions" hint="Each question is asked once.">
          <Choices
            legend="Questions"
            options={LENGTHS.map((size) => [size, String(size)])}
            chosen={choice.size}
            onChoose={(size) => setChoice({ ...choice, size })}
          />
        </Row>
        <Row
          name="Clock"
          hint="A minute and a half a question. Timed, the test is handed in when the time is up."
        >
          <Choices
            legend="Clock"
            options={CLOCKS}
            chosen={choice.clock}
            onChoose={(clock) => setChoice({ ...choice, clock })}
          />
        </Row>
        <div className="mt-6 flex flex-wrap items-center gap-x-5 gap-y-3">
          <Start choice={choice} count={count} />
          <p role="status" className="hint">
            {aboutChoice(choice, found)}
          </p>
        </div>
      </section>
      <TopicChoice chosen={choice.topics} onChange={(topics) => setChoice({ ...choice, topics })} />
      {choice.topics.length > 0 && (
        <div className="mt-6 flex flex-wrap items-center gap-x-5 gap-y-3">
          <Start choice={choice} count={count} isPlain />
          <p className="hint">{aboutChoice(choice, found)}</p>
        </div>
      )}
    </main>
  )
}

/** @param isPlain where another one stands above: one filled button in a view */
function Start(props: { choice: Choice; count: number; isPlain?: boolean }) {
  const { choice, count } = props
  const look = props.isPlain ? 'btn btn-ghost' : 'btn btn-big'
  if (count === 0) {
    return (
      <span className={look} aria-disabled>
        No questions fit
      </span>
    )
  }
  return (
    <Link to={builtTestUrl(choice)} className={look}>
      Start {count} {count === 1 ? 'question' : 'questions'}
      <ArrowRight size={18} aria-hidden />
    </Link>
  )
}

/** 'Of 64 questions on 2 topics'; says so where there are fewer than were asked for. */
function aboutChoice({ topics, size }: Choice, found: number | undefined): string {
  if (found === undefined) return '\u00a0'
  const on =
    topics.length === 0
      ? 'all topics'
      : `${topics.length} ${topics.length === 1 ? 'topic' : 'topics'}`
  if (found < size) return `There are only ${found} on ${on} at these levels`
  return `Out of ${found.toLocaleString('en-US')} on ${on}`
}
