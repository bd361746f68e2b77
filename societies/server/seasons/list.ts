import { type Organiser, read } from '../action.ts'

/** A season's fairness card in its newest version. */
export interface SeasonCard {
  season: string
  id: string
  version: number
  madeAt: Date
}

/** The newest card of each season that has one. */
export function listCards({ db }: Pick<Organiser, 'db'>, societyId: string): Promise<SeasonCard[]> {
  return read({ db }, async (client) => {
    const { rows } = await client.query<SeasonCard>(
      `select distinct on (season) season, card_id as id, version, made_at as "madeAt"
       from fairness_cards where society_id = $1 order by season, version desc`,
      [societyId],
    )
    return rows
  })
}
