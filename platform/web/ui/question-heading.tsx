import { focusWhenShown } from './option-keys.ts'

/** Classes of a question's text by its length: a long one is set smaller, so that its options stay in sight. */
interface QuestionSizes {
  short: string
  medium: string
  long: string
}

function sizeOf(text: string, sizes: QuestionSizes): string {
  if (text.length <= 130) return sizes.short
  return text.length <= 240 ? sizes.medium : sizes.long
}

/** A question over its options; it takes the focus when it is shown, so each question needs its own key. */
export function QuestionHeading(props: {
  as: 'h1' | 'h2'
  id: string
  /** before the text, heard and not seen: 'Question 3' */
  spokenNumber: string
  text: string
  sizes: QuestionSizes
  /** beside something that is being written */
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
