import { Top } from '../console/top.tsx'

/** …/sessions */
export function Sessions() {
  return <Top title="Sessions" headline="Sessions" />
}
