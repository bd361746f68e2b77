import { Link } from 'react-router'
import { Message } from '../../../platform/web/ui/message.tsx'
import { StandalonePage } from '../../../platform/web/ui/page.tsx'
import type { ResultsState } from './quiz-state.ts'

/** The test was finished in another tab (product 3.3.14): nothing is left to answer here. */
export function FinishedElsewhere(props: {
  /** null where this tab doesn't know all answers */
  results: { url: string; state: ResultsState } | null
  backTo: string
}) {
  const { results } = props
  return (
    <StandalonePage>
      <Message
        title="You finished this test in another tab"
        isError
        actions={
          <>
            {results && (
              <Link to={results.url} state={results.state} replace className="btn">
                See the results
              </Link>
            )}
            <Link to={props.backTo} className={results ? 'btn btn-ghost' : 'btn'}>
              Back to Tests
            </Link>
          </>
        }
      >
        Your answers of both tabs are in it.
      </Message>
    </StandalonePage>
  )
}
