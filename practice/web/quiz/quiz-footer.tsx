import { ArrowLeft, ArrowRight } from 'lucide-react'
import { useKeysEnabled } from '../../../platform/web/preferences.ts'
import { ActionBar, KeyHints } from '../sitting/action-bar.tsx'

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
    <ActionBar
      aside={
        <button
          type="button"
          className="btn btn-ghost"
          disabled={props.isFirst}
          onClick={props.onGoBack}
        >
          <ArrowLeft size={18} aria-hidden />
          Previous
        </button>
      }
    >
      {areKeysEnabled && (
        <KeyHints
          hints={[
            ['A–D', 'choose'],
            ['Enter', props.isLast ? 'finish' : 'next'],
          ]}
        />
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
    </ActionBar>
  )
}
