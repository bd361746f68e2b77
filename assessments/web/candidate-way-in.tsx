import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { URLS } from '../../platform/urls.ts'
import { Field, PasswordField } from '../../platform/web/ui/field.tsx'
import { keepTyped } from './attempt/candidate.ts'

/** Lets candidates in at the guest limit with their society credentials (product 6.2.13). */
export function CandidateWayIn(props: {
  isWorking: boolean
  comeIn: (proof: string) => Promise<boolean>
}) {
  const navigate = useNavigate()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [isMissing, setMissing] = useState(false)

  async function onSubmit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const typed = { username: username.trim(), password: password.trim() }
    const isComplete = typed.username !== '' && typed.password !== ''
    setMissing(!isComplete)
    if (!isComplete || !(await props.comeIn(JSON.stringify(typed)))) return
    keepTyped(typed)
    await navigate(URLS.recruitment, { replace: true })
  }

  return (
    <form
      onSubmit={onSubmit}
      noValidate
      name="candidate-way-in"
      className="mt-6 flex flex-col gap-5 border-l-2 border-l-mid pl-4"
    >
      <div>
        <h2 className="text-[22px]">Here for an assessment?</h2>
        <p className="mt-1 text-[15px] text-ink-2">
          Guest sign-in is very busy right now. To skip the wait, use the credentials your society
          gave you.
        </p>
      </div>
      <Field
        label="Society username"
        name="society-username"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={username}
        onChange={(event) => setUsername(event.target.value)}
        error={isMissing ? 'Please enter both username and password.' : undefined}
      />
      <PasswordField
        label="Society password"
        name="society-password"
        autoComplete="off"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <div>
        <button type="submit" className="btn" aria-disabled={props.isWorking}>
          {props.isWorking ? 'Opening…' : 'Open assessment'}
        </button>
      </div>
    </form>
  )
}
