/** The name to greet by: the part of the e-mail before the at-sign, or 'User' (product 1.6.4). */
export function nameOf(email: string | null | undefined): string {
  return email?.split('@')[0] || 'User'
}
