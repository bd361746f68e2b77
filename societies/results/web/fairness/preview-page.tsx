import { useState } from 'react'
import type { ResponseOf } from '../../../../platform/endpoint.ts'
import { fairnessUrl } from '../../../../platform/urls.ts'
import { call } from '../../../../platform/web/api.ts'
import { Message } from '../../../../platform/web/ui/message.tsx'
import { useEndpoint } from '../../../../platform/web/use-endpoint.ts'
import { useAssessment } from '../../../kit/web/console/console.tsx'
import { Loaded } from '../../../kit/web/loaded.tsx'
import { Top } from '../../../kit/web/section.tsx'
import { ActButton, useAct, usePlace } from '../../../kit/web/use-act.tsx'
import { previewFairnessReport, publishFairnessReport } from '../../contract-fairness.ts'
import { datesOf, Report } from './report.tsx'

type Preview = ResponseOf<typeof previewFairnessReport>

/** …/fairness previews the fairness report and publishes it (product 7.21.7). */
export function FairnessPreview() {
  // The owner must publish exactly what is on the screen.
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

function headlineOf({ published, isReleased, content }: Preview): string {
  if (!published) return 'The fairness report isn’t published'
  if (!isReleased) return 'The fairness report is waiting for the results'
  if (content && !published.isCurrent) return 'The fairness report isn’t up to date'
  return 'The fairness report is public'
}

function warningOf({ obstacle, isReleased }: Preview): string | false {
  if (obstacle === 'nobody_took') {
    return 'No candidate has taken this test, so there is nothing to report yet.'
  }
  if (obstacle) return 'The test is still open. You can publish the report when it is over.'
  return (
    !isReleased &&
    'Visitors see the report only after you release the results. You can publish it now to get its link.'
  )
}

function Shown({ preview }: { preview: Preview }) {
  const { content, published } = preview
  const { timeZone } = useAssessment()
  const place = usePlace()
  const publish = useAct(() => call(publishFairnessReport, { params: place }))
  const warning = warningOf(preview)
  return (
    <>
      <Top
        title="Fairness report"
        headline={headlineOf(preview)}
        acts={
          <>
            {published && <PublicLink url={fairnessUrl(published.id)} />}
            {content && !published?.isCurrent && (
              <ActButton act={publish} busy="Publishing…" className="btn">
                {published ? 'Update the report' : 'Publish the report'}
              </ActButton>
            )}
          </>
        }
      >
        A public page that says how accurate the test was, what went wrong, and what you did about
        it. It has no names.
      </Top>
      {warning && <p className="warning mb-6">{warning}</p>}
      {published && <p className="mb-6 text-ink-2">{datesOf(published, timeZone)}</p>}
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

/** Opens the public page or copies its address. If the browser refuses, it shows the address to copy by hand. */
function PublicLink({ url }: { url: string }) {
  const [said, setSaid] = useState('')
  const link = `${location.origin}${url}`
  async function copy() {
    try {
      await navigator.clipboard.writeText(link)
      setSaid('Copied')
    } catch {
      setSaid(link)
    }
  }
  return (
    <>
      <span className="inline-flex flex-wrap items-center gap-2">
        <button type="button" className="btn btn-ghost" onClick={() => void copy()}>
          Copy the link
        </button>
        <span role="status" className="hint select-all break-all">
          {said}
        </span>
      </span>
      <a href={url} target="_blank" rel="noreferrer" className="btn btn-ghost">
        Open it
      </a>
    </>
  )
}
