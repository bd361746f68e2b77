import { browserClock, type CourierClock } from '../../../platform/web/courier.ts'
import { deviceStore, type KeyValueStore } from '../../../platform/web/storage.ts'

/** The parts of the device that the assessment uses. Tests pass their own. */
export interface Environment extends CourierClock {
  /** The device's clock, used only to notice that the device slept or its clock was set. */
  wallNow(): number
  store: KeyValueStore
}

export const browserEnvironment: Environment = {
  ...browserClock,
  wallNow: () => Date.now(),
  store: deviceStore,
}
