import { type FormEvent, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { assessmentUrl, societyUrl } from '../../../platform/urls.ts'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import {
  copyAssessment,
  createAssessment,
  createAssessmentFromFile,
  FILE_BYTES,
  listChecklists,
} from '../../contract/lifecycle.ts'
import { nameOfAssessment, useSociety } from '../console/console.tsx'
import { Top } from '../console/top.tsx'
import { FormField, SelectField, TextField } from '../kit/fields.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { Problem, useAct } from '../kit/use-act.tsx'
import type { Surveyed } from './checklist-links.ts'

const WAYS = {
  empty: 'An empty one',
  file: 'From a file',
  copy: 'A copy of one',
} as const
type Way = keyof typeof WAYS

/** /organise/:society/new: empty, from a file, or a copy (product 7.8.2). */
export function NewAssessment() {
  const { society } = useSociety()
  const [search] = useSearchParams()
  const found = useEndpoint(listChecklists, { params: { society: society.id } })
  const asked = search.get('from') ?? ''
  const way: Way = asked in WAYS ? (asked as Way) : 'empty'
  return (
    <Loaded of={found} name="assessments">
      {({ assessments, mayCreate }) =>
        mayCreate ? (
          <>
            <Top title="New assessment" headline="A new one begins as a draft">
              Candidates see nothing of it until you publish it.
            </Top>
            <nav aria-label="How to begin" className="filters border-line border-b pb-2.5">
              {Object.entries(WAYS).map(([one, label]) => (
                <Link
                  key={one}
                  to={`${societyUrl(society.id, 'new')}?from=${one}`}
                  replace
                  aria-current={one === way ? 'page' : undefined}
                  className="flex min-h-9 items-center aria-[current]:font-semibold aria-[current]:text-ink aria-[current]:shadow-[0_2px_0_var(--ink)] max-md:min-h-11"
                >
                  {label}
                </Link>
              ))}
            </nav>
            <div className="mt-7 max-w-[620px]">
              <NewForm key={way} way={way} known={assessments} />
            </div>
          </>
        ) : (
          <Top title="New assessment" headline="An owner or an author makes one">
            {society.roles.some(({ role }) => role === 'author')
              ? 'Your role is for one test, so it would not reach a new one. Please ask an owner.'
              : 'Your role does not make assessments. Please ask an owner.'}
          </Top>
        )
      }
    </Loaded>
  )
}

/** What a new one is called, as it is typed. */
type Typed = Record<'name' | 'code' | 'session' | 'season', string>

/** An optional text as the server takes it. */
const orNull = (text: string): string | null => text.trim() || null

function NewForm({ way, known }: { way: Way; known: readonly Surveyed[] }) {
  const { society } = useSociety()
  const navigate = useNavigate()
  const [file, setFile] = useState<File | null>(null)
  const [sourceCode, setSourceCode] = useState(known[0]?.code ?? '')
  const source = known.find(({ code }) => code === sourceCode)
  const seasons = [...new Set(known.flatMap(({ season }) => season ?? []))]
  const [typed, setTyped] = useState<Typed>({
    name: society.name,
    code: '',
    session: way === 'copy' ? (source?.session ?? '') : '',
    // The newest season, in which a new one probably is.
    season: way === 'copy' ? '' : (seasons[0] ?? ''),
  })
  const put = (some: Partial<Typed>) => setTyped({ ...typed, ...some })
  const isYaml = way === 'file' && file !== null && /\.ya?ml$/i.test(file.name)

  const make = useAct(
    async () => {
      const { code, name } = typed
      const [session, season] = [orNull(typed.session), orNull(typed.season)]
      const params = { society: society.id }
      if (way === 'copy') {
        const body = { code, session, season }
        return call(copyAssessment, { params: { ...params, code: sourceCode }, body })
      }
      if (!isYaml) {
        return call(createAssessment, { params, body: { code, society: name, session, season } })
      }
      if (file.size > FILE_BYTES) {
        throw new ApiFailure(0, {
          code: 'too_large',
          message: `This file is larger than ${FILE_BYTES / 1000} KB. Make an empty assessment and import the questions into it.`,
        })
      }
      const body = { yaml: await file.text(), code: orNull(code), season }
      return call(createAssessmentFromFile, { params, body })
    },
    async ({ code, wanted }) => {
      if (code !== wanted) {
        toast.success(
          `Its code is ${code}`,
          `Another society on this server has ${wanted} already.`,
        )
      }
      // A file of questions is read on the next page.
      if (file && !isYaml) {
        await navigate(assessmentUrl(society.id, code, 'questions/import'), { state: { file } })
      } else await navigate(assessmentUrl(society.id, code))
    },
  )
  const failure = make.failure instanceof ApiFailure ? make.failure : null
  const isAboutCode = failure?.code === 'code_taken'
  const problems = Array.isArray(failure?.details.problems) ? failure.details.problems : []

  function submit(event: FormEvent): void {
    event.preventDefault()
    make.run()
  }
  if (way === 'copy' && !source) return <p className="text-ink-2">There is nothing to copy yet.</p>
  return (
    <>
      {way === 'file' && (
        <FormField
          className="mb-6"
          label="File"
          hint="An assessment’s YAML file, as at the command line, or a file of questions from another platform or a spreadsheet."
        >
          {(described) => (
            <input
              {...described}
              type="file"
              className="field py-1.5"
              onChange={(event) => setFile(event.target.files?.[0] ?? null)}
            />
          )}
        </FormField>
      )}
      {way === 'file' && file && !isYaml && (
        <p className="mb-5 max-w-[60ch] text-ink-2">
          This is a file of questions. The draft is made first; then you see what can be imported,
          before anything of the file is stored.
        </p>
      )}
      {(way !== 'file' || file) && (
        <form onSubmit={submit} className="grid gap-y-4.5">
          {way === 'copy' && (
            <SelectField
              label="Copy of"
              hint="Questions, rules and settings come along; candidates never do, and the window is set anew. A question stays the one it is, so that its results add up over the seasons."
              options={known.map((one) => [
                one.code,
                `${nameOfAssessment(one)} (${one.code}, ${countOf(one.questionCount, 'question')})`,
              ])}
              value={sourceCode}
              onChange={(code) => {
                setSourceCode(code)
                put({ session: known.find((one) => one.code === code)?.session ?? '' })
              }}
            />
          )}
          {way !== 'copy' && !isYaml && (
            <TextField
              label="Name that candidates read"
              required
              maxLength={80}
              value={typed.name}
              onChange={(event) => put({ name: event.target.value })}
              hint="It heads the test and stands on the recruitment page."
            />
          )}
          <NamingFields
            typed={typed}
            put={put}
            seasons={seasons}
            isYaml={isYaml}
            codeError={isAboutCode ? failure.message : undefined}
          />
          <Problem text={isAboutCode ? null : make.problem} />
          {problems.length > 0 && (
            <ul className="list-disc space-y-1 pl-5 text-[13.5px]">
              {problems.map(String).map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          )}
          <button type="submit" className="btn mt-2 w-fit" aria-disabled={make.isBusy}>
            {make.isBusy
              ? 'Making the draft…'
              : way === 'copy' && source
                ? `Copy ${countOf(source.questionCount, 'question')} into a draft`
                : isYaml
                  ? 'Make the draft of this file'
                  : file
                    ? 'Make the draft and read the questions'
                    : 'Make the draft'}
          </button>
        </form>
      )}
    </>
  )
}

/** @param props.isYaml the session is the file's, and so is the code where none is given */
function NamingFields(props: {
  typed: Typed
  put: (some: Partial<Typed>) => void
  seasons: readonly string[]
  isYaml: boolean
  codeError: string | undefined
}) {
  const { typed, put, isYaml } = props
  return (
    <div className="grid gap-x-5 gap-y-4.5 sm:grid-cols-2">
      <TextField
        label="Season"
        note="optional"
        placeholder="Autumn 2026"
        choices={props.seasons}
        maxLength={60}
        value={typed.season}
        onChange={(event) => put({ season: event.target.value })}
        hint="What belongs together: tests of one season stand together in the list."
      />
      {!isYaml && (
        <TextField
          label="Session"
          note="optional"
          placeholder="Morning"
          maxLength={60}
          value={typed.session}
          onChange={(event) => put({ session: event.target.value })}
          hint="Where the same society has several at a time. Candidates read it behind the name."
        />
      )}
      <TextField
        label="Code"
        note={isYaml ? 'optional' : undefined}
        required={!isYaml}
        placeholder="AUT26M"
        pattern="[A-Za-z0-9_]{1,40}"
        title="Letters, digits and underscores"
        maxLength={40}
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
        value={typed.code}
        onChange={(event) => put({ code: event.target.value.toUpperCase() })}
        hint={`${isYaml ? 'Left empty, it is the file’s. ' : ''}For organisers alone. Capitals, digits and underscores; it cannot be changed later.`}
        error={props.codeError}
      />
    </div>
  )
}
