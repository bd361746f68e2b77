import { Link } from 'react-router'
import { URLS } from '../../../platform/urls.ts'

/** 'Build a test': topics, levels, length and clock of one's own (product 3.14.5). */
export function BuildCard() {
  return (
    <section className="panel mistakes-card" aria-labelledby="build">
      <h2 id="build">Build a test</h2>
      <p className="running rail-text">
        Your topics and levels, as long as you like, with a clock or without.
      </p>
      <Link to={URLS.build} className="btn btn-ghost">
        Choose topics
      </Link>
    </section>
  )
}
