import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { societyUrl } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { copyAssessment, copySeason } from '../../contract/lifecycle.ts'
import { countOf } from '../../number-words.ts'
import { nameOfAssessment, useSociety } from '../console/console.tsx'
import { societyKey } from '../console/queries.ts'
import { FormField, Refusal, TextField } from './form-parts.tsx'
import type { Surveyed } from './lifecycle-queries.ts'
import { isAboutCode, NamingFields, orNull } from './naming.tsx'
import { useMaking } from './use-making.ts'

const COPIED =
  'Questions, rules and settings come along; candidates never do, and the window is set anew. A question stays the one it is, so that its results add up over the seasons.'

const NOTHING = 'There is nothing to copy yet.'

/** A draft with what another assessment has. */
export function CopyOne({ known }: { known: readonly Surveyed[] }) {
  const { society } = useSociety()
  const sources = known.filter(({ isDeleted }) => !isDeleted)
  const [code, setCode] = useState(sources[0]?.code ?? '')
  const source = sources.find((one) => one.code === code)
  const [typed, setTyped] = useState({
    code: '',
    session: source?.session ?? '',
    season: '',
  })
  const making = useMaking(() =>
    call(copyAssessment, {
      params: { society: society.id, code },
      body: {
        code: typed.code,
        session: orNull(typed.session),
        season: orNull(typed.season),
      },
    }),
  )
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (!making.isPending) making.mutate(undefined)
  }
  if (!source) return <p className="text-ink-2">{NOTHING}</p>
  return (
    <form onSubmit={submit}>
      <FormField className="mb-4.5" label="Copy of" hint={COPIED}>
        {(described) => (
          <select
            {...described}
            className="field"
            value={code}
            onChange={(event) => {
              setCode(event.target.value)
              const chosen = sources.find((one) => one.code === event.target.value)
              setTyped({ ...typed, session: chosen?.session ?? '' })
            }}
          >
            {sources.map((one) => (
              <option key={one.code} value={one.code}>
                {nameOfAssessment(one)} ({one.code}, {countOf(one.questionCount, 'question')})
              </option>
            ))}
          </select>
        )}
      </FormField>
      <NamingFields typed={typed} onChange={setTyped} known={known} error={making.error} />
      <Refusal error={isAboutCode(making.error) ? null : making.error} />
      <button type="submit" className="btn mt-6" aria-disabled={making.isPending}>
        {making.isPending
          ? 'Copying…'
          : `Copy ${countOf(source.questionCount, 'question')} into a draft`}
      </button>
    </form>
  )
}

/** All assessments of a season as drafts of another one. */
export function CopySeason({ known }: { known: readonly Surveyed[] }) {
  const { society } = useSociety()
  const client = useQueryClient()
  const navigate = useNavigate()
  const sources = known.filter(({ isDeleted }) => !isDeleted)
  const seasons = [...new Set(sources.map(({ season }) => season))]
  const [index, setIndex] = useState(0)
  const [to, setTo] = useState('')
  const from = seasons[index] ?? null
  const list = sources.filter(({ season }) => season === from)
  const copying = useMutation({
    mutationFn: () =>
      call(copySeason, { params: { society: society.id }, body: { from, to: to.trim() } }),
    onSuccess: async (copies) => {
      void client.invalidateQueries({ queryKey: societyKey(society.id) })
      toast.success(
        `${countOf(copies.length, 'draft')} in ${to.trim()}`,
        copies.map(({ from: old, code }) => `${old} became ${code}`).join(', '),
      )
      await navigate(societyUrl(society.id))
    },
  })
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (!copying.isPending) copying.mutate()
  }
  if (list.length === 0) return <p className="text-ink-2">{NOTHING}</p>
  return (
    <form onSubmit={submit}>
      <div className="grid gap-x-5 gap-y-4.5 sm:grid-cols-2">
        <FormField label="Copy of the season">
          {(described) => (
            <select
              {...described}
              className="field"
              value={index}
              onChange={(event) => setIndex(Number(event.target.value))}
            >
              {seasons.map((season, place) => (
                <option key={season ?? ''} value={place}>
                  {season ?? 'Without a season'}
                </option>
              ))}
            </select>
          )}
        </FormField>
        <TextField
          label="Into the season"
          required
          maxLength={60}
          placeholder="Autumn 2027"
          value={to}
          onChange={(event) => setTo(event.target.value)}
        />
      </div>
      <ul className="mt-5 border-ink border-t">
        {list.map((one) => (
          <li key={one.code} className="flex justify-between gap-4 border-line border-b py-2.5">
            <span>
              {one.session ?? one.society} <span className="text-ink-2">{one.code}</span>
            </span>
            <span className="figures text-ink-2">{countOf(one.questionCount, 'question')}</span>
          </li>
        ))}
      </ul>
      <p className="hint mt-2.5">
        {COPIED} Each code gets the new year where it has the old one, else a number.
      </p>
      <Refusal error={copying.error} />
      <button type="submit" className="btn mt-6" aria-disabled={copying.isPending}>
        {copying.isPending ? 'Copying…' : `Copy ${countOf(list.length, 'assessment')}`}
      </button>
    </form>
  )
}
