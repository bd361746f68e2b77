// Runs before the first paint. A file of its own, because the Content-Security-Policy allows no inline script.
;(() => {
  const read = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }

  // The theme, so that no page flashes in the wrong one; web/preferences.ts goes on from here.
  const choice = read('superday-theme') ?? 'system'
  const dark =
    choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'

  // From the landing page, who is signed in goes on to the dashboard (product 1.4.1, 8.1.5). Asks for
  // what storedSession of web/session.tsx asks for.
  if (location.pathname !== '/') return
  const isSignedIn = () => {
    try {
      const session = JSON.parse(read('superday-auth') ?? 'null')
      return Boolean(session?.access_token && session.refresh_token && session.user)
    } catch {
      return false
    }
  }
  const leave = () => {
    const isLeaving = isSignedIn()
    document.documentElement.hidden = isLeaving
    if (isLeaving) location.replace('/dashboard')
  }
  leave()
  // Going back may show the page as it was left, without running anything above.
  addEventListener('pageshow', (event) => {
    if (event.persisted) leave()
  })
})()
