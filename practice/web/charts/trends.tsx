import { useQuery } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense } from 'react'
import { Skeleton } from '../../../platform/web/ui/skeleton.tsx'
import { progressQuery } from '../queries.ts'
import type { ChartsProps } from './charts.tsx'

// A person without tests doesn't need the charts. If they fail to load, the hub still works.
const Charts = lazy(async (): Promise<{ default: ComponentType<ChartsProps> }> => {
  try {
    return { default: (await import('./charts.tsx')).Charts }
  } catch {
    return { default: ChartsMissing }
  }
})

function ChartsMissing() {
  return (
    <p role="alert" className="pt-6 text-ink-2">
      Your charts could not be loaded. Please check your connection and reload the page.
    </p>
  )
}

export function Trends() {
  const { data } = useQuery(progressQuery)
  if (!data || data.attempts.length === 0) return null
  return (
    <Suspense fallback={<Skeleton className="mt-14 h-[640px] nav:h-[330px]" />}>
      <Charts attempts={data.attempts} />
    </Suspense>
  )
}
