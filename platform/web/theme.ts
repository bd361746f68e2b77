import { deviceStore } from './storage.ts'

/** app/web/public/before-paint.js also reads it, before the first paint. */
const THEME_KEY = 'superday-theme'

export const THEMES = ['light', 'dark', 'system'] as const
export type Theme = (typeof THEMES)[number]

/** The theme chosen on this device, by default 'system'. */
export function themeNow(): Theme {
  const stored = deviceStore.get(THEME_KEY)
  return THEMES.find((theme) => theme === stored) ?? 'system'
}

export function applyTheme(): void {
  document.documentElement.dataset.theme = isDarkWanted() ? 'dark' : 'light'
}

function isDarkWanted(): boolean {
  const theme = themeNow()
  if (theme !== 'system') return theme === 'dark'
  return matchMedia('(prefers-color-scheme: dark)').matches
}

export function storeTheme(theme: Theme): void {
  deviceStore.set(THEME_KEY, theme)
  applyTheme()
}
