/** An error message for the operator who runs a command or starts a node. */
export class AdminError extends Error {}

/** A file was rejected, with one problem per line. Nothing was changed. */
export class FileProblems extends AdminError {
  readonly problems: string[]
  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}
