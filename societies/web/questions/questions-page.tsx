import { Top } from '../console/top.tsx'

/** …/questions: list, editor, the candidate’s view. */
export function Questions() {
  return <Top title="Questions" headline="Questions" />
}
