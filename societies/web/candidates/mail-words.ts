import { numberWord } from '../../../platform/words.ts'
import type { CandidateFacts } from '../../contract/candidates.ts'
import { plainMailError } from '../../credential-letter.ts'

/** How a candidate's password stands, in a word. */
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

/** Whether somebody should look. */
export const isAmber = (state: PasswordState): boolean => state === 'refused' || state === 'unsure'

/** 'Sent', 'Refused': of a mail that was taken nobody knows whether it arrived. */
export const PASSWORD_WORDS: Readonly<Record<PasswordState, string>> = {
  none: 'Not sent',
  waiting: 'Waiting',
  sent: 'Sent',
  paper: 'On paper',
  refused: 'Refused',
  stopped: 'Stopped',
  unsure: 'Unsure',
}

/** Whether a mail is the next sensible thing: there is an address, and no password that somebody has. */
export function needsMail(one: CandidateFacts): boolean {
  const state = passwordStateOf(one)
  return (
    one.email !== null &&
    !one.isRevoked &&
    one.attempt === 'none' &&
    one.passwordMadeAt === null &&
    state !== 'waiting'
  )
}

/** Whether the mail that left, or the printed slip, tells another time than holds now, and nothing is begun yet. */
export const isMisled = (one: CandidateFacts): boolean =>
  one.isToldOtherwise && !one.isRevoked && one.attempt === 'none'

/** Whether a new mail has to tell the time anew; who has a slip needs another slip. */
export const needsNewTime = (one: CandidateFacts): boolean =>
  isMisled(one) && one.email !== null && passwordStateOf(one) !== 'paper'

/** Whether a new slip has to tell the time anew. */
export const needsNewSlip = (one: CandidateFacts): boolean =>
  isMisled(one) && passwordStateOf(one) === 'paper'

const STOPPED: Readonly<Record<string, string>> = {
  asked: 'stopped by an organiser',
  address_changed: 'stopped, because the address was changed',
  shut_out: 'stopped, because the candidate was shut out',
  not_open: 'stopped, because nobody can start any more',
}

/** A line of the password's history, in words. */
export function mailSentence({
  state,
  address,
  error,
}: NonNullable<CandidateFacts['mail']>): string {
  switch (state) {
    case 'queued':
      return error
        ? `waits for another try to ${address}. ${plainMailError(error)}`
        : `waits to leave for ${address}`
    case 'sent':
      return `sent to ${address}`
    case 'failed':
      return `refused for ${address}. ${plainMailError(error ?? '')}`
    case 'stopped':
      return STOPPED[error ?? ''] ?? 'stopped'
    default:
      return `perhaps sent to ${address}: the server stopped in that moment. If it did not arrive, send a new one.`
  }
}

/** '128 on the list. Three mails were refused.' */
export function headlineOf(listed: readonly CandidateFacts[]): string {
  const count = (state: string) => listed.filter((one) => passwordStateOf(one) === state).length
  const [refused, unsure, waiting] = [count('refused'), count('unsure'), count('waiting')]
  const misled = listed.filter(isMisled).length
  const withoutAny = listed.filter(({ passwordMadeAt, mail }) => {
    return passwordMadeAt === null && mail?.state !== 'queued'
  }).length
  const finding =
    refused > 0
      ? refused === 1
        ? 'One mail was refused.'
        : `${numberWord(refused)} mails were refused.`
      : unsure > 0
        ? `${numberWord(unsure)} may have got their mail or not.`
        : misled > 0
          ? `${numberWord(misled)} ${misled === 1 ? 'was' : 'were'} told another time.`
          : withoutAny === listed.length
            ? 'Nobody has a password yet.'
            : withoutAny > 0
              ? `${numberWord(withoutAny)} ${withoutAny === 1 ? 'has' : 'have'} no password yet.`
              : waiting > 0
                ? waiting === 1
                  ? 'One password is on its way.'
                  : `${numberWord(waiting)} passwords are on their way.`
                : 'Each has a password.'
  return `${listed.length} on the list. ${finding}`
}
