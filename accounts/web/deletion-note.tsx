import { useEffect, useState } from 'react'
import { tabStore } from '../../platform/web/storage.ts'

const NOTE_KEY = 'superday-account-deleted'

/** Makes the next page say that the account was deleted, because this one is about to disappear. */
export function noteDeletion(): void {
  tabStore.set(NOTE_KEY, '1')
}

/** Confirms the deletion in this tab, and says that it is still running (product 2.8.8). */
export function DeletionNote() {
  const [isDue] = useState(() => tabStore.get(NOTE_KEY) !== null)
  useEffect(() => tabStore.remove(NOTE_KEY), [])
  if (!isDue) return null
  return (
    <div role="status" className="mb-8 border-l-2 border-l-right pl-4">
      <p className="font-medium">Your account is closed.</p>
      <p className="mt-1 text-[15px] text-ink-2">
        You’re signed out on every device, and no one can sign in to the account again. Your data is
        being removed, which takes a few minutes at most. You don’t need to wait.
      </p>
    </div>
  )
}
