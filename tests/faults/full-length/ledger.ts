import type pg from 'pg'

type Client = Pick<pg.Pool, 'query'>

/** The result of counting. Acknowledged are results, single saves and submits with a 2xx response. */
export interface Count {
  acknowledged: number
  stored: number
  lost: number
  /** a duplicate row, or one that no client sent */
  double: number
  /** test results that differ from an independent tally of the acknowledged answers */
  wrongTallies: number
}

interface Choice {
  questionId: number
  revision: number
  choice: string
}

/** What simulated people sent and what responses they got, kept outside the database. */
export class Ledger {
  /** how often each outcome was seen: a status, a status with its code, or a kind of lost connection */
  readonly seen = new Map<string, number>()
  /** refusals that no fault explains */
  readonly unexpected: string[] = []
  /** the slowest call's milliseconds, by outcome */
  readonly slowestMs = new Map<string, number>()
  /** when each write was acknowledged, by performance.now(), in order */
  readonly acknowledgedAt: number[] = []
  readonly #sentResults = new Map<string, string>()
  readonly #results = new Map<string, string>()
  readonly #sentChoices = new Map<string, Choice[]>()
  readonly #choices = new Map<string, Choice[]>()
  readonly #submits = new Map<string, string>()

  see(outcome: string, tookMs: number): void {
    this.seen.set(outcome, (this.seen.get(outcome) ?? 0) + 1)
    this.slowestMs.set(outcome, Math.max(this.slowestMs.get(outcome) ?? 0, tookMs))
  }

  sendResult(userId: string, id: string): void {
    this.#sentResults.set(id, userId)
  }

  acknowledgeResult(userId: string, id: string): void {
    this.#results.set(id, userId)
    this.acknowledgedAt.push(performance.now())
  }

  sendChoice(username: string, choice: Choice): void {
    this.#sentChoices.set(username, [...(this.#sentChoices.get(username) ?? []), choice])
  }

  acknowledgeChoice(username: string, choice: Choice): void {
    this.#choices.set(username, [...(this.#choices.get(username) ?? []), choice])
    this.acknowledgedAt.push(performance.now())
  }

  acknowledgeSubmit(username: string, submittedAt: string): void {
    this.#submits.set(username, submittedAt)
    this.acknowledgedAt.push(performance.now())
  }

  get acknowledged(): number {
    const saves = [...this.#choices.values()].reduce((sum, choices) => sum + choices.length, 0)
    return this.#results.size + saves + this.#submits.size
  }

  /** Compares everything acknowledged with the database. */
  async count(client: Client, code: string): Promise<Count> {
    const results = await this.#countResults(client)
    const answers = await this.#countAnswers(client, code)
    const submits = await this.#countSubmits(client, code)
    const stored = results.stored + answers.stored + submits.stored
    return {
      acknowledged: this.acknowledged,
      stored,
      lost: this.acknowledged - stored,
      double: results.double + answers.double + submits.double,
      wrongTallies: submits.wrongTallies,
    }
  }

  async #countResults(client: Client) {
    const { rows } = await client.query<{ id: string; userId: string }>(
      'select id, user_id as "userId" from test_results where user_id = any ($1)',
      [[...new Set(this.#sentResults.values())]],
    )
    const stored = new Map(rows.map(({ id, userId }) => [id, userId]))
    // A result without its practice day would be half written.
    const { rows: halves } = await client.query(
      `select r.id from test_results r where user_id = any ($1) and not exists (
         select from practice_days d where d.user_id = r.user_id)`,
      [[...new Set(this.#sentResults.values())]],
    )
    const half = new Set(halves.map(({ id }) => id))
    return {
      stored: [...this.#results].filter(([id, user]) => stored.get(id) === user && !half.has(id))
        .length,
      double: rows.length - [...this.#sentResults].filter(([id]) => stored.has(id)).length,
    }
  }

  /** Each save is in the log, and the stored answer is the acknowledged one or a newer one that was sent. */
  async #countAnswers(client: Client, code: string) {
    const saves = await client.query<{ username: string; detail: [number, string, number][] }>(
      `select c.username, e.detail from attempt_events e join candidates c on c.id = e.candidate_id
       where c.assessment = $1 and e.kind = 'saved'`,
      [code],
    )
    const logged = new Set(
      saves.rows.flatMap(({ username, detail }) =>
        detail.map(([id, choice, revision]) => `${username} ${id} ${choice} ${revision}`),
      ),
    )
    const { rows } = await client.query<Choice & { username: string }>(
      `select c.username, w.item_id as "questionId", w.revision, w.choice
       from attempt_answers w join attempts a on a.id = w.attempt_id
       join candidates c on c.id = a.candidate_id where c.assessment = $1`,
      [code],
    )
    const counting = new Map(rows.map((row) => [`${row.username} ${row.questionId}`, row]))
    let stored = 0
    for (const [username, choices] of this.#choices) {
      for (const { questionId, choice, revision } of choices) {
        const newest = counting.get(`${username} ${questionId}`)
        const isLogged = logged.has(`${username} ${questionId} ${choice} ${revision}`)
        if (isLogged && newest && newest.revision >= revision) stored += 1
      }
    }
    const isSent = (row: Choice & { username: string }) =>
      this.#sentChoices
        .get(row.username)
        ?.some(
          ({ questionId, revision, choice }) =>
            questionId === row.questionId && revision === row.revision && choice === row.choice,
        )
    return {
      stored,
      double: rows.length - counting.size + rows.filter((row) => !isSent(row)).length,
    }
  }

  async #countSubmits(client: Client, code: string) {
    const { rows } = await client.query<{
      username: string
      submittedAt: Date | null
      bySubmit: boolean
      closings: number
      correct: number | null
    }>(
      `select c.username, a.submitted_at as "submittedAt", a.closed_by_submit as "bySubmit", r.correct,
         (select count(*)::int from attempt_events e where e.attempt_id = a.id and kind = 'submitted')
           as closings
       from attempts a join candidates c on c.id = a.candidate_id
       left join assessment_results r on r.attempt_id = a.id where a.assessment = $1`,
      [code],
    )
    const attempts = new Map(rows.map((row) => [row.username, row]))
    const key = await readKey(client, code)
    let stored = 0
    let wrongTallies = 0
    for (const [username, submittedAt] of this.#submits) {
      const attempt = attempts.get(username)
      if (!attempt?.bySubmit || attempt.submittedAt?.toISOString() !== submittedAt) continue
      stored += 1
      if (attempt.correct !== tallyOf(this.#choices.get(username) ?? [], key)) wrongTallies += 1
    }
    const closings = rows.filter((row) => row.closings !== (row.submittedAt ? 1 : 0)).length
    return { stored, double: rows.length - attempts.size + closings, wrongTallies }
  }
}

async function readKey(client: Client, code: string): Promise<Map<number, string>> {
  const { rows } = await client.query<{ id: number; key: string }>(
    'select id, correct_option as key from assessment_items where assessment = $1',
    [code],
  )
  return new Map(rows.map(({ id, key }) => [id, key]))
}

/** Number of correct answers among the newest acknowledged choices. */
function tallyOf(choices: readonly Choice[], key: ReadonlyMap<number, string>): number {
  const newest = new Map<number, Choice>()
  for (const choice of choices) {
    const known = newest.get(choice.questionId)
    if (!known || known.revision < choice.revision) newest.set(choice.questionId, choice)
  }
  return [...newest.values()].filter(({ questionId, choice }) => key.get(questionId) === choice)
    .length
}
