import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { URLS } from '../../platform/urls.ts'
import { connectivity, useOffline } from '../../platform/web/connection/connectivity.ts'
import { useTitle } from '../../platform/web/ui/page.tsx'

/** How the browsers say that a part of the application could not be fetched. */
const CHUNK_FAILURE =
  /dynamically imported module|importing a module script failed|unable to preload css/i

/**
 * What stands where a screen failed. A part that can't be fetched is mostly one of an older version, gone
 * since the new one: reloading brings that. Where the connection was lost, the page reloads by itself once
 * the server answers again (product 1.5.6). Both ways out load the whole page anew.
 */
export function RouteError() {
  const error = useRouteError()
  const isChunk = error instanceof Error && CHUNK_FAILURE.test(error.message)
  const isCutOff = useReloadWhenBack(isChunk)
  useTitle(isChunk ? 'Please reload' : 'Something went wrong')
  return (
    <main className="wrap wrap-narrow py-16 nav:py-24">
      <h1>{isChunk ? 'This page could not be loaded' : 'Something went wrong'}</h1>
      <p role="status" className="mt-5 max-w-[56ch] text-ink-2">
        {isCutOff
          ? 'There is no connection to Superday at this moment. As soon as there is, this page loads by itself. What you finished is not lost.'
          : isChunk
            ? 'Superday may have been updated while you were here, or the connection was lost. Reloading mostly helps. What you finished is not lost.'
            : 'An unexpected error occurred. Please try again. What you finished is not lost.'}
      </p>
      <div className="mt-8 flex flex-wrap gap-3">
        <button type="button" className="btn" onClick={() => location.reload()}>
          Reload
        </button>
        <a href={URLS.landing} className="btn btn-ghost">
          Back to home
        </a>
      </div>
    </main>
  )
}

/**
 * Reloads once the server answers again, where it did not when the part was missed. Where it did answer, the
 * part is gone for another reason, and a reload by itself could go round for ever.
 * @returns whether the server is out of reach now
 */
function useReloadWhenBack(isWatching: boolean): boolean {
  const isOffline = useOffline()
  useEffect(() => {
    if (!isWatching) return
    let wasAway = connectivity.isOffline()
    if (!wasAway) void connectivity.check()
    return connectivity.subscribe(() => {
      if (connectivity.isOffline()) wasAway = true
      else if (wasAway) location.reload()
    })
  }, [isWatching])
  return isWatching && isOffline
}
