import { CircleAlert, TriangleAlert } from 'lucide-react'
import type { Draft } from '../../questions/question-content.ts'
import {
  inOrder,
  isError,
  type Mark,
  reordered,
  withCapitals,
} from '../../questions/question-marks.ts'
import { wordsOfMark } from './mark-words.ts'

/** Marks at the field that they are about, each with its remedy where one press is enough (product 7.9.5). */
export function MarkNotes(props: {
  id: string
  marks: readonly Mark[]
  draft: Draft
  /** undefined while nothing can be changed */
  onChange: ((draft: Draft) => void) | undefined
}) {
  const { marks, draft, onChange } = props
  return (
    // Always there, so that what comes into it is announced.
    <div id={props.id} role="status" className="grid gap-2 [&:not(:empty)]:mt-2">
      {marks.map((mark) => {
        const { title, sentence } = wordsOfMark(mark)
        const remedy = onChange && remedyOf(mark, draft)
        const Icon = isError(mark) ? CircleAlert : TriangleAlert
        return (
          <div key={mark.mark} className="warning text-[13px]! leading-[1.45]">
            <Icon size={16} aria-hidden />
            <p>
              <b className="font-semibold">
                {isError(mark) && 'Error: '}
                {title}.
              </b>{' '}
              {sentence}
              {remedy && (
                <button
                  type="button"
                  className="link block min-h-6 text-left max-md:min-h-11"
                  onClick={() => onChange(remedy.draft)}
                >
                  {remedy.label}
                </button>
              )}
            </p>
          </div>
        )
      })}
    </div>
  )
}

function remedyOf(mark: Mark, draft: Draft): { label: string; draft: Draft } | null {
  switch (mark.mark) {
    case 'numbers_out_of_order': {
      const letters = inOrder(draft.options)
      if (!letters) return null
      return { label: 'Put them in order, the key moves along', draft: reordered(draft, letters) }
    }
    case 'quiet_negative':
      return {
        label: `Write ${mark.word.toUpperCase()}`,
        draft: { ...draft, question: withCapitals(draft.question, mark.word) },
      }
    case 'disagrees':
      if (!mark.agreeing) return null
      return { label: `Make ${mark.agreeing} the key`, draft: { ...draft, answer: mark.agreeing } }
    default:
      return null
  }
}

const AT_STEM = ['no_stem', 'quiet_negative', 'long_stem', 'nearly_the_same']
const AT_TERM = ['unreadable_term', 'disagrees']

/** At which field a mark stands. */
export function placeOfMark({ mark }: Mark): 'stem' | 'options' | 'term' {
  if (AT_STEM.includes(mark)) return 'stem'
  return AT_TERM.includes(mark) ? 'term' : 'options'
}
