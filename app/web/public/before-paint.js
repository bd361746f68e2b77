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

  // This check matches storedSession of platform/web/session.tsx.
  const storedSession = () => {
    try {
      const session = JSON.parse(read('superday-auth') ?? 'null')
      return session?.access_token && session.refresh_token && session.user ? session : null
    } catch {
      return null
    }
  }

  // Requests today's practice while the dashboard's code is loading. platform/web/api.ts uses the response.
  if (location.pathname === '/dashboard') {
    const session = storedSession()
    if (!session || session.expires_at * 1000 < Date.now() + 60_000) return
    const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
    const day = new Date().toLocaleDateString('sv')
    const url = `/api/practice/today?${new URLSearchParams({ timeZone, day })}`
    const token = session.access_token
    const answer = fetch(url, { headers: { Authorization: `Bearer ${token}` } })
    answer.catch(() => {})
    globalThis.earlyCall = { url, token, answer }
  }

  // Redirects signed-in users from the landing page to the dashboard (product 1.4.1, 8.1.5).
  if (location.pathname !== '/') return
  const leave = () => {
    const isLeaving = storedSession() !== null
    document.documentElement.hidden = isLeaving
    if (isLeaving) location.replace('/dashboard')
  }
  leave()
  // Going back may restore the page as it was, without running the code above.
  addEventListener('pageshow', (event) => {
    if (event.persisted) leave()
  })
})()
