import { Printer } from 'lucide-react'
import { useEffect } from 'react'
import { Link, useParams } from 'react-router'
import { URLS } from '../../../platform/urls.ts'
import { ApiFailure } from '../../../platform/web/api.ts'
import { Message, TryAgain } from '../../../platform/web/ui/message.tsx'
import { useTitle } from '../../../platform/web/ui/page.tsx'
import { Spinner } from '../../../platform/web/ui/spinner.tsx'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { readFairnessReport } from '../../contract/fairness.ts'
import { Report } from './report.tsx'
import { dayIn } from './report-rows.ts'

/** /fairness/:report: how a test was run, for everybody (product 7.21.5). */
export function FairnessPage() {
  const { report = '' } = useParams()
  useNoIndex()
  return (
    <>
      <header className="fair-mast">
        <div>
          <a className="word" href={URLS.landing}>
            Super<span className="fair-day">day</span>
          </a>
          <p className="hint">Public. No names, and no score of a person.</p>
        </div>
      </header>
      <main className="fair-page">
        <Found key={report} id={report} />
      </main>
    </>
  )
}

function Found({ id }: { id: string }) {
  const found = useEndpoint(readFairnessReport, { params: { report: id } })
  const report = found.data?.report
  useTitle(report ? `How ${report.content.name} was run` : 'Fairness report')
  if (report) {
    const { content, timeZone, publishedAt, changedAt } = report
    const changed = changedAt ? ` Changed on ${dayIn(changedAt, timeZone)}.` : ''
    return (
      <Report
        content={content}
        timeZone={timeZone}
        dates={`Published on ${dayIn(publishedAt, timeZone)}.${changed}`}
      >
        <p className="fair-print">
          <button type="button" className="btn btn-ghost" onClick={() => window.print()}>
            <Printer size={16} aria-hidden />
            Print or save as PDF
          </button>
        </p>
      </Report>
    )
  }
  if (found.data) {
    return (
      <div className="fair-empty">
        <Message
          title="Not yet"
          actions={
            <button type="button" className="btn" onClick={() => void found.refetch()}>
              {found.isFetching ? 'Looking…' : 'Look again'}
            </button>
          }
        >
          This report appears when the results are released.
        </Message>
      </div>
    )
  }
  if (!found.isError) return <Spinner />
  const isGone = found.error instanceof ApiFailure && !found.error.isTemporary
  return (
    <div className="fair-empty">
      <Message
        isError
        title={isGone ? 'There is no such report' : 'The report could not be loaded'}
        actions={
          isGone ? (
            <Link to={URLS.landing} className="btn">
              To Superday
            </Link>
          ) : (
            <TryAgain onClick={() => void found.refetch()} isBusy={found.isFetching} />
          )
        }
      >
        {found.error.message}
      </Message>
    </div>
  )
}

/** Who has the link reads it; search engines need not. The server says so too, for those that run no script. */
function useNoIndex(): void {
  useEffect(() => {
    const tag = document.createElement('meta')
    tag.name = 'robots'
    tag.content = 'noindex'
    document.head.append(tag)
    return () => tag.remove()
  }, [])
}
