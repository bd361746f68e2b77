import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import nodemailer from 'nodemailer'
import { giveToFolderOwner } from '../database/embedded/private-files.ts'
import type { Letter } from './letter.ts'
import type { Logger } from './log.ts'

export const SENDING_AT_ONCE = 4

export interface Mailer {
  /** Sends a mail with the same id at every try, so that copies are recognizable. Errors: temporary ones too. */
  send(id: string, recipient: string, letter: Letter): Promise<void>
  close(): void
}

/** Sends over SMTP. Without `smtpUrl`, writes .eml files into outboxDir and logs the link. */
export function createMailer(options: {
  smtpUrl: string | undefined
  from: string
  outboxDir: string
  log: Logger
}): Mailer {
  const { smtpUrl, from, outboxDir, log } = options
  if (!smtpUrl) return createOutbox(from, outboxDir, log)
  const transport = nodemailer.createTransport(
    // Together these are well under CLAIM_MS of mail-queue.ts, so that two nodes never send the same mail.
    { url: smtpUrl, pool: true, maxConnections: SENDING_AT_ONCE, ...TIMEOUTS_MS },
    { from },
  )
  return {
    async send(id, to, letter) {
      await transport.sendMail(messageOf(id, to, letter))
    },
    close: () => transport.close(),
  }
}

const TIMEOUTS_MS = {
  dnsTimeout: 10_000,
  connectionTimeout: 15_000,
  greetingTimeout: 15_000,
  socketTimeout: 30_000,
}

function messageOf(id: string, to: string, { subject, text, html, replyTo, stopUrl }: Letter) {
  return {
    messageId: `<${id}@mail.superday>`,
    to,
    subject,
    text,
    html,
    replyTo,
    headers:
      stopUrl === undefined
        ? undefined
        : {
            'List-Unsubscribe': `<${stopUrl}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          },
  }
}

function createOutbox(from: string, outboxDir: string, log: Logger): Mailer {
  const transport = nodemailer.createTransport({ streamTransport: true, buffer: true }, { from })
  return {
    async send(id, to, letter) {
      const { message } = await transport.sendMail(messageOf(id, to, letter))
      await mkdir(outboxDir, { recursive: true, mode: 0o700 })
      const file = path.join(outboxDir, `${id}.eml`)
      await writeFile(file, message as Buffer, { mode: 0o600 })
      giveToFolderOwner(outboxDir)
      giveToFolderOwner(file)
      log.warn(
        { file, link: letter.link },
        `no SMTP_URL, so this mail was written to a file: ${letter.subject}`,
      )
    },
    close: () => transport.close(),
  }
}
