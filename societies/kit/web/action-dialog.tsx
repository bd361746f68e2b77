import { zodResolver } from '@hookform/resolvers/zod'
import { type ReactNode, useEffect, useRef } from 'react'
import { type Resolver, type UseFormReturn, useController, useForm } from 'react-hook-form'
import type { CallInput, Endpoint, ResponseOf } from '../../../platform/endpoint.ts'
import { call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { type ButtonWords, DialogFrame } from './dialog-frame.tsx'
import { AreaField, type FieldWords, type Option, SelectField, TextField, Tick } from './fields.tsx'
import { useAct } from './use-act.tsx'

/** A dialog's field, stored under its name in the request body. */
export type FieldSpec = Pick<FieldWords, 'label' | 'note' | 'hint'> & {
  start?: string | boolean
  /** The value sent for an empty text; omitted means the field isn't sent. */
  empty?: null | ''
  /** Whether this dialog requires the field although the contract makes it optional. */
  isNeeded?: boolean
  /** The message shown if the contract rejects the value. */
  wrong?: string
} & (
    | { kind: 'text' | 'area' | 'date'; maxLength?: number; placeholder?: string }
    | { kind: 'select'; options: readonly Option[] }
    | { kind: 'check'; isOff?: boolean }
  )
type Fields = Readonly<Record<string, FieldSpec>>
type Typed = Record<string, string | boolean>
type Sent = Record<string, string | boolean | null>

/**
 * Confirms an action, described by its text, its fields and its button. The contract validates the input. After the
 * action, the dialog closes and shows the outcome.
 * @param props.input the endpoint's parameters and the parts of its body that are not fields
 * @param props.done a toast's title, or a callback
 */
export function ActionDialog<E extends Endpoint>(props: {
  title: string
  text?: string
  wide?: boolean
  endpoint: E
  input: { params?: object; body?: object }
  fields?: Fields
  /** Converts the typed values to body fields if their names differ. */
  bodyOf?: (typed: Sent) => object
  button: ButtonWords
  done?: string | ((answer: ResponseOf<E>) => unknown)
  more?: ReactNode
  onClose: () => void
  /** Shown next to the fields; can depend on the typed values. */
  children?: ReactNode | ((typed: Typed) => ReactNode)
}) {
  const { endpoint, input, fields = {}, done } = props
  const form = useForm<Typed>({
    mode: 'onChange',
    defaultValues: Object.fromEntries(
      Object.entries(fields).map(([name, spec]) => [name, startOf(spec)]),
    ),
    resolver: resolverOf(endpoint, input.body, fields, props.bodyOf),
  })
  const isHere = useIsHere()
  const isRepeatable = hasRequestId(endpoint)
  const fixed = Object.keys(input.body ?? {})
  const act = useAct(
    (whole: object, requestId) => {
      const body = isRepeatable ? { ...whole, requestId } : whole
      return call(endpoint, { ...input, ...(endpoint.body && { body }) } as CallInput<E>)
    },
    async (answer) => {
      if (typeof done === 'string') toast.success(done)
      else await done?.(answer)
      // Another dialog may already have replaced this one.
      if (isHere.current) props.onClose()
    },
    (problem) => {
      if (!isHere.current) toast.error('Not done', problem)
    },
    isRepeatable
      ? (whole) => Object.entries(whole).filter(([name]) => !fixed.includes(name))
      : undefined,
  )
  const { children } = props
  return (
    <DialogFrame
      title={props.title}
      text={props.text}
      wide={props.wide}
      problem={act.problem}
      button={props.button}
      isReady={form.formState.isValid}
      isBusy={act.isBusy}
      onAct={form.handleSubmit((body) => act.run(body))}
      onClose={props.onClose}
      more={props.more}
    >
      {Object.entries(fields).map(([name, spec]) => (
        <AskedField key={name} name={name} spec={spec} form={form} />
      ))}
      {typeof children === 'function' ? children(form.watch()) : children}
    </DialogFrame>
  )
}

const startOf = ({ kind, start }: FieldSpec) => start ?? (kind === 'check' ? false : '')

function AskedField(props: { name: string; spec: FieldSpec; form: UseFormReturn<Typed> }) {
  const { name, spec, form } = props
  const { field, fieldState } = useController({
    name,
    control: form.control,
    // A field may appear while the dialog is open.
    defaultValue: startOf(spec),
  })
  const { onBlur, onChange, ref } = field
  const isSeen = fieldState.isTouched || form.formState.isSubmitted
  const error = fieldState.error && isSeen ? (spec.wrong ?? 'Check this field.') : undefined
  const { label, note, hint } = spec
  const words = { label, note, hint, error }
  if (spec.kind === 'check') {
    return (
      <Tick
        ref={ref}
        label={label}
        hint={hint}
        checked={field.value === true}
        disabled={spec.isOff}
        onChange={onChange}
      />
    )
  }
  const value = String(field.value)
  if (spec.kind === 'select') {
    return (
      <SelectField {...words} ref={ref} value={value} options={spec.options} onChange={onChange} />
    )
  }
  const { kind, maxLength, placeholder } = spec
  const typing = { ...words, ref, value, maxLength, placeholder, onBlur }
  return kind === 'area' ? (
    <AreaField {...typing} onChange={onChange} />
  ) : (
    <TextField
      {...typing}
      type={kind}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

function useIsHere() {
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  return isHere
}

const hasRequestId = ({ body }: Endpoint) =>
  'requestId' in ((body as { shape?: object } | undefined)?.shape ?? {})

/** A placeholder id for validation. The real one is set when the request is sent. */
const SOME_ID = '00000000-0000-4000-8000-000000000000'

/** Validates the typed fields, together with the fixed parts of the body, against the contract. */
function resolverOf(
  endpoint: Endpoint,
  fixed: object | undefined,
  fields: Fields,
  bodyOf: (typed: Sent) => object = (typed) => typed,
): Resolver<Typed> {
  if (!endpoint.body) return () => ({ values: {}, errors: {} })
  const judge = zodResolver(endpoint.body as never) as unknown as Resolver<object>
  return (typed, context, options) => {
    const sent = Object.entries(typed).flatMap(([name, value]): [string, Sent[string]][] => {
      if (typeof value === 'boolean' || value?.trim()) return [[name, value]]
      const empty = fields[name]?.empty
      return empty === undefined ? [] : [[name, empty]]
    })
    const missing = Object.keys(fields).filter(
      (name) => fields[name]?.isNeeded && !sent.some(([one]) => one === name),
    )
    if (missing.length > 0) {
      const errors = missing.map((name) => [name, { type: 'required' }])
      return { values: {}, errors: Object.fromEntries(errors) }
    }
    const id = hasRequestId(endpoint) && { requestId: SOME_ID }
    const body = { ...fixed, ...id, ...bodyOf(Object.fromEntries(sent)) }
    return judge(body, context, options as never) as never
  }
}
