export const EMAIL_LENGTH = 255

/** As <input type="email"> has it, with a dot in the domain. Lowercase ASCII, like PostgreSQL's lower(). */
export const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** The name in greetings: the part of the email before the at-sign, or 'User' (product 1.6.4). */
export function nameOf(email: string | null | undefined): string {
  return email?.split('@')[0] || 'User'
}
