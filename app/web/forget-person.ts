import { dailyTimers } from '../../daily/web/daily-timer.ts'
import { checkKeyOf } from '../../platform/web/preferences.ts'
import { deviceStore } from '../../platform/web/storage.ts'
import { dueSittings } from '../../practice/web/due/due-sitting.ts'
import { createDrafts } from '../../practice/web/quiz/quiz-draft.ts'
import { outbox } from '../../practice/web/use-outbox.tsx'

/** What this device keeps of a person: unfinished tests, unsent results, the daily timer. */
export function forgetPerson(userId: string): void {
  outbox.forget(userId)
  createDrafts(deviceStore, Date.now).forget(userId)
  dueSittings.forget(userId)
  dailyTimers.forget(userId)
  deviceStore.remove(checkKeyOf(userId))
}
