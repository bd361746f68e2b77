import { OPTION_LETTERS } from '../../../platform/option-letters.ts'
import { showControls } from '../../../platform/server/control-characters.ts'
import type {
  LeftOutReason,
  Notice,
  ReadFormat,
  TableStart,
} from '../../questions/question-files.ts'
import type { Form } from '../../questions/two-forms.ts'
import { LONGEST } from '../../questions/written-question.ts'
import { type Client, type Organiser, read } from '../action.ts'
import { readSampleStems } from '../authoring/load-assessment.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { IN_FORCE, REACHES } from '../team/guard.ts'
import { type OfSociety, requireChangeable } from './changeable.ts'
import { readStems } from './import-questions.ts'
import { wholeExplanation } from './question.ts'
import { readApart } from './read-apart.ts'
import type { Told } from './read-questions.ts'
import { type Importable, type LeftOut, type Review, withoutKnown } from './review.ts'

interface ShownQuestion {
  place: string
  question: string
  options: { text: string; isKey: boolean }[]
  explanation: string
  category: string
  form: Form | null
  notices: Notice[]
  reason: LeftOutReason | null
  resembles: { name: string; percent: number } | null
}

interface FileReview extends Pick<Review, 'notices' | 'table'> {
  format: ReadFormat | null
  encoding: Review['encoding']
  questions: ShownQuestion[] | null
  standing: { count: number; fingerprint: string }
  topics: string[]
}

/** Earlier questions that a file is held against, newest first. */
const KNOWN_AT_MOST = 5_000

let sampleStems: Promise<Set<string>> | null = null

/**
 * What a file holds for somebody who looks through it before anything is stored (product 7.9.31). Its texts
 * show their control characters.
 * Errors: OrganiserRefusal: question_file, no_such_assessment, has_attempts, is_sample.
 */
export async function reviewForPage(
  organiser: Organiser & { userId: string },
  of: OfSociety,
  bytes: Uint8Array,
  told: Told,
  signal?: AbortSignal,
): Promise<FileReview> {
  const here = await read(organiser, async (client) => {
    await requireChangeable(client, of)
    return {
      known: await readKnown(client, organiser, of),
      stems: (await readStems(client, of.code)).stems,
      standing: await readStanding(client, of.code),
    }
  })
  const nothing = { format: null, encoding: null, notices: [], questions: null }
  const rest = { standing: here.standing, topics: topicsOf(here.known) }
  try {
    const known = here.known.map(({ question }) => question)
    const found = await readApart(bytes, told, { known, ...(signal ? { signal } : {}) })
    sampleStems ??= readSampleStems()
    const review = withoutKnown(found, { inAssessment: here.stems, samples: await sampleStems })
    const { format, encoding, notices, table } = review
    return { format, encoding, notices, table, questions: shown(review, here.known, of), ...rest }
  } catch (error) {
    const table = tableIn(error)
    if (!table) throw error
    return { ...nothing, table, ...rest }
  }
}

/** How a table begins of which nobody knows yet which column is what. */
function tableIn(error: unknown): TableStart | null {
  if (!(error instanceof OrganiserRefusal) || error.code !== 'question_file') return null
  return (error as OrganiserRefusal<'question_file'>).facts.table ?? null
}

interface Known {
  code: string
  name: string
  position: number
  question: string
  topic: string | null
}

/** The questions of this assessment, then those of the society's others that the member may read. */
async function readKnown(
  client: Client,
  { now, userId }: Organiser & { userId: string },
  { code, societyId }: OfSociety,
): Promise<Known[]> {
  const { rows } = await client.query<Known>(
    `select a.code, coalesce(nullif(concat_ws(', ', a.season, a.session), ''), a.code) as name,
       i.position, i.question, i.topic
     from assessment_items i join assessments a on a.code = i.assessment
     where a.society_id = $1 and not i.is_sample and exists (
       select from memberships m where m.user_id = $2 and m.role in ('owner', 'author')
         and ${IN_FORCE(3)} and ${REACHES})
     order by a.code <> $4, a.created_at desc, i.position
     limit ${KNOWN_AT_MOST}`,
    [societyId, userId, now, code],
  )
  return rows
}

function topicsOf(known: readonly Known[]): string[] {
  const topics = new Set(known.flatMap(({ topic }) => topic ?? []))
  return [...topics].sort((a, b) => a.localeCompare(b)).slice(0, 100)
}

/** The questions that an assessment has, as a number and as what tells whether they are still the same. */
export async function readStanding(client: Client, code: string) {
  const { rows } = await client.query<{ count: number; fingerprint: string }>(
    `select count(*)::int as count,
       md5(coalesce(string_agg(id || ':' || version, ',' order by position), '')) as fingerprint
     from assessment_items where assessment = $1`,
    [code],
  )
  return rows[0] ?? { count: 0, fingerprint: '' }
}

function shown(review: Review, known: readonly Known[], { code }: OfSociety): ShownQuestion[] {
  const nameOf = ({ code: other, name, position }: Known) =>
    other === code ? `question ${position}` : `question ${position} of ${name}`
  const all = [
    ...review.importable.map((one) => {
      const like = one.resembles
      const other = like && known[like.at]
      return {
        ...shownImportable(one),
        resembles: like && other ? { name: nameOf(other), percent: like.percent } : null,
      }
    }),
    ...review.leftOut.map(shownLeftOut),
  ]
  // As they stand in the file; places of one kind begin with the same word.
  return all.sort((a, b) => a.place.localeCompare(b.place, 'en', { numeric: true }))
}

function shownImportable(one: Importable): ShownQuestion {
  return {
    place: one.place,
    question: one.question,
    options: OPTION_LETTERS.map((letter) => ({
      text: one.options[letter],
      isKey: letter === one.answer,
    })),
    explanation: wholeExplanation(one),
    category: one.topic ?? '',
    form: one.form ?? null,
    notices: one.notices,
    reason: null,
    resembles: null,
  }
}

function shownLeftOut({ place, reason, found }: LeftOut): ShownQuestion {
  return {
    place,
    question: showControls(found.stem),
    // Halves of right are shown as right: somebody has to choose.
    options: found.options.map(({ text, credit }) => ({
      text: showControls(text),
      isKey: credit > 0,
    })),
    explanation: showControls(
      [found.explanation, ...found.options.map(({ feedback }) => feedback)]
        .filter((part) => part !== '')
        .join('\n')
        .slice(0, LONGEST.explanation),
    ),
    form: found.form ?? null,
    category: showControls(found.category),
    notices: found.notices,
    reason,
    resembles: null,
  }
}
