import { ArrowLeft, ArrowRight } from 'lucide-react'
import { useKeysEnabled } from '../../../platform/web/preferences.ts'
import { listOf } from '../../../platform/words.ts'

/** Previous, Next, and Submit Test on the last question (product 6.5.3, 6.5.4, 6.9.1). */
export function TestFooter(props: {
  isFirst: boolean
  isLast: boolean
  /** Numbers of the unanswered questions. */
  open: number[]
  isSubmitting: boolean
  isLocked: boolean
  /** The business-school sessions have centered buttons. */
  isCentred: boolean
  onGoOn: () => void
  onGoBack: () => void
  onSubmit: () => void
}) {
  const { isLast, open, isSubmitting } = props
  return (
    <div className="mt-8">
      <div className={`flex gap-3 ${props.isCentred ? 'justify-center' : ''}`}>
        <button
          type="button"
          className="btn btn-ghost"
          disabled={props.isFirst || props.isLocked}
          onClick={props.onGoBack}
        >
          <ArrowLeft size={18} aria-hidden />
          Previous
        </button>
        {isLast ? (
          <button
            type="button"
            className="btn"
            disabled={open.length > 0 || isSubmitting || props.isLocked}
            onClick={props.onSubmit}
          >
            {isSubmitting ? 'Submitting...' : 'Submit Test'}
          </button>
        ) : (
          <button type="button" className="btn" disabled={props.isLocked} onClick={props.onGoOn}>
            Next
            <ArrowRight size={18} aria-hidden />
          </button>
        )}
      </div>
      {isLast && open.length > 0 && (
        <p className={`hint mt-3 ${props.isCentred ? 'text-center' : ''}`}>
          You can submit once every question is answered. Unanswered: {listOf(open)}.
        </p>
      )}
      <KeysHint isLast={isLast} isCentred={props.isCentred} />
    </div>
  )
}

function KeysHint({ isLast, isCentred }: { isLast: boolean; isCentred: boolean }) {
  const [areKeysEnabled, setKeysEnabled] = useKeysEnabled()
  return (
    <div
      className={`mt-6 flex flex-wrap items-center gap-x-4 gap-y-1 max-sm:hidden pointer-coarse:hidden ${isCentred ? 'justify-center' : ''}`}
    >
      {areKeysEnabled && (
        <p className="hint">
          <kbd>A</kbd>–<kbd>D</kbd> choose
          {!isLast && (
            <>
              {' '}
              <kbd className="ml-2">Enter</kbd> next
            </>
          )}
        </p>
      )}
      <button
        type="button"
        aria-pressed={areKeysEnabled}
        aria-label="Single-key shortcuts"
        className="hint min-h-6 underline underline-offset-3 hover:text-ink"
        onClick={() => setKeysEnabled(!areKeysEnabled)}
      >
        {areKeysEnabled ? 'Turn keys off' : 'Turn keys on'}
      </button>
    </div>
  )
}
