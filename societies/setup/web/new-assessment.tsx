import { type ChangeEvent, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { assessmentUrl, societyUrl } from '../../../platform/urls.ts'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import { nameOfAssessment, useSociety } from '../../kit/web/console/console.tsx'
import { FormField, SelectField, TextField } from '../../kit/web/fields.tsx'
import { Loaded } from '../../kit/web/loaded.tsx'
import { Top, Views } from '../../kit/web/section.tsx'
import { Problem, useAct } from '../../kit/web/use-act.tsx'
import * as contract from '../contract.ts'
import { type Listed, listChecklists } from '../contract-overview.ts'

const WAYS = { empty: 'Start empty', file: 'From a file', copy: 'Copy a test' } as const
type Way = keyof typeof WAYS

/** /organise/:society/new: an empty draft, one from a file, or a copy (product 7.8.2). */
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
            <Top title="New assessment" headline="A new assessment starts as a draft">
              Candidates don’t see it until you publish it.
            </Top>
            <Views
              label="How to begin"
              of={Object.entries(WAYS).map(([one, words]) => [
                `${societyUrl(society.id, 'new')}?from=${one}`,
                words,
                one === way,
              ])}
            />
            <div className="mt-7 max-w-[620px]">
              <NewForm key={way} way={way} known={assessments} />
            </div>
          </>
        ) : (
          <Top title="New assessment" headline="Ask an owner to create one">
            {society.roles.some(({ role }) => role === 'author')
              ? 'Your role is for one test only, so it would not include a new one.'
              : 'Your role can’t create assessments.'}
          </Top>
        )
      }
    </Loaded>
  )
}

const isYaml = (file: File | null): file is File => file !== null && /\.ya?ml$/i.test(file.name)

function NewForm({ way, known }: { way: Way; known: readonly Listed[] }) {
  const { society } = useSociety()
  const navigate = useNavigate()
  const [file, setFile] = useState<File | null>(null)
  const [sourceCode, setSourceCode] = useState(known[0]?.code ?? '')
  const source = known.find(({ code }) => code === sourceCode)
  const seasons = [...new Set(known.flatMap(({ season }) => season ?? []))]
  const isCopy = way === 'copy'
  const [typed, setTyped] = useState({
    name: society.name,
    code: '',
    session: (isCopy && source?.session) || '',
    // A new assessment probably belongs to the newest season.
    season: (!isCopy && seasons[0]) || '',
  })
  const text = (field: keyof typeof typed, maxLength: number) => ({
    maxLength,
    value: typed[field],
    onChange: ({ target: { value } }: ChangeEvent<HTMLInputElement>) =>
      setTyped({ ...typed, [field]: field === 'code' ? value.toUpperCase() : value }),
  })
  const hasYaml = isYaml(file)
  const make = useAct(
    () => makeDraft(society.id, typed, isCopy ? sourceCode : file),
    async ({ code, wanted }) => {
      if (code !== wanted) {
        const sentence = `Another society on this server already has ${wanted}.`
        toast.success(`Its code is ${code}`, sentence)
      }
      // The next page imports a file of questions.
      const page = file && !hasYaml ? 'questions/import' : ''
      await navigate(assessmentUrl(society.id, code, page), page ? { state: { file } } : {})
    },
  )
  const failure = make.failure instanceof ApiFailure ? make.failure : null
  const isAboutCode = failure?.code === 'code_taken'
  if (isCopy && !source) return <p className="text-ink-2">No assessments to copy yet.</p>
  return (
    <>
      {way === 'file' && <FileField onChange={setFile} />}
      {file && !hasYaml && <QuestionsNote />}
      {(way !== 'file' || file) && (
        <form
          className="grid gap-y-4.5"
          onSubmit={(event) => {
            event.preventDefault()
            make.run()
          }}
        >
          {isCopy && (
            <SelectField
              label="Copy of"
              hint="Copies questions, rules and settings, but not candidates or the window. Questions keep their identity, so their results add up over the seasons."
              options={known.map((one) => [
                one.code,
                `${nameOfAssessment(one)} (${one.code}, ${countOf(one.itemCount, 'question')})`,
              ])}
              value={sourceCode}
              onChange={(code) => {
                setSourceCode(code)
                const session = known.find((one) => one.code === code)?.session ?? ''
                setTyped({ ...typed, session })
              }}
            />
          )}
          {!isCopy && !hasYaml && (
            <TextField
              {...text('name', 80)}
              label="Name shown to candidates"
              required
              hint="It is shown on the test and on the recruitment page."
            />
          )}
          <div className="grid gap-x-5 gap-y-4.5 sm:grid-cols-2">
            <TextField
              {...text('season', 60)}
              label="Season"
              note="optional"
              placeholder="Autumn 2026"
              choices={seasons}
              hint="Tests of one season are grouped in the list."
            />
            {/* A YAML file already has a session and a code. */}
            {!hasYaml && (
              <TextField
                {...text('session', 60)}
                label="Session"
                note="optional"
                placeholder="Morning"
                hint="Only needed for several sessions. Candidates see it after the name."
              />
            )}
            <TextField
              {...text('code', 40)}
              label="Code"
              note={hasYaml ? 'optional' : undefined}
              required={!hasYaml}
              placeholder="AUT26M"
              pattern="[A-Za-z0-9_]{1,40}"
              title="Letters, digits and underscores"
              autoCapitalize="characters"
              autoComplete="off"
              spellCheck={false}
              hint={`${hasYaml ? 'If empty, the file’s code is used. ' : ''}Only organizers see it. Capitals, digits and underscores. You can’t change it later.`}
              error={isAboutCode && failure.message}
            />
          </div>
          <Problem text={isAboutCode ? null : make.problem} />
          <ProblemList problems={failure?.details.problems} />
          <button type="submit" className="btn mt-2 w-fit" aria-disabled={make.isBusy}>
            {make.isBusy ? 'Creating draft…' : buttonOf(isCopy ? source : undefined, file)}
          </button>
        </form>
      )}
    </>
  )
}

