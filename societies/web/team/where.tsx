import { useQuery } from '@tanstack/react-query'
import { listOf } from '../../number-words.ts'
import { useSociety } from '../console/console.tsx'
import { societyAssessmentsQuery } from '../console/queries.ts'
import { useNowMs } from '../console/use-now.ts'
import { namesOf, untilInWords } from './reach.tsx'

interface Limits {
  assessments: string[] | null
  until: string | null
}

/** 'all assessments, no end'; 'Morning, until Sun 31 Jan 2027' */
export function Where({ member }: { member: Limits }) {
  const words = useReachInWords()
  const { where, until } = words(member)
  return `${where}, ${member.until === null ? until : `until ${until}`}`
}

/** Says for what a role is and until when, in the society's zone. */
export function useReachInWords(): (limits: Limits) => { where: string; until: string } {
  const { society } = useSociety()
  const nowMs = useNowMs(60_000)
  const known = useQuery(societyAssessmentsQuery(society.id))
  return ({ assessments, until }) => ({
    where:
      assessments === null
        ? 'all assessments'
        : assessments.length === 0
          ? 'none any more'
          : listOf(namesOf(assessments, known.data ?? [])),
    until: untilInWords(until, society.timeZone, nowMs),
  })
}
