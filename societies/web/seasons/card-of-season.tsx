import { Link } from 'react-router'
import { fairnessUrl, societyUrl } from '../../../platform/urls.ts'
import { mayWith } from '../../roles.ts'
import { zoneDay } from '../../zone-time.ts'
import { useSociety } from '../console/console.tsx'
import { CopyCardLink } from './copy-card-link.tsx'

interface Season {
  season: string | null
  card: { id: string; version: number; madeAt: string } | null
  assessments: readonly { isDraft: boolean }[]
}

/** A season's fairness card beside its title: what is public of it, its link, and the way to publish it. */
export function CardOfSeason({ season, nowMs }: { season: Season; nowMs: number }) {
  const { society } = useSociety()
  // A reviewer exports without names, and publishes nothing.
  const mayPublish =
    mayWith(
      society.roles.map(({ role }) => role),
      'release_results',
    ) === 'all'
  const { card, assessments } = season
  // Nobody sat a draft, and what has no season has no card.
  if (season.season === null || (!card && assessments.every(({ isDraft }) => isDraft))) return null
  const search = new URLSearchParams({ season: season.season })
  return (
    <p className="ml-auto flex flex-wrap items-center justify-end gap-x-4 gap-y-1 text-[13.5px]">
      {card && (
        <>
          <Link to={fairnessUrl(card.id)} className="link inline-flex items-center max-md:min-h-11">
            Fairness card
            <span className="sr-only"> of {season.season}</span>, version {card.version} of{' '}
            {zoneDay(card.madeAt, society.timeZone, nowMs)}
          </Link>
          <CopyCardLink card={card.id} season={season.season} />
        </>
      )}
      {mayPublish && (
        <Link
          to={`${societyUrl(society.id, 'seasons/card')}?${search}`}
          className="quiet-link inline-flex items-center max-md:min-h-11"
        >
          {card ? 'Look for changes' : 'Fairness card'}
          <span className="sr-only"> of {season.season}</span>
        </Link>
      )}
    </p>
  )
}
