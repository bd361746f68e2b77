/** An error message for the operator who runs a command or starts a node. */
export class AdminError extends Error {}

/** An error's message for the operator. A host with several addresses has one error for each. */
export function wordsOf(error: unknown): string {
  const errors = error instanceof AggregateError ? error.errors : [error]
  const words = errors.map((one) => {
    const { message, code } = one as { message?: string; code?: string }
    return message || code || String(one)
  })
  return [...new Set(words)].join(', ').replace(/\.$/, '')
}

/** A file was rejected, with one problem per line. Nothing was changed. */
export class FileProblems extends AdminError {
  readonly problems: string[]
  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}
