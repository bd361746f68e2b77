/** The question navigator: a grid of 10 columns (product 6.5.5). */
export function QuestionNavigator(props: {
  /** by question, whether it has an answer */
  answered: boolean[]
  index: number
  onGoTo: (index: number) => void
}) {
  const isComplete = props.answered.every(Boolean)
  return (
    <nav aria-labelledby="navigator" className="card p-4 sm:p-5">
      <h2 id="navigator" className="eyebrow font-sans leading-normal">
        Questions
      </h2>
      <ol className="mt-3 grid grid-cols-10 gap-1.5">
        {props.answered.map((isAnswered, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a question is its place
          <li key={index}>
            <button
              type="button"
              aria-label={`Question ${index + 1}, ${isAnswered ? 'answered' : 'not answered'}`}
              aria-current={index === props.index ? 'step' : undefined}
              onClick={() => props.onGoTo(index)}
              className={`grid aspect-square min-h-6 w-full place-items-center rounded-[4px] border text-[13px] ${lookOf(isAnswered, index === props.index)}`}
            >
              {index + 1}
            </button>
          </li>
        ))}
      </ol>
      <p className="hint mt-4">
        {isComplete
          ? 'Every question is answered. Submit on the last one.'
          : 'Submit opens when every question is answered.'}
      </p>
    </nav>
  )
}

function lookOf(isAnswered: boolean, isCurrent: boolean): string {
  const fill = isAnswered
    ? 'bg-ink border-ink text-paper'
    : 'border-line-strong text-ink-2 hover:text-ink'
  if (!isCurrent) return fill
  // The ring says 'here', the fill 'answered': both can be true.
  return isAnswered
    ? `${fill} ring-2 ring-accent ring-offset-1 ring-offset-surface font-semibold`
    : 'border-2 border-accent text-accent font-semibold'
}
