import { eq } from 'drizzle-orm'
import type { Database } from '../../platform/database/database.ts'
import { type Letter, writeLetter } from '../../platform/server/letter.ts'
import type { MailKind } from '../../platform/server/mail-queue.ts'
import { ADDRESS_CHANGE_IN_WORDS, RECOVERY_IN_WORDS } from '../limits.ts'
import { ADDRESS_CHANGE_MAIL, makeAddressToken } from './recovery/address-change.ts'
import { makeRecoveryToken } from './recovery/recovery.ts'
import { users } from './tables.ts'

type AccountMail =
  | 'recovery'
  | 'password_changed'
  | 'email_changed'
  | typeof ADDRESS_CHANGE_MAIL
  | 'second_factor_on'
  | 'second_factor_off'
  | 'second_factor_tries'

export function createAccountMails({
  db,
  now,
  publicUrl,
  secretKey,
}: {
  db: Database
  now: () => Date
  /** without a trailing slash */
  publicUrl: string
  secretKey: Buffer
}): Record<AccountMail, MailKind> {
  /** Tells an account's owner about a change and links to the sign-in. */
  const notice = (
    subject: string,
    what: (at: string) => string,
    ifYou = 'there is nothing to do.',
    ifNot = "ask for a new password now: choose 'Forgot password?' on this page.",
  ): MailKind => ({
    write: async ({ createdAt }) =>
      writeLetter(subject, `${publicUrl}/auth`, [
        'Hello,',
        what(dateOf(createdAt)),
        `If that was you, ${ifYou}`,
        `If it wasn't you, ${ifNot}`,
        { button: 'Go to sign-in', link: `${publicUrl}/auth` },
      ]),
  })
  return {
    recovery: {
      async write({ recipient }) {
        const [user] = await db
          .select({ id: users.id })
          .from(users)
          .where(eq(users.email, recipient))
        if (!user) return null
        // Each try creates a new token just before sending, so the table never contains a usable token.
        const { token, code } = await makeRecoveryToken(db, secretKey, now(), user.id)
        return recoveryLetter(`${publicUrl}/auth?recovery=${token}`, code)
      },
      async sent({ recipient }) {
        await db.update(users).set({ recoverySentAt: now() }).where(eq(users.email, recipient))
      },
    },
    password_changed: notice(
      'Your password was changed',
      (at) =>
        `The password of your Superday account was changed on ${at}. Every other device was signed out.`,
    ),
    email_changed: { write: async ({ createdAt }) => emailChangedLetter(publicUrl, createdAt) },
    [ADDRESS_CHANGE_MAIL]: {
      async write({ recipient, about }) {
        if (!about) return null
        const asked = { userId: about, email: recipient }
        // Created just before sending, like a recovery token.
        const token = await makeAddressToken(db, secretKey, now(), asked)
        if (token === null) return null
        const [user] = await db
          .select({ email: users.email })
          .from(users)
          .where(eq(users.id, about))
        // The token follows '#', so that no log on the way contains it.
        return user?.email === recipient
          ? ownAddressLetter(`${publicUrl}/confirm-email?own#${token}`)
          : newAddressLetter(`${publicUrl}/confirm-email#${token}`)
      },
    },
    second_factor_on: notice(
      'A second factor was set up',
      (at) =>
        `An authenticator app was set up for your Superday account on ${at}. Every other device was signed out.`,
      'keep your recovery codes somewhere you can reach without your phone.',
      "ask for a new password now: choose 'Forgot password?' on this page. Then write to us.",
    ),
    second_factor_off: notice(
      'Your second factor was removed',
      (at) =>
        `The authenticator app of your Superday account was removed on ${at}. You now sign in with your password only.`,
    ),
    second_factor_tries: notice(
      'Many wrong codes for your account',
      (at) =>
        `Someone who knows the password of your Superday account entered many wrong codes on ${at}. They didn't get in.`,
      'wait 15 minutes, then try again or use a recovery code.',
      "set a new password now: choose 'Forgot password?' on this page.",
    ),
  }
}

/** @param code six digits */
function recoveryLetter(link: string, code: string): Letter {
  return writeLetter('Set a new password for Superday', link, [
    'Hello,',
    'You asked for a new password for your Superday account. Open this page to set one:',
    { button: 'Set a new password', link },
    "If you're asked for a code instead, enter this one:",
    { code },
    `The link and the code each work once and expire in ${RECOVERY_IN_WORDS}.`,
    "If you didn't ask for this, ignore this email. Your password stays the same.",
  ])
}

function newAddressLetter(link: string): Letter {
  return writeLetter('Confirm your new email address for Superday', link, [
    'Hello,',
    'This address was given as the new email address of a Superday account. Open this page to confirm that it is yours:',
    { button: 'Confirm this address', link },
    `The link works once and expires in ${ADDRESS_CHANGE_IN_WORDS}. Until you confirm, the account keeps its current address.`,
    "If you didn't ask for this, ignore this email. Nothing will change.",
  ])
}

/** For the account's current address (product 2.6.13). */
function ownAddressLetter(link: string): Letter {
  return writeLetter('Confirm your email address for Superday', link, [
    'Hello,',
    'A Superday account with this address asks you to confirm it. Open this page to confirm that the address is yours:',
    { button: 'Confirm this address', link },
    `The link works once and expires in ${ADDRESS_CHANGE_IN_WORDS}.`,
    "If you didn't ask for this, don't confirm it: someone else may have created the account.",
  ])
}

function emailChangedLetter(link: string, at: Date): Letter {
  return writeLetter('Your email address was changed', link, [
    'Hello,',
    `The email address of your Superday account was changed on ${dateOf(at)}. This address no longer belongs to it.`,
    "If that was you, there is nothing to do. If it wasn't you, please write to us right away.",
    { button: 'How to reach us', link },
  ])
}

const date = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

const dateOf = (at: Date) => `${date.format(at)} UTC`
