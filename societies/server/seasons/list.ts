import { type Organiser, read } from '../action.ts'
import { IN_FORCE, REACHES } from '../team/guard.ts'
import { KEPT_UNTIL } from './retention.ts'

export interface SeasonAssessment {
  code: string
  name: string
  timeZone: string
  isDraft: boolean
  isSample: boolean
  closesAt: Date | null
  satCount: number
  keepUntil: Date | null
  hasOwnDay: boolean
  warnedAt: Date | null
  deletedAt: Date | null
  keepsStatistics: boolean
  /** id of its fairness report */
  fairnessReport: string | null
}

export interface Season {
  season: string | null
  assessments: SeasonAssessment[]
}

/** The seasons of which a member reaches an assessment, the newest first (product 7.21.1). */
export function listSeasons(
  organiser: Pick<Organiser, 'db' | 'now'>,
  { societyId, userId }: { societyId: string; userId: string },
): Promise<{ retentionMonths: number; seasons: Season[] }> {
  return read(organiser, async (client) => {
    const { rows } = await client.query<SeasonAssessment & { season: string | null }>(
      `select a.season, a.code, coalesce(a.session, a.society) as name, a.time_zone as "timeZone",
         a.is_draft as "isDraft", a.is_sample as "isSample", a.closes_at as "closesAt",
         coalesce(d.sat_count, (select count(*)::int from attempts t where t.assessment = a.code
           and not t.is_demo and t.submitted_at is not null)) as "satCount",
         case when not a.is_sample and not a.is_draft and a.deleted_at is null then ${KEPT_UNTIL} end
           as "keepUntil",
         a.keep_until is not null as "hasOwnDay", a.keep_warned_at as "warnedAt",
         a.deleted_at as "deletedAt",
         exists (select from kept_statistics k where k.assessment = a.code) as "keepsStatistics",
         (select f.id from fairness_reports f where f.assessment = a.code) as "fairnessReport"
       from assessments a join societies s on s.id = a.society_id
       left join assessment_deletions d on d.assessment = a.code and d.done_at is not null
       where a.society_id = $1 and a.trial is null and exists (
         select from memberships m where m.user_id = $2 and ${IN_FORCE(3)} and ${REACHES})
       order by max(coalesce(a.opens_at, a.created_at)) over (partition by a.season) desc,
         coalesce(a.opens_at, a.created_at), a.code`,
      [societyId, userId, organiser.now],
    )
    const { rows: of } = await client.query<{ months: number }>(
      'select retention_months as months from societies where id = $1',
      [societyId],
    )
    const seasons: Season[] = []
    for (const { season, ...assessment } of rows) {
      const last = seasons.at(-1)
      if (last && last.season === season) last.assessments.push(assessment)
      else seasons.push({ season, assessments: [assessment] })
    }
    return { retentionMonths: of[0]?.months ?? 0, seasons }
  })
}
