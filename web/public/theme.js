// Runs before the first paint, so that the page never flashes in the wrong theme. A file of its own,
// because the Content-Security-Policy allows no inline script.
;(() => {
  let choice = 'system'
  try {
    choice = localStorage.getItem('superday-theme') || 'system'
  } catch {}
  const dark =
    choice === 'dark' || (choice === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
})()
