import { useSession } from '../../../platform/web/session.tsx'
import type { LiveView } from '../../contract/live.ts'
import { zoneTime } from '../../zone-time.ts'
import { useAssessment } from '../console/console.tsx'
import { Section } from '../kit/section.tsx'

/** What organisers did, newest first: so that two people do not give the same minutes twice. */
export function Feed({ actions }: { actions: LiveView['actions'] }) {
  const { timeZone } = useAssessment()
  const { user } = useSession()
  return (
    <Section title="What organisers did">
      {actions.length === 0 ? (
        <p className="py-4 text-ink-2">Nothing yet.</p>
      ) : (
        <ol className="max-h-[420px] overflow-y-auto">
          {actions.map(({ id, atMs, by, userId, what }) => (
            <li
              key={id}
              className="grid grid-cols-[50px_1fr] border-line border-b py-2.5 text-[13.5px]"
            >
              <time className="figures text-ink-2" dateTime={new Date(atMs).toISOString()}>
                {zoneTime(atMs, timeZone)}
              </time>
              <span className="min-w-0 break-words">
                <b className="font-medium">{userId !== null && userId === user?.id ? 'You' : by}</b>{' '}
                {what}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}
