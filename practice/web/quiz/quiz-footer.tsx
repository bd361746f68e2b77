import { ArrowLeft, ArrowRight } from 'lucide-react'
import { useKeysEnabled } from '../../../platform/web/preferences.ts'

/** Previous and Next or Finish Test, at the thumb (product 3.3.1, 3.3.3). */
export function QuizFooter(props: {
  isFirst: boolean
  isLast: boolean
  canGoOn: boolean
  onGoOn: () => void
  onGoBack: () => void
}) {
  const [areKeysEnabled] = useKeysEnabled()
  return (
    <div className="sticky bottom-0 border-line border-t bg-paper pb-[env(safe-area-inset-bottom)]">
      <div className="wrap flex max-w-[760px] items-center justify-between py-3.5">
        <button
          type="button"
          className="btn btn-ghost"
          disabled={props.isFirst}
          onClick={props.onGoBack}
        >
          <ArrowLeft size={18} aria-hidden />
          Previous
        </button>
        <div className="flex items-center gap-3">
          {areKeysEnabled && (
            <p aria-hidden className="hint pointer-coarse:hidden max-sm:hidden">
              <kbd>A</kbd>–<kbd>D</kbd> choose <kbd className="ml-2">Enter</kbd>{' '}
              {props.isLast ? 'finish' : 'next'}
            </p>
          )}
          <button type="button" className="btn" disabled={!props.canGoOn} onClick={props.onGoOn}>
            {props.isLast ? (
              'Finish Test'
            ) : (
              <>
                Next
                <ArrowRight size={18} aria-hidden />
              </>
            )}
          </button>
        </div>
      </div>
    </div>
  )
}
