import { useState } from 'react'
import { Link } from 'react-router'
import { describeDuration } from '../../../platform/durations.ts'
import { assessmentUrl, societyUrl } from '../../../platform/urls.ts'
import { dialogOnDemand } from '../../../platform/web/ui/on-demand.ts'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import { stateOf } from '../../kit/assessment-state.ts'
import { ActionDialog } from '../../kit/web/ask.tsx'
import { useAssessment, useSociety } from '../../kit/web/console/console.tsx'
import { windowOf } from '../../kit/web/console/queries.ts'
import { useNowMs } from '../../kit/web/console/use-now.ts'
import { Loaded } from '../../kit/web/loaded.tsx'
import { ownZoneWords } from '../../kit/web/own-zone.ts'
import { Section, Top } from '../../kit/web/section.tsx'
import { usePlace } from '../../kit/web/use-act.tsx'
import { zoneDay, zoneMoment, zoneName, zoneTime } from '../../kit/zone-time.ts'
import {
  getOverview,
  type OverviewFacts,
  takeBackAssessment,
} from '../../setup/contract-overview.ts'
import {
  checklistUrl,
  LOOK_MS,
  mayOpen,
  TALL_LINK,
  WaitingLines,
} from '../../setup/web/checklist-links.tsx'
import { ChecklistRows, WhatYouDo } from './checklist-rows.tsx'
import { PrintHelpersCard } from './helpers-card.tsx'

const PublishDialog = dialogOnDemand(
  async () => (await import('./publish-dialog.tsx')).PublishDialog,
)

/** /organise/:society/assessments/:code shows the checklist, the day, duties and changes (product 7.8.7). */
export function Overview() {
  const assessment = useAssessment()
  const nowMs = useNowMs(10_000)
  const found = useEndpoint(getOverview, { params: usePlace() }, { staleTime: 0, every: LOOK_MS })
  const { opensAtMs: opensMs, closesAtMs: closesMs } = windowOf(assessment)
  return (
    <Loaded of={found} name="overview">
      {(facts) => (
        <>
          <Top title="Overview" headline={facts.headline} acts={<Acts facts={facts} />}>
            {facts.sentence}
          </Top>
          {opensMs !== null && closesMs !== null && closesMs - opensMs < DRAWN_MS && (
            <DayLine {...{ opensMs, closesMs, day: facts.day, nowMs }} />
          )}
          <div className="grid gap-x-14 gap-y-9 xl:grid-cols-[minmax(0,1fr)_316px]">
            {facts.isHelper ? (
              <WhatYouDo duty={facts.duty} contact={facts.contact} />
            ) : facts.rows.length > 0 ? (
              <ChecklistRows rows={facts.rows} />
            ) : (
              // The column keeps its width without tasks.
              <div>
                {facts.waiting.length > 0 && (
                  <Section title="Pending">
                    <div className="py-2.5">
                      <WaitingLines code={assessment.code} waiting={facts.waiting} />
                    </div>
                  </Section>
                )}
              </div>
            )}
            <aside className="space-y-8.5">
              <Section title="On duty">
                <ul>
                  {facts.duty.map(({ name, isYou, role, may }) => (
                    <li key={`${name} ${role}`} className={LINE}>
                      <b className="font-medium">{name}</b>
                      {isYou && ' (you)'}, {role}
                      <span className="block text-[12.5px] text-ink-2">{may}</span>
                    </li>
                  ))}
                </ul>
              </Section>
              {(!facts.isHelper || facts.changes.length > 0) && (
                <WhatChanged
                  title={facts.isHelper ? 'What you did' : 'What changed'}
                  changes={facts.changes}
                  nowMs={nowMs}
                />
              )}
            </aside>
          </div>
        </>
      )}
    </Loaded>
  )
}

const LINE = 'border-line border-b py-2.5 text-[13.5px]'

function Acts({ facts }: { facts: OverviewFacts }) {
  const { may } = useSociety()
  const assessment = useAssessment()
  const { runningCount } = assessment
  const isOver = stateOf(assessment, useNowMs(10_000)) === 'closed'
  const params = usePlace()
  const [asked, setAsked] = useState<'publish' | 'take-back' | null>(null)
  const mayPublish = may('set_rules_before_start')
  const isRunning = runningCount > 0 && may('watch_live')
  const next =
    !isRunning && facts.next && facts.next.page !== '' && mayOpen(may, facts.next.page)
      ? facts.next
      : null
  const close = () => setAsked(null)
  const canTakeBack = mayPublish && !facts.isDraft && facts.startedCount === 0 && !facts.isSample
  return (
    <>
      <PrintHelpersCard duty={facts.duty} contact={facts.contact} />
      {canTakeBack && (
        <button type="button" className="btn btn-ghost" onClick={() => setAsked('take-back')}>
          Return to draft
        </button>
      )}
      {facts.isDraft && mayPublish && (
        <button
          type="button"
          className={`btn ${next ? 'btn-ghost' : ''}`}
          onClick={() => setAsked('publish')}
        >
          Publish…
        </button>
      )}
      {isRunning && (
        <Link to={assessmentUrl(params.society, params.code, 'live')} className="btn">
          Go to Live
        </Link>
      )}
      {isOver && !next && may('see_scores') && (
        <Link to={assessmentUrl(params.society, params.code, 'results')} className="btn">
          See the results
        </Link>
      )}
      {next && (
        <Link to={checklistUrl(params.society, params.code, next)} className="btn">
          {next.label}
        </Link>
      )}
      {asked === 'publish' && (
        <PublishDialog
          onClose={close}
          finding={facts.rows.every(({ state }) => state === 'ready') ? null : facts.headline}
        />
      )}
      {asked === 'take-back' && (
        <ActionDialog
          title="Return to draft?"
          text="It disappears from the recruitment page, and candidates can't sign in or start. Passwords stay valid for when you publish it again."
          endpoint={takeBackAssessment}
          input={{ params, body: { version: facts.version } }}
          button={['Return to draft', 'Returning…']}
          onClose={close}
        />
      )}
    </>
  )
}

