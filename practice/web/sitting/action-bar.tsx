import { ArrowLeft, ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useKeysEnabled } from '../../../platform/web/preferences.ts'

/** The bar at the thumb: the one filled button at its right, whatever else there is at its left. */
export function ActionBar({ aside, children }: { aside?: ReactNode; children: ReactNode }) {
  return (
    <div className="action-bar">
      <div className="sitting-wrap flex items-center justify-between gap-3">
        <div className="flex min-w-0 items-center gap-3">{aside}</div>
        <div className="flex flex-none items-center gap-4">{children}</div>
      </div>
    </div>
  )
}

/** Keys and what they do, beside the button; left out where there is no keyboard. */
export function KeyHints({ hints }: { hints: readonly (readonly [keys: string, does: string])[] }) {
  return (
    <p aria-hidden className="hint flex items-center gap-3 pointer-coarse:hidden max-nav:hidden">
      {hints.map(([keys, does]) => (
        <span key={keys} className="flex items-center gap-1.5">
          <kbd>{keys}</kbd> {does}
        </span>
      ))}
    </p>
  )
}

/** The bar under a question: the keys that work there, and the button of the next step. */
export function StepBar(props: {
  aside: ReactNode
  hints: readonly (readonly [keys: string, does: string])[]
  label: string
  canGoOn: boolean
  onGoOn: () => void
}) {
  const [areKeysEnabled] = useKeysEnabled()
  return (
    <ActionBar aside={props.aside}>
      {areKeysEnabled && <KeyHints hints={props.hints} />}
      <button
        type="button"
        className="btn min-w-[112px]"
        disabled={!props.canGoOn}
        onClick={props.onGoOn}
      >
        {props.label}
        {props.label === 'Next' && <ArrowRight size={18} aria-hidden />}
      </button>
    </ActionBar>
  )
}

/** Previous and Next or Finish Test, or Check before them, at the thumb (product 3.3.1, 3.3.3, 3.3.16). */
export function SittingFooter(props: {
  isFirst: boolean
  step: 'Next' | 'Check' | 'Finish Test' | 'Finish Case'
  canChoose: boolean
  canGoOn: boolean
  onGoOn: () => void
  onGoBack: () => void
}) {
  const [does = ''] = props.step.toLowerCase().split(' ')
  return (
    <StepBar
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
      hints={[...(props.canChoose ? ([['A–D', 'choose']] as const) : []), ['Enter', does]]}
      label={props.step}
      canGoOn={props.canGoOn}
      onGoOn={props.onGoOn}
    />
  )
}
