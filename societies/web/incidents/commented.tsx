import { Link } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { countOf } from '../../../platform/words.ts'
import { zoneMoment } from '../../zone-time.ts'
import { useAssessment } from '../console/console.tsx'
import { Section } from '../kit/section.tsx'
import { usePlace } from '../kit/use-act.tsx'
import { candidateName, type ListedCandidate } from './incident-headlines.ts'

/** Who wrote to the society after the test, newest first: the words stand on the candidate's page (product 6.10.10). */
export function Commented({ candidates }: { candidates: readonly ListedCandidate[] }) {
  const place = usePlace()
  const { timeZone } = useAssessment()
  const wrote = candidates
    .flatMap((one) => (one.commentedAt === null ? [] : [{ ...one, at: one.commentedAt }]))
    .sort((a, b) => b.at.localeCompare(a.at))
  if (wrote.length === 0) return null
  return (
    <Section
      title="What candidates wrote"
      hint={<>{countOf(wrote.length, 'comment')} after the test</>}
      className="mt-10"
    >
      <ul>
        {wrote.map(({ id, number, room, at }) => (
          <li key={id} className="border-line border-b">
            <Link
              to={{
                pathname: assessmentUrl(place.society, place.code, `incidents/${id}`),
                hash: 'comment',
              }}
              className="flex min-h-11 flex-wrap items-center gap-x-4 py-2 text-[13.5px] hover:bg-sunken"
            >
              <span className="font-medium">{candidateName(number)}</span>
              <span className="text-ink-2">{room ?? ''}</span>
              <time dateTime={at} className="figures text-ink-2">
                {zoneMoment(at, timeZone, Date.now())}
              </time>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}
