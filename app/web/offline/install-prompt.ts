import { useSyncExternalStore } from 'react'
import { Changing } from '../../../platform/web/changing.ts'

/** Chromium's way to let a page ask for its installation; no library of types knows it. */
interface InstallEvent extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}

let offered: InstallEvent | null = null
const changing = new Changing()

function keep(event: InstallEvent | null): void {
  offered = event
  changing.changed()
}

// It comes once, before any screen that would ask for it.
addEventListener('beforeinstallprompt', (event) => {
  // Asked for in our own place, and quietly (product 3.17.9).
  event.preventDefault()
  keep(event as InstallEvent)
})
addEventListener('appinstalled', () => keep(null))

/** What asks the browser to install the product; null where it cannot, or has done so. */
export function useInstall(): (() => Promise<void>) | null {
  const event = useSyncExternalStore(changing.subscribe, () => offered)
  if (!event) return null
  return async () => {
    const { outcome } = await event.prompt()
    // A browser's question can be asked once.
    if (outcome === 'accepted' || offered === event) keep(null)
  }
}

/** Whether this is the installed product: a window of its own, or the Home Screen's. */
export const isInstalled = (): boolean => matchMedia('(display-mode: standalone)').matches

/** iPhone and iPad install by hand alone, and say so nowhere. */
export const isAppleTouch = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

/** Why one would. */
export const INSTALL_HINT = 'Installed, it opens like any other app: on the bus, on a plane.'
/** iPhone and iPad. */
export const APPLE_HINT =
  'Put it on your Home Screen: in Safari tap Share, then “Add to Home Screen”.'
