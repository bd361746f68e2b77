import { browserClock, type CourierClock } from '../../../platform/web/courier.ts'
import { deviceStore, type KeyValueStore } from '../../../platform/web/storage.ts'

/** What the assessment takes from the device; tests pass their own. */
export interface Environment extends CourierClock {
  /** the device's own clock, used only to notice that the device slept or that its clock was set */
  wallNow(): number
  store: KeyValueStore
}

export const browserEnvironment: Environment = {
  ...browserClock,
  wallNow: () => Date.now(),
  store: deviceStore,
}
