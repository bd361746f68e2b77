import './styles.css'
import { storeTheme, THEMES } from '../../platform/web/theme.ts'

// The page is there before any script: what it needs to be seen comes first on a slow line, what wakes it
// up (question, carousel, theme) after that. Its links work meanwhile, and so does the choice of a theme.
const chooseEarly = ({ target }: Event) => {
  const theme = target instanceof HTMLInputElement && THEMES.find((one) => one === target.value)
  if (theme) storeTheme(theme)
}
document.addEventListener('change', chooseEarly)
// An answer that is pressed before the page is awake counts: it is pressed again then.
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
