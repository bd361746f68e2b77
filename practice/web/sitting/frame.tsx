import {
  ArrowLeft,
  ArrowRight,
  Keyboard,
  KeyboardOff,
  type LucideIcon,
  Volume2,
  VolumeX,
  X,
} from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect } from 'react'
import { Link, useSearchParams } from 'react-router'
import { partOfSuperdayUrl, superdayUrl } from '../../../platform/urls.ts'
import { useKeysEnabled, useMuted } from '../../../platform/web/preferences.ts'
import { LoadingNote, QuestionSkeleton } from '../../../platform/web/ui/skeleton.tsx'
import { outbox } from '../use-outbox.tsx'
import { type Tick, Ticks } from './ticks.tsx'

interface Closing {
  closeTo: string
  closeLabel: string
}

/** In a mock superday, closing leads back to the session instead of `closeTo`. */
export function HeadFrame(props: Closing & { below: ReactNode; children?: ReactNode }) {
  const evening = useEveningOfPart()
  return (
    <header className="bg-paper">
      <div className="sitting-wrap flex h-16 items-center gap-2">
        <Link
          to={evening?.to ?? props.closeTo}
          aria-label={props.closeLabel}
          className="icon-btn -ml-3"
        >
          <X size={20} aria-hidden />
        </Link>
        {props.children}
      </div>
      {props.below}
    </header>
  )
}

export function SittingHead(
  props: Closing & {
    title: string
    index: number
    ticks: readonly Tick[]
    /** whether a reload loses the answers; undefined: not said */
    isLostOnReload?: boolean
    children?: ReactNode
  },
) {
  // Leaving sends the answers so far.
  useEffect(() => outbox.wake, [])
  const below = (
    <>
      <Ticks ticks={props.ticks} />
      {props.isLostOnReload !== undefined && (
        <p role="status" className="sitting-wrap hint">
          {props.isLostOnReload && "Your browser can't save your answers. Reloading loses them."}
        </p>
      )}
    </>
  )
  return (
    <HeadFrame {...props} below={below}>
      <p className="min-w-0 flex-1 truncate text-[14px] text-ink-2 sm:text-[15px]">{props.title}</p>
      {props.children}
      <p className="ml-auto whitespace-nowrap pr-2 font-medium text-ink-2">
        <span className="sr-only">Question </span>
        <span className="font-semibold text-ink">{props.index + 1}</span>
        <span aria-hidden> / </span>
        <span className="sr-only"> of </span>
        {props.ticks.length}
      </p>
      <SittingToggles />
    </HeadFrame>
  )
}

export function SittingToggles() {
  const [isMuted, setMuted] = useMuted()
  const [areKeysEnabled, setKeysEnabled] = useKeysEnabled()
  return (
    <>
      <Toggle
        label="Single-key shortcuts"
        hint={areKeysEnabled ? 'Single-key shortcuts are on' : 'Single-key shortcuts are off'}
        isPressed={areKeysEnabled}
        onChange={setKeysEnabled}
        // Phones have no keys to switch off. The Personal Hub always has the setting.
        className="pointer-coarse:hidden"
        icon={areKeysEnabled ? Keyboard : KeyboardOff}
      />
      <Toggle
        label="Mute sound"
        hint={isMuted ? 'Sound is off' : 'Sound is on'}
        isPressed={isMuted}
        onChange={setMuted}
        className="-mr-3"
        icon={isMuted ? VolumeX : Volume2}
      />
    </>
  )
}

function Toggle(props: {
  label: string
  hint: string
  isPressed: boolean
  onChange: (isPressed: boolean) => void
  className: string
  icon: LucideIcon
}) {
  const { icon: Icon } = props
  return (
    <button
      type="button"
      aria-label={props.label}
      title={props.hint}
      aria-pressed={props.isPressed}
      onClick={() => props.onChange(!props.isPressed)}
      className={`icon-btn ${props.className}`}
    >
      <Icon size={20} aria-hidden />
    </button>
  )
}

/** The frame of a sitting while its questions load, so nothing moves. */
export function SittingSkeleton(props: Closing) {
  return (
    <div className="sitting">
      <HeadFrame {...props} below={<div className="h-[3px] bg-line" />} />
      <main className="sitting-wrap sitting-question">
        <div>
          <LoadingNote>Loading questions</LoadingNote>
          <QuestionSkeleton />
        </div>
      </main>
    </div>
  )
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Returns the mock superday in the address, or null if the screen was opened by itself (product 3.15.2). */
export function useEveningOfPart() {
  const id = useSearchParams()[0].get('superday')
  if (id === null || !UUID.test(id)) return null
  return { to: superdayUrl(id), within: (url: string) => partOfSuperdayUrl(url, id) }
}

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

export function StepBar(
  props: ComponentProps<typeof KeyHints> & {
    aside: ReactNode
    label: string
    canGoOn: boolean
    onGoOn: () => void
  },
) {
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
