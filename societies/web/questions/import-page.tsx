import { Top } from '../console/top.tsx'

/** …/questions/import: what can be imported, and what not. */
export function ImportQuestions() {
  return <Top title="Import questions" headline="Import questions" />
}
