import type { Reporter, TestCase } from 'vitest/node'

/** Names the unit and server tests that failed once and passed then: each is a fault to be looked for. */
export default class SecondTries implements Reporter {
  readonly #names: string[] = []

  onTestCaseResult(test: TestCase) {
    if (test.diagnostic()?.flaky)
      this.#names.push(`${test.module.relativeModuleId}: ${test.fullName}`)
  }

  onTestRunEnd() {
    for (const name of this.#names) console.log(`only at the second try: ${name}`)
  }
}
