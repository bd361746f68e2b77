import { EMAIL, EMAIL_LENGTH } from '../../accounts/email.ts'

/**
 * Parses addresses pasted from a mail program, such as 'Ana Moura <ana@uni.example>; ben@…', separated by semicolons,
 * commas or line breaks. Names are skipped.
 * @returns `emails` in lower case without duplicates; `unread`: the lines and parts without an address, as typed
 */
export function readPastedAddresses(text: string): { emails: string[]; unread: string[] } {
  const emails = new Set<string>()
  const unread: string[] = []
  for (const part of text.split(/[;\n]/)) {
    const found = part.match(/[^\s<>,"()]+@[^\s<>,"()]*/g) ?? []
    if (found.length === 0 && part.trim() !== '') unread.push(part.trim())
    for (const typed of found) {
      // Strips the end of a sentence and the mailto: prefix that mail programs add.
      const email = typed
        .replace(/^mailto:/i, '')
        .replace(/\.$/, '')
        .toLowerCase()
      if (email.length <= EMAIL_LENGTH && EMAIL.test(email)) emails.add(email)
      else unread.push(typed)
    }
  }
  return { emails: [...emails], unread }
}
