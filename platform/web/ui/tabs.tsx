import { Tabs as BaseTabs } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

/** Tabs whose panels stay mounted, so that typed text is kept. Arrow keys move between them. */
export function Tabs<Value extends string>(props: {
  value: Value
  onChange: (value: Value) => void
  label: string
  tabs: { value: Value; label: string; panel: ReactNode }[]
}) {
  return (
    <BaseTabs.Root
      value={props.value}
      onValueChange={(value) => value !== props.value && props.onChange(value as Value)}
    >
      <BaseTabs.List
        aria-label={props.label}
        activateOnFocus
        className="flex gap-7 border-line border-b"
      >
        {props.tabs.map((tab) => (
          <BaseTabs.Tab
            key={tab.value}
            value={tab.value}
            className="-mb-px min-h-12 border-transparent border-b-2 text-[16px] text-ink-2 hover:text-ink data-active:border-ink data-active:font-medium data-active:text-ink"
          >
            {tab.label}
          </BaseTabs.Tab>
        ))}
      </BaseTabs.List>
      {props.tabs.map((tab) => (
        <BaseTabs.Panel key={tab.value} value={tab.value} keepMounted className="pt-7">
          {tab.panel}
        </BaseTabs.Panel>
      ))}
    </BaseTabs.Root>
  )
}
