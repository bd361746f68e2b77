import { useState } from 'react'
import { Link } from 'react-router'
import { societyUrl } from '../../../platform/urls.ts'
import { dialogOnDemand } from '../../../platform/web/ui/on-demand.ts'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { ActionDialog } from '../../kit/web/ask.tsx'
import { useAssessment, useSociety } from '../../kit/web/console/console.tsx'
import { windowOf } from '../../kit/web/console/queries.ts'
import { Section, Top } from '../../kit/web/section.tsx'
import { useNowMs } from '../../kit/web/console/use-now.ts'
import { Loaded } from '../../kit/web/loaded.tsx'
import { zoneMoment } from '../../kit/zone-time.ts'
import { getOverview, takeBackAssessment } from '../../setup/contract-overview.ts'
import {
  checklistUrl,
  LOOK_MS,
  mayOpen,
  type OverviewFacts,
  WaitingLines,
} from '../../setup/web/checklist-links.tsx'
import { ChecklistRows } from './checklist-rows.tsx'
import { DayLine, DRAWN_MS } from './day-line.tsx'
import { PrintHelpersCard } from './helpers-card.tsx'
import { WhatYouDo } from './what-you-do.tsx'

const PublishDialog = dialogOnDemand(
  async () => (await import('./publish-dialog.tsx')).PublishDialog,
)

/** /organise/:society/assessments/:code: checklist, day, duty and changes (product 7.8.7). */
export function Overview() {
  const { society } = useSociety()
  const assessment = useAssessment()
  const nowMs = useNowMs(10_000)
  const found = useEndpoint(
    getOverview,
    { params: { society: society.id, code: assessment.code } },
    { staleTime: 0, every: LOOK_MS },
  )
  const { opensAtMs: opensMs, closesAtMs: closesMs } = windowOf(assessment)
  const isDrawn = opensMs !== null && closesMs !== null && closesMs - opensMs < DRAWN_MS
  return (
    <Loaded of={found} name="overview">
      {(facts) => (
        <>
          <Top title="Overview" headline={facts.headline} acts={<Acts facts={facts} />}>
            {facts.sentence}
          </Top>
          {isDrawn && (
            <DayLine
              day={{ opensMs, closesMs, timeZone: assessment.timeZone, ...facts.day }}
              nowMs={nowMs}
            />
          )}
          <div className="grid gap-x-14 gap-y-9 xl:grid-cols-[minmax(0,1fr)_316px]">
            {facts.helping ? (
              <WhatYouDo helping={facts.helping} />
            ) : facts.rows.length > 0 ? (
              <ChecklistRows rows={facts.rows} />
            ) : (
              // The column stays where nothing waits.
              <div>
                {facts.waiting.length > 0 && (
                  <Section title="What waits">
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
                    <li
                      key={`${name} ${role}`}
                      className="border-line border-b py-2.5 text-[13.5px]"
                    >
                      <b className="font-medium">{name}</b>
                      {isYou && ' (you)'}, {role}
                      <span className="block text-[12.5px] text-ink-2">{may}</span>
                    </li>
                  ))}
                </ul>
              </Section>
              {(!facts.helping || facts.changes.length > 0) && (
                <WhatChanged
                  title={facts.helping ? 'What you did' : 'What changed'}
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

function Acts({ facts }: { facts: OverviewFacts }) {
  const { society, may } = useSociety()
  const { code } = useAssessment()
  const [asked, setAsked] = useState<'publish' | 'take-back' | null>(null)
  const mayPublish = may('set_rules_before_start')
  const next =
    facts.next && facts.next.page !== '' && mayOpen(may, facts.next.page) ? facts.next : null
  const close = () => setAsked(null)
  const canTakeBack = mayPublish && !facts.isDraft && facts.startedCount === 0 && !facts.isSample
  return (
    <>
      <PrintHelpersCard duty={facts.duty} contact={facts.contact} />
      {canTakeBack && (
        <button type="button" className="btn btn-ghost" onClick={() => setAsked('take-back')}>
          Take back to a draft
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
      {next && (
        <Link to={checklistUrl(society.id, code, next)} className="btn">
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
          title="Take it back to a draft?"
          text="It leaves the recruitment page, and nobody can sign in or start. Passwords stay valid for when you publish it again."
          endpoint={takeBackAssessment}
          input={{ params: { society: society.id, code }, body: { version: facts.version } }}
          button={['Take it back', 'Taking it back…']}
          onClose={close}
        />
      )}
    </>
  )
}

function WhatChanged(props: { title: string; changes: OverviewFacts['changes']; nowMs: number }) {
  const { society } = useSociety()
  const { code, timeZone } = useAssessment()
  const { changes, nowMs } = props
  const log = `${societyUrl(society.id, 'log')}?${new URLSearchParams({ assessment: code })}`
  return (
    <Section title={props.title}>
      {changes.length === 0 ? (
        <p className="py-2.5 text-[13.5px] text-ink-2">No changes since it was made.</p>
      ) : (
        <ul>
          {changes.map(({ at, by, what }, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: the log has no other key here
              key={index}
              className="grid grid-cols-[128px_1fr] gap-x-2 border-line border-b py-2.5 text-[13.5px]"
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
        <Link to={log} className="link max-md:inline-flex max-md:min-h-11 max-md:items-center">
          The whole log
        </Link>
      </p>
    </Section>
  )
}
