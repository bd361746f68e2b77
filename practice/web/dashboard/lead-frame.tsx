import { type ReactNode, useEffect } from 'react'
import { Link } from 'react-router'
import { errorPracticeUrl, quizUrl, URLS } from '../../../platform/urls.ts'
import { whenIdle } from '../../../platform/web/when-idle.ts'
import { shortCellName } from '../../categories.ts'
import { OnLink } from '../kit.tsx'
import type { UnfinishedTest } from '../quiz/unfinished.ts'
import type { TestAddress } from './lead-content.ts'

const OTHERS_SHOWN = 2

export function Frame(props: {
  ticks: ReactNode
  eyebrow: ReactNode
  heading: ReactNode
  stem: ReactNode
  isStemForDesk?: boolean
  action: ReactNode
  children?: ReactNode
}) {
  return (
    <section aria-labelledby="lead" className="home-lead">
      {props.ticks}
      <div className="lead">
        <div className="lead-text">
          <p className="eyebrow">{props.eyebrow}</p>
          <h2 id="lead">{props.heading}</h2>
          <p className={`lead-stem running ${props.isStemForDesk ? 'max-nav:hidden' : ''}`}>
            {props.stem}
          </p>
        </div>
        {props.action}
      </div>
      {props.children}
    </section>
  )
}

export function Action(props: { to: string; fetchAhead: () => void; children: ReactNode }) {
  const { to, fetchAhead } = props
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function changes on every render, the address doesn't
  useEffect(() => whenIdle(fetchAhead), [to])
  return <OnLink to={to}>{props.children}</OnLink>
}

export function testName({
  category,
  difficulty,
  testNumber,
}: Omit<TestAddress, 'testNumber'> & {
  testNumber: number | null
}): string {
  const name = testNumber === null ? 'Your mistakes' : `Test ${testNumber}`
  return `${name} · ${shortCellName(category, difficulty)}`
}

export function continueUrl({ category, difficulty, testNumber }: UnfinishedTest): string {
  return testNumber === null
    ? errorPracticeUrl(category, difficulty)
    : quizUrl(category, difficulty, testNumber)
}

export function AlsoOpen({ tests }: { tests: readonly UnfinishedTest[] }) {
  const shown = tests.slice(0, OTHERS_SHOWN)
  return (
    <p className="also-open running">
      Also in progress:{' '}
      {shown.map((test, index) => (
        <span key={continueUrl(test)}>
          {index > 0 && ', '}
          <Link to={continueUrl(test)} className="quiet-link">
            {testName(test)}
          </Link>
        </span>
      ))}
      {tests.length > shown.length && (
        <>
          {' '}
          and{' '}
          <Link to={URLS.personalHub} className="quiet-link">
            {tests.length - shown.length} more
          </Link>
        </>
      )}
    </p>
  )
}
