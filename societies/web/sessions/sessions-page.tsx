import { useQuery } from '@tanstack/react-query'
import { Message, TryAgain } from '../../../platform/web/ui/message.tsx'
import { Spinner } from '../../../platform/web/ui/spinner.tsx'
import { countOf } from '../../number-words.ts'
import { useSociety } from '../console/console.tsx'
import { Top } from '../console/top.tsx'
import { usePlace } from '../console/use-act.ts'
import { ComparisonSection } from './comparison-section.tsx'
import { type Sessions as Found, headlineOf } from './comparison-words.ts'
import { FavouredSection } from './favoured-section.tsx'
import { sessionsQuery } from './queries.ts'
import { ShiftSection } from './shift-section.tsx'
import { SimilaritySection } from './similarity-section.tsx'

/** …/sessions: two forms, two sessions, and pairs of answers (product 7.19). */
export function Sessions() {
  const { may } = useSociety()
  const found = useQuery(sessionsQuery(usePlace()))
  if (!found.data) {
    if (!found.isError) return <Spinner />
    return (
      <>
        <Top title="Forms and sessions" headline="Forms and sessions" />
        <Message
          isError
          title="The comparison could not be loaded"
          actions={<TryAgain onClick={() => void found.refetch()} isBusy={found.isFetching} />}
        >
          {found.error.message}
        </Message>
      </>
    )
  }
  const { comparisons, openCount, favoured } = found.data
  return (
    <>
      <Top title="Forms and sessions" headline={headlineOf(found.data)}>
        {introductionOf(found.data)}
      </Top>
      {openCount > 0 && (
        <p className="amber mb-5">
          {countOf(openCount, 'candidate is', 'candidates are')} still inside: what follows is
          without them.
        </p>
      )}
      <ShiftSection sessions={found.data} />
      {comparisons.map((comparison) => (
        <ComparisonSection
          key={comparison.id}
          comparison={comparison}
          lock={found.data.shiftLock}
          isShiftStanding={found.data.shifts.some(({ withdrawn }) => withdrawn === null)}
        />
      ))}
      {favoured.length > 0 && <FavouredSection favoured={favoured} />}
      {may('decide_incident') && <SimilaritySection />}
    </>
  )
}

function introductionOf({ comparisons, season, unlinked }: Found): string {
  const others =
    unlinked.length === 0
      ? ''
      : ` ${unlinked.join(', ')} of the same season ${unlinked.length === 1 ? 'shares' : 'share'} no question with it.`
  if (comparisons.length > 0) {
    return `Groups are compared by questions that all of both were asked, never by percentiles.${others}`
  }
  if (others) return `Groups are compared by questions that all of both were asked.${others}`
  return season === null
    ? 'It has one form, and no season that another session would share. The season is set under Settings.'
    : `It has one form, and no other session of ${season} is there to compare it with.`
}
