export interface Letter {
  subject: string
  text: string
  html: string
  /** the address to open, which is logged where mail isn't sent */
  link: string
  /** where replies go, if not to the sender */
  replyTo?: string
  /** the URL for one-click unsubscribe (RFC 8058) */
  stopUrl?: string
}

/** The parts of a mail: sentences, a button with a link, or digits to type. */
export type Paragraph = string | { button: string; link: string } | { code: string }

/** Writes a mail as plain text and as HTML without external resources. */
export function writeLetter(subject: string, link: string, paragraphs: Paragraph[]): Letter {
  return {
    subject,
    link,
    text: `${paragraphs.map(textOf).join('\n\n')}\n\nSuperday\n`,
    html: page(subject, paragraphs.map(htmlOf).join('\n')),
  }
}

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
/** Also for XML. */
export const escapeHtml = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] as string)
