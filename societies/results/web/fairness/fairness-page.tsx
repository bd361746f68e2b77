import { Printer } from 'lucide-react'
import { Link, useParams } from 'react-router'
import { URLS } from '../../../../platform/urls.ts'
import { Message } from '../../../../platform/web/ui/message.tsx'
import { useTitle } from '../../../../platform/web/ui/page.tsx'
import { useEndpoint } from '../../../../platform/web/use-endpoint.ts'
import { Loaded } from '../../../kit/web/loaded.tsx'
import { readFairnessReport } from '../../contract-fairness.ts'
import { datesOf, Report } from './report.tsx'

/** /fairness/:report is the public report on how a test was run (product 7.21.5). The server blocks search engines. */
export function FairnessPage() {
  const { report = '' } = useParams()
  return (
    <>
      <header className="fair-mast">
        <div>
          <a className="word" href={URLS.landing}>
            Super<span className="fair-day">day</span>
          </a>
          <p className="hint">Public report without names or individual scores.</p>
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
  const name = found.data?.report?.content.name
  useTitle(name ? `How ${name} was run` : 'Fairness report')
  return (
    <Loaded
      of={found}
      name="report"
      refused={({ message }) => (
        <Message
          isError
          title="Report not found"
          actions={
            <Link to={URLS.landing} className="btn">
              Go to Superday
            </Link>
          }
        >
          {message}
        </Message>
      )}
    >
      {({ report }) =>
        report ? (
          <Report
            content={report.content}
            timeZone={report.timeZone}
            dates={datesOf(report, report.timeZone)}
          >
            <p className="fair-print">
              <button type="button" className="btn btn-ghost" onClick={() => window.print()}>
                <Printer size={16} aria-hidden />
                Print or save as PDF
              </button>
            </p>
          </Report>
        ) : (
          <Message
            title="Not yet"
            actions={
              <button type="button" className="btn" onClick={() => void found.refetch()}>
                {found.isFetching ? 'Checking…' : 'Check again'}
              </button>
            }
          >
            This report appears when the results are released.
          </Message>
        )
      }
    </Loaded>
  )
}
