import nodemailer from 'nodemailer'
import type { Settings } from '../../server/settings.ts'
import { type Finding, look, mend, well, wordsOf } from './finding.ts'

/** Milliseconds for each step of the conversation. */
const LIMIT_MS = 10_000

/** Connects, says EHLO, and signs in where SMTP_URL has a name; sends no mail. */
export async function lookAtMail({ SMTP_URL: smtpUrl, DATA_DIR }: Settings): Promise<Finding[]> {
  if (!smtpUrl) return [look(`Without SMTP_URL, mails become files in ${DATA_DIR}/outbox.`)]
  // Never the whole address: it has the password.
  const { host, hostname, username, protocol } = new URL(smtpUrl)
  const transport = nodemailer.createTransport({
    url: smtpUrl,
    dnsTimeout: LIMIT_MS,
    connectionTimeout: LIMIT_MS,
    greetingTimeout: LIMIT_MS,
    socketTimeout: LIMIT_MS,
  })
  try {
    await transport.verify()
  } catch (error) {
    const { code } = error as { code?: string }
    return [
      mend(
        code === 'EAUTH'
          ? `The mail server ${host} does not take the name and password of SMTP_URL: ${wordsOf(error)}.`
          : `The mail server ${host} does not answer as one: ${wordsOf(error)}. Nobody can recover a password until it does.`,
      ),
    ]
  } finally {
    transport.close()
  }
  const findings = [
    well(
      `The mail server ${host} answers${username ? ' and takes our name and password' : ''}; no mail was sent.`,
    ),
  ]
  if (!username && !isNear(hostname) && protocol === 'smtp:') {
    findings.push(
      look('SMTP_URL has neither name nor password: will that server pass mails on to others?'),
    )
  }
  return findings
}

/** On this machine, or a name of a network of containers. */
const isNear = (host: string) =>
  host === 'localhost' || host.startsWith('127.') || !/[.:]/.test(host)
