import { numberWord } from '../../../platform/words.ts'
import type { CandidateFacts } from '../contract.ts'

export type PasswordState = 'none' | 'waiting' | 'sent' | 'paper' | 'refused' | 'stopped' | 'unsure'

/** The newest of what happened counts: a slip that was printed after a mail replaces its password. */
export function passwordStateOf({ mail, passwordMadeAt }: CandidateFacts): PasswordState {
  if (mail?.state === 'queued') return 'waiting'
  if (mail === null || (passwordMadeAt && passwordMadeAt > mail.at)) {
    return passwordMadeAt === null ? 'none' : 'paper'
  }
  if (mail.state === 'failed') return 'refused'
  return mail.state
}

/** Whether a first password can be mailed. */
export const needsMail = (one: CandidateFacts): boolean =>
  one.email !== null &&
  !one.isRevoked &&
  one.attempt === 'none' &&
  one.passwordMadeAt === null &&
  passwordStateOf(one) !== 'waiting'

/** Whether the mail or the printed slip names a time that has changed since, and the candidate has not started. */
export const isMisled = (one: CandidateFacts): boolean =>
  one.isToldOtherwise && !one.isRevoked && one.attempt === 'none'

/** Whether a new mail has to name the new time. */
export const needsNewTime = (one: CandidateFacts): boolean =>
  isMisled(one) && one.email !== null && passwordStateOf(one) !== 'paper'

/** Whether a new slip has to name the new time. */
export const needsNewSlip = (one: CandidateFacts): boolean =>
  isMisled(one) && passwordStateOf(one) === 'paper'

/** '128 on the list. Three mails were refused.' */
export function headlineOf(listed: readonly CandidateFacts[]): string {
  const inState = (state: PasswordState) =>
    listed.filter((one) => passwordStateOf(one) === state).length
  const [refused, unsure, waiting] = [inState('refused'), inState('unsure'), inState('waiting')]
  const misled = listed.filter(isMisled).length
  const without = listed.filter(
    ({ passwordMadeAt, mail }) => passwordMadeAt === null && mail?.state !== 'queued',
  ).length
  const say = (count: number, one: string, many: string) =>
    `${numberWord(count)} ${count === 1 ? one : many}.`
  const findings: [isSo: boolean, sentence: string][] = [
    [refused > 0, say(refused, 'mail was refused', 'mails were refused')],
    [unsure > 0, say(unsure, 'mail may not have arrived', 'mails may not have arrived')],
    [misled > 0, say(misled, 'was told another time', 'were told another time')],
    [without === listed.length, 'Nobody has a password yet.'],
    [without > 0, say(without, 'has no password yet', 'have no password yet')],
    [waiting > 0, say(waiting, 'password is on its way', 'passwords are on their way')],
    [true, 'Each has a password.'],
  ]
  return `${listed.length} on the list. ${findings.find(([isSo]) => isSo)?.[1]}`
}
