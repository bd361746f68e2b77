import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { URLS } from '../../../platform/urls.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { NotLoaded } from '../../../platform/web/ui/not-loaded.tsx'
import { StandalonePage, useTitle } from '../../../platform/web/ui/page.tsx'
import { caseQuery, isMissing } from '../queries.ts'
import { SittingSkeleton } from '../sitting/sitting-head.tsx'
import { CasePlayer } from './case-player.tsx'
import './case.css'

/** /cases/{slug} (product 3.12.8). */
export function CaseScreen() {
  const user = useUser()
  const { slug = '' } = useParams()
  const found = useQuery({
    ...caseQuery(slug),
    // The case must not change while a person is answering.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  useTitle(found.data?.title ?? 'Case')
  if (found.data) {
    return <CasePlayer key={`${user.id} ${slug}`} userId={user.id} content={found.data} />
  }
  if (!found.isError) return <SittingSkeleton closeTo={URLS.cases} closeLabel="Close the case" />
  const isUnknown = isMissing(found.error)
  return (
    <StandalonePage>
      <NotLoaded
        title={isUnknown ? 'There is no such case.' : 'The case could not be loaded'}
        query={isUnknown ? null : found}
        wayOut={{ to: URLS.cases, name: 'All cases' }}
      />
    </StandalonePage>
  )
}
