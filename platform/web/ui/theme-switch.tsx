import { Monitor, Moon, Sun } from 'lucide-react'
import { useId } from 'react'
import { useTheme } from '../preferences.ts'
import { THEMES, type Theme } from '../theme.ts'

const LOOKS: Record<Theme, { label: string; Icon: typeof Sun }> = {
  light: { label: 'Light', Icon: Sun },
  dark: { label: 'Dark', Icon: Moon },
  system: { label: 'System', Icon: Monitor },
}

export function ThemeSwitch() {
  const [theme, setTheme] = useTheme()
  const name = useId()
  return (
    <fieldset className="inline-flex rounded-md border border-line">
      <legend className="sr-only">Theme</legend>
      {THEMES.map((value) => {
        const { label, Icon } = LOOKS[value]
        return (
          <label
            key={value}
            className="relative flex min-h-10 cursor-pointer items-center gap-2 px-3 text-[14px] text-ink-2 first-of-type:rounded-l-[5px] last-of-type:rounded-r-[5px] hover:text-ink has-checked:bg-sunken has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2"
          >
            <input
              type="radio"
              name={name}
              value={value}
              checked={theme === value}
              onChange={() => setTheme(value)}
              className="absolute inset-0 cursor-pointer opacity-0"
            />
            <Icon size={16} aria-hidden />
            <span className="max-sm:sr-only">{label}</span>
          </label>
        )
      })}
    </fieldset>
  )
}
