import { EMAIL, EMAIL_LENGTH } from '../../accounts/email.ts'

/**
 * Reads addresses that people paste from their mail program: 'Ana Moura <ana@uni.example>; ben@…', with
 * semicolons, commas or a line each. Names are skipped.
 * @returns `emails` in lower case, each once; `unread`: lines and parts without an address, as they were typed
 */
export function readPastedAddresses(text: string): { emails: string[]; unread: string[] } {
  const emails = new Set<string>()
  const unread: string[] = []
  for (const part of text.split(/[;\n]/)) {
    const found = part.match(/[^\s<>,"()]+@[^\s<>,"()]*/g) ?? []
    if (found.length === 0 && part.trim() !== '') unread.push(part.trim())
    for (const typed of found) {
      // A sentence's end, or the link that a mail program makes of it.
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
