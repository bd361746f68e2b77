import './styles.css'

// The page is there before any script: what it needs to be seen comes first on a slow line, what wakes it
// up (carousel, theme) after that. Its links work meanwhile.
const wakeUp = () => void import('../../pages/web/landing/wake-up.tsx')
if (document.readyState === 'complete') wakeUp()
else window.addEventListener('load', wakeUp, { once: true })
