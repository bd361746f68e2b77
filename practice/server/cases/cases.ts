import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { type CaseListed, getCase, listCases } from '../../cases/case.ts'
import type { Bank } from '../bank.ts'
import { isoTime, notFound } from '../practice-day-store.ts'

/** Serves cases with the person's best scores (product 3.12.6). Answers are saved with saveSession. */
export function serveCases(api: Api, { db }: AppDependencies, bank: Bank): void {
  api.serve(listCases, async ({ user }) => {
    const { rows } = await db.$client.query<NonNullable<CaseListed['best']> & { slug: string }>({
      name: 'best-of-cases',
      text: `select distinct on (about ->> 'case') about ->> 'case' as slug, score, total,
          ${isoTime('completed_at')} as "completedAt"
        from practice_sessions where user_id = $1 and kind = 'case' and about ->> 'case' is not null
        order by about ->> 'case', score desc, completed_at desc`,
      values: [user.id],
    })
    const bests = new Map(rows.map(({ slug, ...best }) => [slug, best]))
    return [...(await bank.cases(user.contentVersion)).values()].map(
      ({ served: { exhibits: _, questions, ...served } }) => ({
        ...served,
        questions: questions.length,
        best: bests.get(served.slug) ?? null,
      }),
    )
  })

  api.serve(getCase, async ({ user, params }) => {
    const found = (await bank.cases(user.contentVersion)).get(params.slug)
    if (!found) throw notFound()
    return found.served
  })
}
