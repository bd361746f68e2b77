// Runs before the first paint. The Content-Security-Policy allows no inline script, so this is a file.
;(() => {
  const read = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }

  // Sets the theme, so that no page flashes in the wrong one. web/preferences.ts takes over later.
  const choice = read('superday-theme') ?? 'system'
  const dark =
    choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'

  // Redirects signed-in users from the landing page to the dashboard (product 1.4.1, 8.1.5). The check matches
  // storedSession of web/session.tsx.
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
  // Going back may restore the page as it was, without running the code above.
  addEventListener('pageshow', (event) => {
    if (event.persisted) leave()
  })
})()
