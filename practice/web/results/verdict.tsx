import { Check, X } from 'lucide-react'

/** Right is a filled circle with a tick, wrong an open one with a cross: never colour alone. */
export function Verdict({ isCorrect }: { isCorrect: boolean }) {
  return (
    <span aria-hidden className={`verdict ${isCorrect ? 'verdict-right' : 'verdict-wrong'}`}>
      {isCorrect ? <Check size={14} strokeWidth={2.25} /> : <X size={13} strokeWidth={2.25} />}
    </span>
  )
}
