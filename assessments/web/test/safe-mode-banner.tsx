import { Maximize, ShieldCheck } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { nameOfAct } from '../../violations.ts'
import type { RunningView } from '../attempt/attempt-view.ts'
import type { Proctor } from '../attempt/seen/proctor.ts'

function subscribe(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener)
  return () => document.removeEventListener('fullscreenchange', listener)
}

/**
 * 'Exam Safe Mode' (product 6.5.2): names what is recorded, and what was recorded last. The button is there while the page
 * is not fullscreen, and not at all where it can't be (an iPhone).
 */
export function SafeModeBanner(props: {
  view: RunningView
  proctor: Proctor | null
  /** the button that was pressed is gone */
  onFullscreen: () => void
}) {
  const { view, proctor } = props
  const { lastStrike, violations, maxViolations } = view
  const isFullscreen = useSyncExternalStore(subscribe, () => document.fullscreenElement !== null)
  const canEnter = document.fullscreenEnabled && !isFullscreen
  return (
    <aside aria-label="Exam Safe Mode" className="border-line border-b bg-sunken">
      {/* As high with the button as without, before a strike as after: the options must not move under a finger. */}
      <div className="wrap flex min-h-14 short:min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2 short:py-1 text-[15px] max-sm:min-h-22">
        {/* On a phone what was recorded has a line of its own, below the button. */}
        <p className="contents">
          <span className="flex items-center gap-3 font-semibold">
            <ShieldCheck size={18} aria-hidden className="flex-none" />
            Exam Safe Mode
          </span>
          {lastStrike && violations > 0 ? (
            <span className="max-sm:order-last max-sm:basis-full max-sm:text-[13px] sm:mr-auto">
              Recorded: {nameOfAct(lastStrike.kind, lastStrike.detail?.key)}, strike {violations}/
              {maxViolations}.
            </span>
          ) : (
            <span className="max-sm:order-last max-sm:basis-full max-sm:text-[13px] sm:mr-auto">
              Leaving this page, copying and shortcuts are recorded.
            </span>
          )}
        </p>
        {canEnter && (
          <button
            type="button"
            className="btn btn-ghost btn-nav"
            onClick={() => {
              proctor?.expectFullscreen()
              document.documentElement.requestFullscreen().then(props.onFullscreen, () => {
                // The browser may refuse; the test goes on without.
              })
            }}
          >
            <Maximize size={16} aria-hidden />
            Enter Fullscreen
          </button>
        )}
      </div>
    </aside>
  )
}
