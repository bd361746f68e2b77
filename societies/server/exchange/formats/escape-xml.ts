const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** A text as XML has it, in an element or in an attribute. */
export const escapeXml = (text: string) => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)

/** Whether XML can hold a text at all: it has no way to write most control characters. */
export const fitsXml = (text: string) => !/(?![\t\n])[\p{Cc}\ufffe\uffff]/u.test(text)
