import { useSyncExternalStore } from 'react'
import { deviceStore } from './storage.ts'
import { applyTheme, storeTheme, type Theme, themeNow } from './theme.ts'

/** What a person chose for this device: theme (theme.ts), sound, single-key shortcuts, confirming. */
const MUTED_KEY = 'superday-muted'
const KEYS_KEY = 'superday-keys'
const CONFIRM_KEY = 'superday-confirm'

const listeners = new Set<() => void>()

function write(key: string, value: string): void {
  deviceStore.set(key, value)
  changed()
}

function changed(): void {
  applyTheme()
  for (const listener of listeners) listener()
}

const isMuted = () => deviceStore.get(MUTED_KEY) === 'true'
const areKeysEnabled = () => deviceStore.get(KEYS_KEY) !== 'false'
const areAnswersConfirmed = () => deviceStore.get(CONFIRM_KEY) !== 'false'

// Node (the unit tests) has no window, and needs none of this.
if (typeof window !== 'undefined') {
  // The system's theme or another tab's choice may change while this page is open.
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme)
  window.addEventListener('storage', (event) => {
    // A null key means that the whole storage was cleared.
    if (event.key === null || event.key.startsWith('superday-')) changed()
  })
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The chosen theme, and the function that changes it. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  return [
    // The landing page is prerendered for who has chosen nothing.
    useSyncExternalStore(subscribe, themeNow, () => 'system'),
    (theme) => {
      storeTheme(theme)
      changed()
    },
  ]
}

/** Whether the beep is muted, and the function that changes it. */
export function useMuted(): [boolean, (muted: boolean) => void] {
  return [useSyncExternalStore(subscribe, isMuted), (muted) => write(MUTED_KEY, String(muted))]
}

/** Where it is kept whether a person checks answers as they go. */
export const checkKeyOf = (userId: string): string => `superday-check:${userId}`

/** Whether this person wants each answer of a test judged at once (product 3.3.16), and the function that changes it. */
export function useChecksAsIGo(userId: string): [boolean, (checks: boolean) => void] {
  return [
    useSyncExternalStore(subscribe, () => deviceStore.get(checkKeyOf(userId)) === 'true'),
    (checks) => write(checkKeyOf(userId), String(checks)),
  ]
}

/** Whether single keys (A to D, 1 to 4) answer in the quiz (WCAG 2.1.4), and the function that changes it. */
export function useKeysEnabled(): [boolean, (enabled: boolean) => void] {
  return [
    // Prerendered they do nothing yet.
    useSyncExternalStore(subscribe, areKeysEnabled, () => true),
    (enabled) => write(KEYS_KEY, String(enabled)),
  ]
}

/**
 * Whether a chosen answer counts only once it is confirmed, where it is judged at once (product 3.10.7), and
 * the function that changes it: one setting for every such screen.
 */
export function useConfirmsAnswers(): [boolean, (confirms: boolean) => void] {
  return [
    useSyncExternalStore(subscribe, areAnswersConfirmed),
    (confirms) => write(CONFIRM_KEY, String(confirms)),
  ]
}
