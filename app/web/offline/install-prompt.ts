import { useSyncExternalStore } from 'react'
import { Changing } from '../../../platform/web/changing.ts'

/** Chromium's event for installing a page. TypeScript's libraries don't declare it. */
interface InstallEvent extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}

let offered: InstallEvent | null = null
const changing = new Changing()

function keep(event: InstallEvent | null): void {
  offered = event
  changing.changed()
}

// The event fires once, before any screen that needs it.
addEventListener('beforeinstallprompt', (event) => {
  // We ask in our own place and unobtrusively (product 3.17.9).
  event.preventDefault()
  keep(event as InstallEvent)
})
addEventListener('appinstalled', () => keep(null))

/** Returns a function that asks the browser to install the product, or null if it can't or already did. */
export function useInstall(): (() => Promise<void>) | null {
  const event = useSyncExternalStore(changing.subscribe, () => offered)
  if (!event) return null
  return async () => {
    const { outcome } = await event.prompt()
    // Each prompt can be shown only once.
    if (outcome === 'accepted' || offered === event) keep(null)
  }
}

/** Whether this is the installed product, in its own window or from the Home Screen. */
export const isInstalled = (): boolean => matchMedia('(display-mode: standalone)').matches

/** iPhone and iPad can only be installed by hand, and can't report it. */
export const isAppleTouch = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

/** The reason to install. */
export const INSTALL_HINT = 'Installed, it opens like any other app: on the bus, on a plane.'
/** iPhone and iPad. */
export const APPLE_HINT =
  'Put it on your Home Screen: in Safari tap Share, then “Add to Home Screen”.'