async function makeDraft(
  society: string,
  typed: Record<'name' | 'code' | 'session' | 'season', string>,
  from: string | File | null,
) {
  const params = { society }
  const { name, code } = typed
  const session = typed.session.trim() || null
  const season = typed.season.trim() || null
  if (typeof from === 'string') {
    const body = { code, session, season }
    return call(contract.copyAssessment, { params: { ...params, code: from }, body })
  }
  if (!isYaml(from)) {
    const body = { code, society: name, session, season }
    return call(contract.createAssessment, { params, body })
  }
  if (from.size > contract.FILE_BYTES) {
    throw new ApiFailure(0, {
      code: 'too_large',
      message: `This file is larger than ${contract.FILE_BYTES / 1000} KB. Create an empty assessment and import the questions into it.`,
    })
  }
  const body = { yaml: await from.text(), code: code.trim() || null, season }
  return call(contract.createAssessmentFromFile, { params, body })
}

function FileField({ onChange }: { onChange: (file: File | null) => void }) {
  return (
    <FormField
      className="mb-6"
      label="File"
      hint="An assessment’s YAML file, as for the command line, or questions from another platform or a spreadsheet."
    >
      {(described) => (
        <input
          {...described}
          type="file"
          className="field py-1.5"
          onChange={(event) => onChange(event.target.files?.[0] ?? null)}
        />
      )}
    </FormField>
  )
}

const QuestionsNote = () => (
  <p className="mb-5 max-w-[60ch] text-ink-2">
    This is a file of questions. Create the draft first. Then you can review the questions before
    they are stored.
  </p>
)

function ProblemList({ problems }: { problems: unknown }) {
  if (!Array.isArray(problems)) return null
  return (
    <ul className="list-disc space-y-1 pl-5 text-[13.5px]">
      {problems.map(String).map((problem) => (
        <li key={problem}>{problem}</li>
      ))}
    </ul>
  )
}

function buttonOf(source: Listed | undefined, file: File | null): string {
  if (source) return `Copy ${countOf(source.itemCount, 'question')} into a draft`
  if (isYaml(file)) return 'Create draft from this file'
  return file ? 'Create draft and import questions' : 'Create draft'
}
