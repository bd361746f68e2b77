import { focusWhenShown } from './option-keys.ts'

/** Classes of a question's text by length. Long texts are smaller, so that the options stay visible. */
interface QuestionSizes {
  short: string
  medium: string
  long: string
}

function sizeOf(text: string, sizes: QuestionSizes): string {
  if (text.length <= 130) return sizes.short
  return text.length <= 240 ? sizes.medium : sizes.long
}

/** A question above its options. It takes the focus when shown, so each question needs its own key. */
export function QuestionHeading(props: {
  as: 'h1' | 'h2'
  id: string
  /** read before the text by screen readers only: 'Question 3' */
  spokenNumber: string
  text: string
  sizes: QuestionSizes
  /** keeps the focus elsewhere, for a preview next to an editor */
  leavesFocus?: boolean
}) {
  const { as: Heading, text } = props
  return (
    <Heading
      ref={props.leavesFocus ? undefined : focusWhenShown}
      id={props.id}
      tabIndex={-1}
      className={`mt-3 text-pretty whitespace-pre-line leading-[1.24] outline-none ${sizeOf(text, props.sizes)}`}
    >
      <span className="sr-only">{props.spokenNumber}: </span>
      {text}
    </Heading>
  )
}
