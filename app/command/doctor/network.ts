import http from 'node:http'
import https from 'node:https'
import type { TLSSocket } from 'node:tls'
import nodemailer from 'nodemailer'
import { wordsOf } from '../../../platform/server/admin-error.ts'
import type { Settings } from '../../server/settings.ts'
import { type Finding, fix, look, well } from './finding.ts'

/** Milliseconds for an HTTP response, and for each step of SMTP. */
const LIMIT_MS = 10_000
const DAY_MS = 86_400_000
/** Automatic renewal happens a month before the end, so any later means that it doesn't work. */
const SOON_DAYS = 14

interface Answer {
  status: number
  body: string
  location: string | undefined
  /** when the certificate expires; null without TLS */
  certificateEnds: Date | null
}

/** Requests /healthz like a user: by its name, through the proxy, with certificate verification. */
export async function lookAtAddress(publicUrl: string, now: Date): Promise<Finding[]> {
  const url = new URL(`${publicUrl}/healthz`)
  let answer: Answer
  try {
    answer = await ask(url)
  } catch (error) {
    return [fix(explain(error, url))]
  }
  const findings = answer.certificateEnds ? [lookAtEnd(answer.certificateEnds, now)] : []
  return [judge(answer, publicUrl), ...findings]
}

function judge({ status, body, location }: Answer, publicUrl: string): Finding {
  if (status === 200 && isOurs(body)) return well(`${publicUrl} leads to Superday.`)
  if (status >= 300 && status < 400) {
    return fix(`${publicUrl} redirects to ${location}. Set PUBLIC_URL to the final address.`)
  }
  if (status >= 502 && status <= 504) {
    return fix(
      `${publicUrl} is answered by the proxy (${status}), which finds no node behind it. Is one running, and does the proxy have its correct address?`,
    )
  }
  return fix(`${publicUrl} is answered by something other than Superday (status ${status}).`)
}

function isOurs(body: string): boolean {
  try {
    return JSON.parse(body).status === 'ok'
  } catch {
    return false
  }
}

function lookAtEnd(ends: Date, now: Date): Finding {
  const days = Math.floor((ends.getTime() - now.getTime()) / DAY_MS)
  const words = `The certificate is valid until ${ends.toISOString().slice(0, 10)}`
  return days < SOON_DAYS
    ? fix(`${words}, ${days === 1 ? '1 day' : `${days} days`} from now, and was not renewed.`)
    : well(`${words}.`)
}

function explain(error: unknown, { host, hostname, protocol }: URL): string {
  const { code = '' } = error as { code?: string }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `The name ${hostname} of PUBLIC_URL has no address. Create its DNS entry.`
  }
  if (code === 'CERT_HAS_EXPIRED') return `The certificate of ${host} has expired. Renew it.`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `The certificate of ${host} is for another name. Get one for ${hostname}.`
  }
  if (/CERT|SIGNATURE|ISSUER/.test(code)) {
    return `Browsers will not trust the certificate of ${host}: ${wordsOf(error)}.`
  }
  if (protocol === 'https:' && (code === 'EPROTO' || code.startsWith('ERR_SSL'))) {
    return `${host} does not support https: ${wordsOf(error)}.`
  }
  return `${host} of PUBLIC_URL does not respond: ${wordsOf(error)}.`
}

/** Errors: those of the system, TLS or HTTP. */
function ask(url: URL): Promise<Answer> {
  const { get } = url.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    // This needs a new connection, because a reused one shows no certificate.
    const request = get(url, { agent: false, timeout: LIMIT_MS }, (response) => {
      const ends = (response.socket as Partial<TLSSocket>).getPeerCertificate?.().valid_to
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        body += chunk
        // Our response has fifteen characters, but another server's may be long.
        if (body.length > 10_000) response.destroy(new Error('its response is too long'))
      })
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body,
          location: response.headers.location,
          certificateEnds: ends ? new Date(ends) : null,
        }),
      )
    })
    request.on('timeout', () => request.destroy(new Error(`no response in ${LIMIT_MS / 1000} s`)))
    request.on('error', reject)
  })
}

/** Connects, says EHLO, and signs in if SMTP_URL has a user name. Sends no mail. */
export async function lookAtMail({ SMTP_URL: smtpUrl, DATA_DIR }: Settings): Promise<Finding[]> {
  if (!smtpUrl) return [look(`Without SMTP_URL, mails become files in ${DATA_DIR}/outbox.`)]
  // The whole URL contains the password.
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
      fix(
        code === 'EAUTH'
          ? `The mail server ${host} rejects the name and password of SMTP_URL: ${wordsOf(error)}.`
          : `The mail server ${host} does not respond correctly: ${wordsOf(error)}. Password recovery doesn't work until it does.`,
      ),
    ]
  } finally {
    transport.close()
  }
  const findings = [
    well(
      `The mail server ${host} responds${username ? ' and accepts our name and password' : ''}; no mail was sent.`,
    ),
  ]
  if (!username && !isNear(hostname) && protocol === 'smtp:') {
    findings.push(
      look('SMTP_URL has neither name nor password. Does that server relay mails to others?'),
    )
  }
  return findings
}

/** Whether a host is this machine or a name in a container network. */
const isNear = (host: string) =>
  host === 'localhost' || host.startsWith('127.') || !/[.:]/.test(host)
