import { ArrowLeft, ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useKeysEnabled } from '../../../platform/web/preferences.ts'

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
