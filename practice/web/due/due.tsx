import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { localDay } from '../../../platform/local-day.ts'
import { URLS } from '../../../platform/urls.ts'
import { useOffline } from '../../../platform/web/connection/connectivity.ts'
import { deviceTimeZone } from '../../../platform/web/dates.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { Message } from '../../../platform/web/ui/message.tsx'
import { NotLoaded } from '../../../platform/web/ui/not-loaded.tsx'
import { StandalonePage, useTitle } from '../../../platform/web/ui/page.tsx'
import { dueQuery } from '../queries.ts'
import { SittingSkeleton } from '../sitting/sitting-head.tsx'
import { DuePlayer } from './due-player.tsx'
import { DUE, dueSittings } from './due-sitting.ts'

/** /due (product 3.10.6): continues today's sitting or starts today's ten questions. */
export function Due() {
  const user = useUser()
  useTitle('Due today')
  const [begun] = useState(() => dueSittings.load(user.id, DUE))
  return begun ? <DuePlayer userId={user.id} begun={begun} /> : <NewSitting userId={user.id} />
}

function NewSitting({ userId }: { userId: string }) {
  // The day stays the same even if midnight passes.
  const [today] = useState(() => localDay(Date.now(), deviceTimeZone()))
  const due = useQuery(dueQuery(today))
  const isOffline = useOffline()
  const [id] = useState(() => crypto.randomUUID())
  const [wantsNew, setWantsNew] = useState(false)
  const { data } = due
  // A plan's questions open without a page in between.
  const isAsked = wantsNew || (data?.plan ? data.plan.left > 0 : (data?.dueCount ?? 0) > 0)
  if (data && data.items.length > 0 && isAsked) {
    const { day, dueCount, plan, items } = data
    return <DuePlayer userId={userId} begun={{ id, day, dueCount, plan, items, given: [] }} />
  }
  if (data) {
    const more = data.plan ? 'more' : 'new'
    return (
      <StandalonePage>
        <Message
          title={data.plan ? 'Today is done.' : 'Nothing is due today.'}
          actions={
            <>
              {data.items.length > 0 && (
                <button type="button" className="btn" onClick={() => setWantsNew(true)}>
                  {data.items.length === 1
                    ? `One ${more} question`
                    : `${data.items.length} ${more} questions`}
                </button>
              )}
              <Link to={URLS.dashboard} className={data.items.length > 0 ? 'btn btn-ghost' : 'btn'}>
                Dashboard
              </Link>
            </>
          }
        >
          What you answer comes back when you are about to forget it: mistakes soon, the rest later.
        </Message>
      </StandalonePage>
    )
  }
  if (due.isError) {
    return (
      <StandalonePage>
        <NotLoaded
          title="Reviews could not be loaded"
          query={due}
          wayOut={{ to: URLS.dashboard, name: 'Dashboard' }}
        >
          {isOffline &&
            'Offline, you have the ten questions for today and tomorrow if they were prepared. Drills, answers aloud and tests you have opened still work.'}
        </NotLoaded>
      </StandalonePage>
    )
  }
  return <SittingSkeleton closeTo={URLS.dashboard} closeLabel="Close the review" />
}
