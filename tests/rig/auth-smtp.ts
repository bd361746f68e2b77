import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll, beforeAll } from 'vitest'
import { createAccountMails } from '../../accounts/server/mails.ts'
import { type MailQueue, startMailQueue } from '../../platform/server/mail-queue.ts'
import { createMailer } from '../../platform/server/mailer.ts'
import { createSocietyMails } from '../../societies/access/server/mails.ts'
import { createCredentialMail } from '../../societies/candidates/server/mails.ts'
import { createResultMail } from '../../societies/results/server/result-mail.ts'
import type { Rig } from './rig.ts'

export interface Smtp {
  url: string
  port: number
  /** received mails, oldest first, with the envelope's recipients */
  received: (Email & { recipients: string[] })[]
  stop(): Promise<void>
}

/** A mail server that accepts everything, unless `options` say otherwise. */
export async function startSmtp(
  options: SMTPServerOptions & { port?: number } = {},
): Promise<Smtp> {
  const received: Smtp['received'] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    // Senders keep their connection for the next mail, but the end of a test doesn't wait for it.
    closeTimeout: 50,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const email = await PostalMime.parse(Buffer.concat(chunks))
        const recipients = session.envelope.rcptTo.map(({ address }) => address)
        received.push({ ...email, recipients })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    received,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** A mail server and the queue that sends to it, for one test file. The queue runs only when called. */
export function useMail(rig: Rig): { smtp: Smtp; queue: MailQueue } {
  const mail = {} as { smtp: Smtp; queue: MailQueue }
  beforeAll(async () => {
    mail.smtp = await startSmtp()
    const { db, now, publicUrl, secretKey, log } = rig.dependencies
    mail.queue = startMailQueue({
      db,
      now,
      mailer: createMailer({
        smtpUrl: mail.smtp.url,
        from: 'a@superday.example',
        outboxDir: '',
        log,
      }),
      kinds: {
        ...createAccountMails({ db, now, publicUrl, secretKey }),
        ...createSocietyMails({ db, now, publicUrl, secretKey }),
        ...createCredentialMail({ db, now, publicUrl, secretKey }),
        ...createResultMail({ db, publicUrl }),
      },
      log,
      pollMs: 0,
    })
  })
  afterAll(async () => {
    await mail.queue.stop()
    await mail.smtp.stop()
  })
  return mail
}

/** Link and digits of a recovery mail, read from its plain text. */
export function recoveryIn(email: Email | undefined): {
  link: string
  token: string
  code: string
} {
  const link = /^https?:\S+$/m.exec(email?.text ?? '')?.[0]
  const code = /^\d{6}$/m.exec(email?.text ?? '')?.[0]
  const token = link && new URL(link).searchParams.get('recovery')
  if (!link || !code || !token) throw new Error(`no recovery in this mail: ${email?.text}`)
  return { link, token, code }
}
