import { CATEGORIES, slugOf, topicKey } from '../../practice/categories.ts'
import { TOPICS_AT_MOST } from '../../practice/contract/build.ts'
import { getPreset } from '../../practice/drill/presets.ts'
import { ROLE_NAMES, ROLES } from '../../practice/schedule/plan-choices.ts'
import { TRACKS, topicWeights } from '../../practice/schedule/tracks.ts'
import type { CheckedCell, Problem } from './check.ts'

/** Counts active questions by topic of their category (topicKey). */
function countTopics(cells: readonly CheckedCell[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { file, questions } of cells) {
    for (const { topic, retired } of questions) {
      const key = topicKey(file.category, topic)
      if (!retired) counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  return counts
}

/** Checks content/tracks.json: topics exist and have enough questions, shares add up, and drills exist. */
export function checkTracks(cells: readonly CheckedCell[]): Problem[] {
  const counts = countTopics(cells)
  return ROLES.flatMap((role) => {
    const { categories, drills } = TRACKS[role]
    const topics = [...topicWeights(role).keys()]
    const shares = CATEGORIES.map((category) => categories[category]?.share ?? 0)
    return [
      ...topics.filter((key) => !counts.has(key)).map((key) => `there is no topic ${key}`),
      ...(topics.length > TOPICS_AT_MOST
        ? [`${topics.length} topics, but at most ${TOPICS_AT_MOST} are allowed`]
        : []),
      ...(shares.reduce((sum, one) => sum + one, 0) === 100
        ? []
        : ['its shares do not add up to 100']),
      ...drills.filter((id) => !getPreset(id)).map((id) => `there is no drill ${id}`),
    ].map((message) => ({ file: 'tracks.json', message: `${role}: ${message}` }))
  })
}

/** A table of tracks with categories, shares, topics and questions, one line per track. */
export function tableOfTracks(cells: readonly CheckedCell[]): string[] {
  const counts = countTopics(cells)
  return [
    `| track | topics | questions | ${CATEGORIES.map((category) => `${category}, share: questions`).join(' | ')} |`,
    `|---|---|---|${'---|'.repeat(CATEGORIES.length)}`,
    ...ROLES.map((role) => {
      const topics = [...topicWeights(role).keys()]
      const of = (keys: readonly string[]) =>
        keys.reduce((sum, key) => sum + (counts.get(key) ?? 0), 0)
      const byCategory = CATEGORIES.map((category) => {
        const share = TRACKS[role].categories[category]?.share
        const own = topics.filter((key) => key.startsWith(`${slugOf(category)}/`))
        return share ? `${share} %: ${of(own)}` : ''
      })
      return `| ${ROLE_NAMES[role]} | ${topics.length} | ${of(topics)} | ${byCategory.join(' | ')} |`
    }),
  ]
}
