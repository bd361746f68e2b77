import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { fairnessUrl } from '../../../platform/urls.ts'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { Message, TryAgain } from '../../../platform/web/ui/message.tsx'
import { Spinner } from '../../../platform/web/ui/spinner.tsx'
import { previewFairnessReport, publishFairnessReport } from '../../contract/fairness.ts'
import { useAssessment, useSociety } from '../console/console.tsx'
import { assessmentKey, societyKey } from '../console/queries.ts'
import { Top } from '../console/top.tsx'
import { usePlace } from '../kit/use-act.tsx'
import { CopyLink } from './copy-link.tsx'
import { Report } from './report.tsx'
import { dayIn } from './report-rows.ts'

type Preview = ResponseOf<typeof previewFairnessReport>

const previewQuery = (place: { society: string; code: string }) =>
  queryOptions({
    queryKey: [...assessmentKey(place.society, place.code), 'fairness'] as const,
    queryFn: ({ signal }) => call(previewFairnessReport, { params: place }, { signal }),
    // What is published is what is seen.
    staleTime: 0,
  })

/** …/fairness: what the fairness report would say, and its publication (product 7.21.7). */
export function FairnessPreview() {
  const found = useQuery(previewQuery(usePlace()))
  if (found.data) return <Shown preview={found.data} />
  if (!found.isError) return <Spinner />
  const isRefused = found.error instanceof ApiFailure && !found.error.isTemporary
  return (
    <Message
      isError
      title={isRefused ? 'Only owners publish this report' : 'The report could not be loaded'}
      actions={
        !isRefused && <TryAgain onClick={() => void found.refetch()} isBusy={found.isFetching} />
      }
    >
      {found.error.message}
    </Message>
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
  const { society } = useSociety()
  const place = usePlace()
  const client = useQueryClient()
  const publish = useMutation({
    mutationFn: () => call(publishFairnessReport, { params: place }),
    onSuccess: () => client.invalidateQueries({ queryKey: societyKey(society.id) }),
  })
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
              <button
                type="button"
                className="btn"
                aria-disabled={publish.isPending}
                onClick={() => !publish.isPending && publish.mutate()}
              >
                {publish.isPending
                  ? 'Publishing…'
                  : published
                    ? 'Update the report'
                    : 'Publish the report'}
              </button>
            )}
          </>
        }
      >
        One public page that says how accurate the test was, what went wrong, and what you did about
        it. It has no names.
      </Top>
      <p role="alert" className="amber">
        {publish.error?.message}
      </p>
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
