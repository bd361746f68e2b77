import { Check, X } from 'lucide-react'

/** Right is a filled circle with a check mark, wrong an open one with a cross. Color is never the only sign. */
export function Verdict({ isCorrect }: { isCorrect: boolean }) {
  return (
    <span aria-hidden className={`verdict ${isCorrect ? 'verdict-right' : 'verdict-wrong'}`}>
      {isCorrect ? <Check size={14} strokeWidth={2.25} /> : <X size={13} strokeWidth={2.25} />}
    </span>
  )
}
