import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Printer } from 'lucide-react'
import { Message, TryAgain } from '../../../platform/web/ui/message.tsx'
import { Spinner } from '../../../platform/web/ui/spinner.tsx'
import { roomTitle } from '../../role-words.ts'
import { zoneMoment, zoneSecond } from '../../zone-time.ts'
import { overviewQuery } from '../assessments/lifecycle-queries.ts'
import { nameOfAssessment, useAssessment, useSociety } from '../console/console.tsx'
import { Top } from '../console/top.tsx'
import { useNowMs } from '../console/use-now.ts'
import { type LiveState, liveQuery } from './queries.ts'

/** What happens on a day, and what a helper does: docs/assessment-day.md in eight lines (product 7.14.11). */
const CASES = [
  [
    'The password does not work',
    'Candidates, open the row, send a new password or print a slip. Nothing that was answered is lost.',
  ],
  [
    'The browser crashed, the laptop died',
    'Nothing to do: on any computer sign in again with the same password and go on. The clock has run on; tell an owner how many minutes were lost.',
  ],
  [
    'The network is gone for one person',
    'Leave the page open and do not reload. Answers wait on the device and are saved when it is back.',
  ],
  [
    'The network is gone for the room',
    'The same for everybody. Note from when to when; an owner gives the minutes back, also to whose clock has ended.',
  ],
  [
    'Alarm: everybody leaves',
    'People first. Note the minute. Leaving counts as a strike at once, and is taken back for the whole room afterwards.',
  ],
  [
    'A strike that was nobody’s fault',
    'Write down name and minute, or report it on the candidate’s page. An owner or a reviewer takes it back.',
  ],
  [
    'Closed by the third strike',
    'The candidate stays seated. An owner takes a strike back and opens the test again for the minutes that were lost.',
  ],
  [
    'Came too late to start',
    'Ask an owner to move the last start. Whoever has started keeps the whole time.',
  ],
] as const

/** …/card: one page for whoever helps in a room, to print and on a phone (product 7.14.11). */
export function HelpersCard() {
  const { society } = useSociety()
  const assessment = useAssessment()
  const { code, timeZone, opensAt, closesAt, durationSeconds } = assessment
  const client = useQueryClient()
  const nowMs = useNowMs(60_000)
  const live = useQuery({
    ...liveQuery(client, { society: society.id, code, isSimulation: false }),
    refetchInterval: 10_000,
  })
  const overview = useQuery(overviewQuery(society.id, code))
  const failed = [live, overview].find(({ data, isError }) => isError && !data)
  if (!live.data || !overview.data) {
    return failed ? (
      <Message
        isError
        title="The card could not be loaded"
        actions={<TryAgain onClick={() => void failed.refetch()} isBusy={failed.isFetching} />}
      />
    ) : (
      <Spinner />
    )
  }
  const room =
    live.data.room ?? society.roles.find(({ role }) => role === 'invigilator')?.room ?? null
  const owners = overview.data.duty.filter(({ role }) => role.startsWith('owner'))
  const moment = (iso: string | null) => (iso ? zoneMoment(iso, timeZone, nowMs) : null)
  return (
    <div className="max-w-[980px] print:max-w-none print:text-[11.5px]">
      <Top
        title="Card for helpers"
        headline={room ? roomTitle(room) : 'Every room'}
        acts={
          <button
            type="button"
            className="btn btn-ghost print:hidden"
            onClick={() => window.print()}
          >
            <Printer size={15} aria-hidden /> Print this page
          </button>
        }
      >
        {nameOfAssessment(assessment)}, {assessment.society}.{' '}
        {moment(opensAt) ? `Starts from ${moment(opensAt)}` : 'Starts at any time'}
        {moment(closesAt) && `, last start ${moment(closesAt)}`}, {Math.round(durationSeconds / 60)}{' '}
        minutes each, times of {timeZone.split('/').at(-1)?.replaceAll('_', ' ')}.
      </Top>
      <Figures state={live.data} timeZone={timeZone} />
      <div className="grid gap-x-12 gap-y-8 md:grid-cols-[minmax(0,1fr)_260px] print:grid-cols-[minmax(0,1fr)_200px]">
        <section aria-labelledby="cases-title">
          <div className="head">
            <h2 id="cases-title">What to do</h2>
          </div>
          <dl>
            {CASES.map(([what, then]) => (
              <div
                key={what}
                className="grid gap-x-5 border-line border-b py-2.5 md:grid-cols-[190px_minmax(0,1fr)] print:grid-cols-[150px_minmax(0,1fr)] print:py-1.5"
              >
                <dt className="font-medium">{what}</dt>
                <dd className="text-pretty text-ink-2">{then}</dd>
              </div>
            ))}
          </dl>
        </section>
        <section aria-labelledby="call-title">
          <div className="head">
            <h2 id="call-title">Whom to call</h2>
          </div>
          <ul>
            {owners.map(({ name, isYou }) => (
              <li key={name} className="border-line border-b py-2.5 print:py-1.5">
                <b className="font-medium">{name}</b>
                {isYou && ' (you)'}, owner
                <span className="block h-6 border-line border-b border-dotted text-[12.5px] text-ink-2">
                  phone
                </span>
              </li>
            ))}
            {overview.data.contact && (
              <li className="break-words border-line border-b py-2.5 print:py-1.5">
                <b className="font-medium">{overview.data.contact}</b>
                <span className="block text-[12.5px] text-ink-2">whom candidates ask</span>
              </li>
            )}
          </ul>
          <p className="mt-3 text-pretty text-[13px] text-ink-2">
            You decide nothing about anybody: note who, what and when, and be kind. What a page
            notices is looked at afterwards, in peace.
          </p>
        </section>
      </div>
    </div>
  )
}

/** Live's figures, and when they were so: paper does not follow. */
function Figures({ state, timeZone }: { state: LiveState; timeZone: string }) {
  const { counts } = state
  const figures = [
    { label: 'to look at', value: counts.toLookAt },
    { label: 'inside', value: counts.inside },
    { label: 'not here', value: counts.absent },
    { label: 'signed in, waiting', value: counts.verified },
    { label: 'done', value: counts.done },
  ]
  return (
    <>
      <div className="counts">
        {figures.map(({ label, value }) => (
          <div key={label} className="print:mr-4! print:pr-4!">
            <span className="count">{value}</span>
            <span className="block text-[13px] text-ink-2">{label}</span>
          </div>
        ))}
      </div>
      <p className="hint figures mt-2 mb-8 text-ink-2 print:mb-4">
        At {zoneSecond(state.takenMs, timeZone)}.
        {counts.inside > 0 && ` Answers are being saved for ${counts.saving} of ${counts.inside}.`}
      </p>
    </>
  )
}
