import { dailyTimers } from '../../daily/web/daily-timer.ts'
import { checkKeyOf } from '../../platform/web/preferences.ts'
import { deviceStore } from '../../platform/web/storage.ts'
import { createSpokenDrafts } from '../../practice/web/aloud/spoken-draft.ts'
import { caseSittings } from '../../practice/web/cases/case-sitting.ts'
import { drillRuns } from '../../practice/web/drill/drill-runs.ts'
import { dueSittings } from '../../practice/web/due/due-store.ts'
import { createDrafts } from '../../practice/web/quiz/quiz-draft.ts'
import { outbox } from '../../practice/web/use-outbox.tsx'

/** What this device keeps of a person: unfinished tests and drills, unsent results, unchecked spoken answers, the daily timer. */
export function forgetPerson(userId: string): void {
  outbox.forget(userId)
  createDrafts(deviceStore, Date.now).forget(userId)
  createSpokenDrafts(deviceStore, Date.now).forget(userId)
  dueSittings.forget(userId)
  drillRuns.forget(userId)
  caseSittings.forget(userId)
  dailyTimers.forget(userId)
  deviceStore.remove(checkKeyOf(userId))
}
