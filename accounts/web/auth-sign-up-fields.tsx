import { type ReactNode, useId, useState } from 'react'
import type { FieldErrors, UseFormRegister } from 'react-hook-form'
import * as z from 'zod/mini'
import { LegalDialog } from '../../pages/web/legal.tsx'
import { EmailField, Field, FieldError, PasswordField } from '../../platform/web/ui/field.tsx'
import {
  FIRST_YEAR_OF_STUDIES,
  LAST_YEAR_OF_STUDIES,
  METADATA_TEXT_LIMIT,
  PASSWORD_MIN_LENGTH,
  readYearOfStudies,
  TERMS_REQUIRED,
} from '../limits.ts'

/** Checks that it looks like an address. The server decides. */
export const emailSchema = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Please enter your email.'),
    z.regex(/^[^\s@]+@[^\s@]+$/, 'Please enter an email such as name@example.com.'),
  )

/** The fields for creating an account, on the sign-up tab and for a guest in the Personal Hub. */
export const accountSchema = z.object({
  email: emailSchema,
  password: z.string().check(z.minLength(1, 'Please enter a password.')),
  degree: z.string().check(z.trim()),
  university: z.string().check(z.trim()),
  yearOfStudies: z.string().check(
    z.trim(),
    z.refine(
      (text) => readYearOfStudies(text) !== undefined,
      `Please enter a whole number from ${FIRST_YEAR_OF_STUDIES} to ${LAST_YEAR_OF_STUDIES}, or leave this empty.`,
    ),
  ),
  hasAcceptedTerms: z.boolean().check(z.refine((accepted) => accepted, TERMS_REQUIRED)),
})
export type Account = z.infer<typeof accountSchema>

export const NO_ACCOUNT: Account = {
  email: '',
  password: '',
  degree: '',
  university: '',
  yearOfStudies: '',
  hasAcceptedTerms: false,
}

/** The sign-up metadata (product 2.3.4, 2.3.2): empty fields are omitted, and an empty year is null. */
export function metadataOf(account: Account) {
  return {
    ...(account.degree && { degree: account.degree }),
    ...(account.university && { university: account.university }),
    year_of_studies: readYearOfStudies(account.yearOfStudies) ?? null,
  }
}

export function AccountFields(props: {
  register: UseFormRegister<Account>
  errors: FieldErrors<Account>
  /** shown between the address and the password */
  belowEmail?: ReactNode
}) {
  const { register, errors } = props
  return (
    <>
      <EmailField autoComplete="email" error={errors.email?.message} {...register('email')} />
      {props.belowEmail}
      <PasswordField
        label="Password"
        autoComplete="new-password"
        required
        hint={`${PASSWORD_MIN_LENGTH} characters or more`}
        error={errors.password?.message}
        {...register('password')}
      />
      <Field
        label="Degree"
        note="optional"
        type="text"
        maxLength={METADATA_TEXT_LIMIT}
        error={errors.degree?.message}
        {...register('degree')}
      />
      <Field
        label="University"
        note="optional"
        type="text"
        autoComplete="organization"
        maxLength={METADATA_TEXT_LIMIT}
        error={errors.university?.message}
        {...register('university')}
      />
      <Field
        label="Year of studies"
        note={`optional, ${FIRST_YEAR_OF_STUDIES} to ${LAST_YEAR_OF_STUDIES}`}
        type="text"
        inputMode="numeric"
        maxLength={10}
        error={errors.yearOfStudies?.message}
        {...register('yearOfStudies')}
      />
      <Terms register={register} error={errors.hasAcceptedTerms?.message} />
    </>
  )
}

function Terms({
  register,
  error,
}: {
  register: UseFormRegister<Account>
  error?: string | undefined
}) {
  const id = useId()
  const [open, setOpen] = useState<'terms' | 'privacy' | null>(null)
  return (
    <div>
      <div className="flex items-start gap-3">
        <input
          id={id}
          type="checkbox"
          aria-labelledby={`${id}-text`}
          aria-describedby={error ? `${id}-error` : undefined}
          aria-invalid={error ? true : undefined}
          className="mt-0.5 size-6 flex-none accent-accent"
          {...register('hasAcceptedTerms')}
        />
        {/* The links are buttons next to the label, because pressing one must not tick the box. */}
        <p id={`${id}-text`} className="pt-0.5 text-[15px] leading-6">
          <label htmlFor={id}>I accept the </label>
          <button type="button" className="link" onClick={() => setOpen('terms')}>
            Terms and Conditions
          </button>
          <label htmlFor={id}> and the </label>
          <button type="button" className="link" onClick={() => setOpen('privacy')}>
            Privacy Policy
          </button>
        </p>
      </div>
      <FieldError id={`${id}-error`}>{error}</FieldError>
      <LegalDialog text={open} onClose={() => setOpen(null)} />
    </div>
  )
}
