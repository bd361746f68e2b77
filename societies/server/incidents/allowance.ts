import { isAllowance } from '../../minutes.ts'
import { OrganiserRefusal } from '../refusal.ts'

/** Errors: OrganiserRefusal for anything but whole seconds up to a day (product 7.1.4). */
export function requireAllowance(seconds: number): void {
  if (!isAllowance(seconds)) throw new OrganiserRefusal('no_such_time', { seconds })
}
