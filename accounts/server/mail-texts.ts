/** A mail before it has a sender and a recipient. */
export interface Letter {
  subject: string
  text: string
  html: string
  /** the address to open; where mail is not sent, it is logged */
  link: string
}

export type LetterContent =
  | { kind: 'recovery'; link: string; code: string }
  | { kind: 'password_changed'; link: string; at: Date }
  | { kind: 'email_changed'; link: string; at: Date }

/** The words of a mail, as plain text and as HTML that needs nothing from elsewhere. */
export function writeLetter(content: LetterContent): Letter {
  const { subject, paragraphs } = wordsOf(content)
  return {
    subject,
    link: content.link,
    text: `${paragraphs.map(textOf).join('\n\n')}\n\nSuperday\n`,
    html: page(subject, paragraphs.map(htmlOf).join('\n')),
  }
}

type Paragraph = string | { button: string; link: string } | { code: string }

function wordsOf(content: LetterContent): { subject: string; paragraphs: Paragraph[] } {
  switch (content.kind) {
    case 'recovery':
      return {
        subject: 'Set a new password for Superday',
        paragraphs: [
          'Hello,',
          'you asked for a new password for your Superday account. Open this page to set one:',
          { button: 'Set a new password', link: content.link },
          'If you are asked for six digits instead, these are yours:',
          { code: content.code },
          'Both work once, within one hour.',
          'If you did not ask for this, ignore it. Your password stays as it is.',
        ],
      }
    case 'password_changed':
      return {
        subject: 'Your password was changed',
        paragraphs: [
          'Hello,',
          `the password of your Superday account was changed on ${dateOf(content.at)}. Every other device was signed out.`,
          'If that was you, there is nothing to do.',
          "If it was not you, ask for a new password now: choose 'Forgot password?' on this page.",
          { button: 'Go to sign-in', link: content.link },
        ],
      }
    case 'email_changed':
      return {
        subject: 'Your e-mail address was changed',
        paragraphs: [
          'Hello,',
          `the e-mail address of your Superday account was changed on ${dateOf(content.at)}. This address no longer belongs to it.`,
          'If that was you, there is nothing to do. If it was not you, please write to us at once.',
          { button: 'How to reach us', link: content.link },
        ],
      }
  }
}

const date = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

const dateOf = (at: Date) => `${date.format(at)} UTC`

function textOf(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return paragraph
  return 'code' in paragraph ? paragraph.code : paragraph.link
}

function htmlOf(paragraph: Paragraph): string {
  if (typeof paragraph === 'string')
    return `<p style="margin:0 0 16px">${escapeHtml(paragraph)}</p>`
  if ('code' in paragraph) {
    return `<p style="margin:0 0 16px;font-size:24px;letter-spacing:4px">${escapeHtml(paragraph.code)}</p>`
  }
  const link = escapeHtml(paragraph.link)
  return `<p style="margin:0 0 8px"><a href="${link}" style="display:inline-block;padding:10px 18px;background:#1d1b18;color:#ffffff;text-decoration:none">${escapeHtml(paragraph.button)}</a></p>
<p style="margin:0 0 16px;font-size:13px;color:#5b564e;word-break:break-all">${link}</p>`
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:32px 16px;background:#f7f3ec;color:#1d1b18;font:16px/1.5 Georgia,serif">
<div style="max-width:520px;margin:0 auto">
${body}
<p style="margin:24px 0 0;padding-top:12px;border-top:1px solid #d8d1c4;color:#5b564e">Superday</p>
</div>
</body>
</html>
`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] as string)
