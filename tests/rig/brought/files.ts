import { readFileSync } from 'node:fs'

/** Files as common tools export them, by kind. `===== NAME` starts one. */
export function broughtFiles(kind: 'people' | 'questions'): [name: string, text: string][] {
  const text = readFileSync(new URL(`${kind}.txt`, import.meta.url), 'utf8')
  return text
    .split(/^===== /m)
    .slice(1)
    .map((file) => [file.slice(0, file.indexOf('\n')), file.slice(file.indexOf('\n') + 1)])
}
