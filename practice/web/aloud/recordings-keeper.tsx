import { useEffect } from 'react'
import { useSession } from '../../../platform/web/session.tsx'
import { deviceStore } from '../../../platform/web/storage.ts'
import { RECORDINGS_KEPT } from './spoken-draft.ts'

/** Deletes recordings after their time and at sign-out, on any page; mounted once (product 3.13.6). */
export function RecordingsKeeper() {
  const session = useSession()
  const userId = session.status === 'loading' ? undefined : (session.user?.id ?? null)
  useEffect(() => {
    if (userId === undefined || deviceStore.get(RECORDINGS_KEPT) === null) return
    import('./recordings.ts')
      .then(({ keepOnly }) => keepOnly(userId, Date.now()))
      // Without the code or the storage there is nothing to be done now; the next page tries again.
      .catch(() => {})
  }, [userId])
  return null
}
