/**
 * What a file calls a group of questions, without the folders around it: 'Bonds' of '$course$/top/Exam/Bonds'.
 * A slash that belongs to a name is written twice.
 */
export function categoryOf(path: string): string {
  const parts = path
    .replaceAll('//', '\0')
    .split('/')
    .map((part) => part.replaceAll('\0', '/').trim())
    .filter((part) => part !== '' && !/^(top|\$\w+\$)$/i.test(part))
  return (parts.at(-1) ?? '').slice(0, 80)
}
