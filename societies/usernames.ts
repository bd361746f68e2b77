/** What verify takes (assessments/contract.ts). */
export const USERNAME_LENGTH = 200
/** A made one is typed from a phone or a slip. */
const MADE_LENGTH = 30

/** A username as it is stored: one form of each letter, whichever computer wrote it. */
export function normaliseUsername(username: string): string {
  return username.normalize('NFC').trim()
}

/** Letters that are no other letter with a mark. */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ħ: 'h' },
}

/**
 * A username for somebody whose list gives none (product 7.10.5): first and last name, else what stands before
 * the at-sign, in letters and digits that every keyboard has; with a number behind it where it is taken.
 * @param isTaken asked in lower case
 */
export function makeUsername(
  { name, email }: { name: string; email: string },
  isTaken: (username: string) => boolean,
): string {
  const words = plainWords(name)
  const ofName = words.length > 1 ? `${words[0]}.${words.at(-1)}` : (words[0] ?? '')
  const ofEmail = plainWords(email.split('@')[0] ?? '').join('.')
  const base = (ofName || ofEmail || 'candidate').slice(0, MADE_LENGTH).replace(/\.$/, '')
  if (!isTaken(base)) return base
  let number = 2
  while (isTaken(`${base}${number}`)) number += 1
  return `${base}${number}`
}

function plainWords(text: string): string[] {
  const plain = text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^\p{ASCII}]/gu, (letter) => PLAIN[letter] ?? '')
    // O'Brien and Anne-Marie are one word each.
    .replace(/['’-]/g, '')
  return plain.split(/[^a-z0-9]+/).filter((word) => word !== '')
}