function WhatChanged(props: { title: string; changes: OverviewFacts['changes']; nowMs: number }) {
  const { society, code } = usePlace()
  const { timeZone } = useAssessment()
  const { changes, nowMs } = props
  const log = `${societyUrl(society, 'log')}?${new URLSearchParams({ assessment: code })}`
  return (
    <Section title={props.title}>
      {changes.length === 0 ? (
        <p className="py-2.5 text-[13.5px] text-ink-2">No changes yet.</p>
      ) : (
        <ul>
          {changes.map(({ at, by, what }, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: the log has no other key here
              key={index}
              className={`grid grid-cols-[128px_1fr] gap-x-2 ${LINE}`}
            >
              <time className="figures text-ink-2">{zoneMoment(at, timeZone, nowMs)}</time>
              <span>
                <b className="font-medium">{by}</b> {what}
              </span>
            </li>
          ))}
        </ul>
      )}
      <p className="pt-2.5 text-[13.5px]">
        <Link to={log} className={TALL_LINK}>
          View the full log{' '}
        </Link>
      </p>
    </Section>
  )
}

/** The chart shows at most a day, because minutes are unreadable on a longer one. */
const DRAWN_MS = 24 * 3_600_000

function DayLine(props: {
  opensMs: number
  closesMs: number
  day: OverviewFacts['day']
  nowMs: number
}) {
  const { opensMs, closesMs, day, nowMs } = props
  const { timeZone } = useAssessment()
  const { durationSeconds, extraSeconds, candidateCount, extraCount } = day
  const lastRegularMs = closesMs + durationSeconds * 1000
  const stay = `${describeDuration(durationSeconds)} left for late starters`
  const regular = countOf(candidateCount - extraCount, 'candidate')
  const withExtra = `${countOf(extraCount, 'candidate')} with extra time`
  const moments: [atMs: number, name: string, note: string, bar: string, look: string][] = [
    [
      opensMs,
      'Opens',
      countOf(candidateCount, 'candidate'),
      'candidates can start',
      'bg-ink text-paper',
    ],
    [closesMs, 'Last start', stay, 'last candidates', 'bg-sunken'],
    [lastRegularMs, 'Last regular end', regular, 'extra time', ''],
  ]
  if (extraSeconds > 0) {
    moments.push([lastRegularMs + extraSeconds * 1000, 'Everyone is done', withExtra, '', ''])
  }
  const own = ownZoneWords(opensMs, timeZone)
  return (
    <section aria-label="The day" className="mb-8.5">
      <ol className="border-ink border-t xl:flex xl:border-0">
        {moments.map(([atMs, name, note, bar, look], index) => {
          const nextMs = moments[index + 1]?.[0]
          return (
            <li
              key={name}
              style={{ flexGrow: (nextMs ?? atMs) - atMs }}
              className="flex gap-4 border-line border-b py-2 xl:min-w-42 xl:basis-0 xl:flex-col xl:justify-end xl:gap-1 xl:border-0 xl:text-[12.5px]"
            >
              <time className="figures w-12 flex-none font-medium xl:order-last xl:font-normal">
                {zoneTime(atMs, timeZone)}
              </time>
              <span>
                <b className="font-normal xl:block xl:font-semibold">{name}</b>{' '}
                <span className="text-ink-2">{note}</span>
              </span>
              <span
                aria-hidden
                className={`hidden border py-px text-center xl:block ${nextMs === undefined ? 'border-transparent' : `border-ink ${look}`}`}
              >
                {/* The last time has no bar after it, only the same height. */}
                {nextMs === undefined ? '\u00a0' : bar}
              </span>
            </li>
          )
        })}
      </ol>
      <p className="hint mt-2 flex flex-wrap justify-between gap-x-4">
        <span>
          {zoneDay(opensMs, timeZone, nowMs)}, {zoneName(timeZone)}
        </span>
        {own && <span>{own}</span>}
      </p>
    </section>
  )
}
