/** A reason in words for the person at the keyboard. */
export class AdminError extends Error {}

/** A file that was not taken: every problem, one a line. Nothing was changed. */
export class FileProblems extends AdminError {
  readonly problems: string[]
  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}
