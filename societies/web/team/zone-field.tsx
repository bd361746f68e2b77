import { useId } from 'react'
import { isZone, zoneTime } from '../../zone-time.ts'
import { useNowMs } from '../console/use-now.ts'

const zones = () => ['UTC', ...Intl.supportedValuesOf('timeZone')]

/** The zone on whose clocks times are meant: typing a city finds it. */
export function ZoneField(props: {
  value: string
  onChange: (zone: string) => void
  error?: string | null | undefined
}) {
  const id = useId()
  const nowMs = useNowMs(10_000)
  const { value, error } = props
  return (
    <div>
      <label className="label" htmlFor={id}>
        Time zone
      </label>
      <input
        id={id}
        className="field w-full"
        list={`${id}-zones`}
        value={value}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-hint`}
        onChange={(event) => props.onChange(event.target.value)}
      />
      <datalist id={`${id}-zones`}>
        {zones().map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <p
        id={`${id}-hint`}
        role={error ? 'alert' : undefined}
        className={error ? 'mt-1' : 'hint mt-1'}
      >
        {error ??
          (isZone(value)
            ? `It is ${zoneTime(nowMs, value)} there now.`
            : 'Type a city and choose of the list, such as Europe/Lisbon.')}
      </p>
    </div>
  )
}
