import { countOf } from '../../platform/words.ts'
import type { Obstacles } from './contract.ts'

/** An open task before a release (product 7.17.12). */
export interface Obstacle {
  sentence: string
  page: string
  link: string
  /** for information only: the release needs no reason for it */
  isTold?: true
}

/**
 * Lists open tasks before a release, with links to the pages for them.
 * @param line the cut score in points, if there is one
 */
export function obstaclesOf(open: Obstacles, line: number | null): Obstacle[] {
  const { incidents, lateAnswers, lateCandidates } = open
  const late = `${countOf(lateCandidates, 'candidate')} sent answers after the end`
  const [is, them] = lateAnswers === 1 ? ['is', 'it'] : ['are', 'them']
  const obstacles: (Obstacle | false)[] = [
    ...open.keys.map(({ position, crossing }) => {
      const moves = crossing === 0 ? 'nobody' : countOf(crossing ?? 0, 'candidate')
      const isKnown = crossing !== null && line !== null
      return {
        sentence: `Question ${position} probably has a wrong key${isKnown ? `: a ruling would move ${moves} across the cut score` : ''}.`,
        page: `analysis/${position}`,
        link: `Rule on question ${position}`,
      }
    }),
    incidents > 0 && {
      sentence: `${countOf(incidents, 'incident is', 'incidents are')} undecided or waiting for follow-up.`,
      page: 'incidents',
      link: incidents === 1 ? 'Decide it' : `Decide the ${incidents}`,
    },
    lateAnswers > 0 && {
      sentence: `${late}: ${countOf(lateAnswers, 'answer')} could count and ${is} undecided.`,
      page: 'live',
      link: `Review ${them}`,
    },
    lateAnswers === 0 &&
      lateCandidates > 0 && {
        sentence: `${late}, and none can count.`,
        page: 'live',
        link: 'Review them',
        isTold: true,
      },
  ]
  return obstacles.filter((one) => one !== false)
}
