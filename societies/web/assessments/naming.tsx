import type { ReactNode } from 'react'
import { ApiFailure } from '../../../platform/web/api.ts'
import { TextField } from '../kit/fields.tsx'
import type { Surveyed } from './checklist-links.ts'

/** What a new assessment is called, as it is typed. */
export interface Typed {
  code: string
  session: string
  season: string
}

/** The newest season, in which a new assessment probably is. */
export const newestSeason = (known: readonly Surveyed[]): string =>
  known.find(({ season }) => season !== null)?.season ?? ''

export const CODE_HINT =
  'For organisers alone. Capitals, digits and underscores; it cannot be changed later.'

/** Whether a failure is about the code: then it is told at its field. */
export const isAboutCode = (error: unknown): error is ApiFailure =>
  error instanceof ApiFailure && error.code === 'code_taken'

/** The fields that every new assessment has. */
export function NamingFields(props: {
  typed: Typed
  onChange: (typed: Typed) => void
  known: readonly Surveyed[]
  error: unknown
  /** left out, the code is the file's */
  isCodeOptional?: boolean
  /** the session is the file's */
  isSessionHidden?: boolean
  codeHint?: ReactNode
}) {
  const { typed, onChange } = props
  const seasons = [...new Set(props.known.flatMap(({ season }) => season ?? []))]
  return (
    <div className="grid gap-x-5 gap-y-4.5 sm:grid-cols-2">
      <TextField
        label="Season"
        note="optional"
        placeholder="Autumn 2026"
        choices={seasons}
        maxLength={60}
        value={typed.season}
        onChange={(event) => onChange({ ...typed, season: event.target.value })}
        hint="What belongs together: tests of one season stand together in the list."
      />
      {!props.isSessionHidden && (
        <TextField
          label="Session"
          note="optional"
          placeholder="Morning"
          maxLength={60}
          value={typed.session}
          onChange={(event) => onChange({ ...typed, session: event.target.value })}
          hint="Where the same society has several at a time. Candidates read it behind the name."
        />
      )}
      <TextField
        label="Code"
        {...(props.isCodeOptional ? { note: 'optional' } : {})}
        required={!props.isCodeOptional}
        placeholder="AUT26M"
        pattern="[A-Za-z0-9_]{1,40}"
        title="Letters, digits and underscores"
        maxLength={40}
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
        value={typed.code}
        onChange={(event) => onChange({ ...typed, code: event.target.value.toUpperCase() })}
        hint={props.codeHint ?? CODE_HINT}
        error={isAboutCode(props.error) ? props.error.message : undefined}
      />
    </div>
  )
}

/** An optional text as the server takes it. */
export const orNull = (text: string): string | null => text.trim() || null
