import { Link } from 'react-router'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { fairnessUrl } from '../../../platform/urls.ts'
import type { readCard } from '../../contract/card.ts'
import { differsWords } from './card-words.ts'
import { dayIn } from './numbers-in-words.ts'

type PublicCard = NonNullable<ResponseOf<typeof readCard>['card']>

/** Which version this is, what the others say else, and how the figures are computed. */
export function Source({ cardId, card }: { cardId: string; card: PublicCard }) {
  const { version, versions, timeZone } = card
  const newest = versions[0]?.version
  return (
    <>
      <p>
        Made by the program from the log and the answers, not written by hand; only the reasons are
        the society’s words. Computed on {dayIn(card.madeAt, timeZone)}, version {version}.
        {version !== newest && (
          <>
            {' '}
            <Link className="link" to={fairnessUrl(cardId)}>
              There is a newer version.
            </Link>
          </>
        )}
      </p>
      {versions.length > 1 && (
        <ul className="fair-versions">
          {versions.map((one) => (
            <li key={one.version}>
              {one.version === version ? (
                <span>Version {one.version}</span>
              ) : (
                <Link className="link" to={`${fairnessUrl(cardId)}?version=${one.version}`}>
                  Version {one.version}
                </Link>
              )}{' '}
              of {dayIn(one.madeAt, timeZone)}
              {one.version > 1 && ` ${differsWords(one.differsIn)}`}
              {one.version > 1 && ` from version ${one.version - 1}`}
            </li>
          ))}
        </ul>
      )}
      <Computed />
    </>
  )
}

/** How each figure is computed, for somebody who doubts one. */
export function Computed() {
  return (
    <details className="fair-computed">
      <summary>How each is computed</summary>
      <ul>
        <li>
          Reliability is KR-20 (Kuder and Richardson 1937) of each session and form by itself, from
          30 people on; below .50 nobody should be ranked, from .80 a test is good for choosing whom
          to invite.
        </li>
        <li>± is the standard error of measurement: the deviation of the scores × √(1 − KR-20).</li>
        <li>Two people differ from 1.96 × √2 standard errors on.</li>
        <li>Counts of decisions are over everybody who sat; who only tried a demo is in none.</li>
      </ul>
    </details>
  )
}
