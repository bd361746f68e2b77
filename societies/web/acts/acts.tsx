/** Whom an act is for. */
export interface ActedOn {
  id: string
  username: string
  name: string | null
  room: string | null
  where: 'absent' | 'verified' | 'running' | 'submitted'
}

/**
 * What an organiser can do for the ticked candidates, or for one: give time, message, take a strike back,
 * reopen, end now. Each opens its dialog.
 * @param props.onDone when something was done: the lists around it are stale
 */
export function Acts(_props: { chosen: readonly ActedOn[]; onDone: () => void }) {
  return null
}
