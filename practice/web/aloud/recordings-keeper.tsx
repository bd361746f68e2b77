import { useEffect } from 'react'
import { useSession } from '../../../platform/web/session.tsx'
import { deviceStore } from '../../../platform/web/storage.ts'
import { RECORDINGS_KEPT } from '../person-store.ts'

/** Deletes recordings when they expire and at sign-out (product 3.13.6). The app mounts it once, for all pages. */
export function RecordingsKeeper() {
  const session = useSession()
  const userId = session.status === 'loading' ? undefined : (session.user?.id ?? null)
  useEffect(() => {
    if (userId === undefined || deviceStore.get(RECORDINGS_KEPT) === null) return
    import('./recordings.ts')
      .then(({ keepOnly }) => keepOnly(userId, Date.now()))
      // If the code or the storage is unavailable, the next page tries again.
      .catch(() => {})
  }, [userId])
  return null
}
