import type { ResponseOf } from '../../../platform/endpoint.ts'
import { fairnessUrl } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { Message } from '../../../platform/web/ui/message.tsx'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { previewFairnessReport, publishFairnessReport } from '../../contract/fairness.ts'
import { useAssessment } from '../console/console.tsx'
import { Top } from '../console/top.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { ActButton, useAct, usePlace } from '../kit/use-act.tsx'
import { CopyLink } from './copy-link.tsx'
import { Report } from './report.tsx'
import { dayIn } from './report-rows.ts'

type Preview = ResponseOf<typeof previewFairnessReport>

/** …/fairness: what the fairness report would say, and its publication (product 7.21.7). */
export function FairnessPreview() {
  // What is published is what is seen.
  const found = useEndpoint(previewFairnessReport, { params: usePlace() }, { staleTime: 0 })
  return (
    <Loaded
      of={found}
      name="report"
      refused={({ message }) => (
        <Message isError title="Only owners publish this report" actions={null}>
          {message}
        </Message>
      )}
    >
      {(preview) => <Shown preview={preview} />}
    </Loaded>
  )
}

const OBSTACLES: Record<NonNullable<Preview['obstacle']>, string> = {
  nobody_took: 'Nobody has taken this test, so there is nothing to report yet.',
  still_open: 'The test can still be taken. The report is made when it is over.',
}

function headlineOf({ published, isReleased, content }: Preview): string {
  if (!published) return 'The fairness report isn’t published'
  if (!isReleased) return 'The fairness report waits for the results'
  if (content && !published.isCurrent) return 'The fairness report isn’t up to date'
  return 'The fairness report is public'
}

function Shown({ preview }: { preview: Preview }) {
  const { content, obstacle, isReleased, published } = preview
  const { timeZone } = useAssessment()
  const place = usePlace()
  const publish = useAct(() => call(publishFairnessReport, { params: place }))
  const link = published && fairnessUrl(published.id)
  const mayPublish = content !== null && !published?.isCurrent
  return (
    <>
      <Top
        title="Fairness report"
        headline={headlineOf(preview)}
        acts={
          <>
            {link && (
              <>
                <CopyLink link={`${location.origin}${link}`} />
                <a href={link} target="_blank" rel="noreferrer" className="btn btn-ghost">
                  Open it
                </a>
              </>
            )}
            {mayPublish && (
              <ActButton act={publish} busy="Publishing…" className="btn">
                {published ? 'Update the report' : 'Publish the report'}
              </ActButton>
            )}
          </>
        }
      >
        One public page that says how accurate the test was, what went wrong, and what you did about
        it. It has no names.
      </Top>
      {obstacle && <p className="warning mb-6">{OBSTACLES[obstacle]}</p>}
      {!isReleased && content && (
        <p className="warning mb-6">
          Its address shows nothing until you release the results. You can publish it before, so
          that you have its link.
        </p>
      )}
      {published && (
        <p className="mb-6 text-ink-2">
          Published on {dayIn(published.publishedAt, timeZone)}.
          {published.changedAt && ` Changed on ${dayIn(published.changedAt, timeZone)}.`}
        </p>
      )}
      {content && (
        <section
          aria-label="Preview"
          className="max-w-[1120px] border border-line-strong px-5 md:px-10"
        >
          <Report content={content} timeZone={timeZone} />
        </section>
      )}
    </>
  )
}
