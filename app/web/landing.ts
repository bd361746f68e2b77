import './styles.css'
import { storeTheme, THEMES } from '../../platform/web/theme.ts'

// The page is visible before any script runs. On a slow connection, its scripts (question, carousel, theme) load after
// what is needed to see it. Until then links and the theme choice work.
const chooseEarly = ({ target }: Event) => {
  const theme = target instanceof HTMLInputElement && THEMES.find((one) => one === target.value)
  if (theme) storeTheme(theme)
}
document.addEventListener('change', chooseEarly)
// An answer pressed before the scripts are ready is pressed again afterwards.
let pressed: HTMLElement | null = null
const pressEarly = ({ target }: Event) => {
  pressed = target instanceof Element ? target.closest<HTMLElement>('[data-answer]') : null
}
document.addEventListener('click', pressEarly)
const wakeUp = async () => {
  await import('../../pages/web/landing/wake-up.tsx')
  document.removeEventListener('change', chooseEarly)
  document.removeEventListener('click', pressEarly)
  pressed?.click()
}
if (document.readyState === 'complete') void wakeUp()
else window.addEventListener('load', () => void wakeUp(), { once: true })
