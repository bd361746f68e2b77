import { ArrowLeft, ArrowRight } from 'lucide-react'
import { useKeysEnabled } from '../../../platform/web/preferences.ts'
import { ActionBar, KeyHints } from '../sitting/action-bar.tsx'

/** What the filled button does, and what Enter does in a word. */
const STEPS = {
  next: { label: 'Next', hint: 'next' },
  finish: { label: 'Finish Test', hint: 'finish' },
  check: { label: 'Check', hint: 'check' },
}

/** Previous and Next or Finish Test, or Check before them, at the thumb (product 3.3.1, 3.3.3, 3.3.16). */
export function QuizFooter(props: {
  isFirst: boolean
  step: keyof typeof STEPS
  /** the answer can still be chosen */
  canChoose: boolean
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
            ...(props.canChoose ? ([['A–D', 'choose']] as const) : []),
            ['Enter', STEPS[props.step].hint],
          ]}
        />
      )}
      <button
        type="button"
        className="btn min-w-[112px]"
        disabled={!props.canGoOn}
        onClick={props.onGoOn}
      >
        {STEPS[props.step].label}
        {props.step === 'next' && <ArrowRight size={18} aria-hidden />}
      </button>
    </ActionBar>
  )
}
