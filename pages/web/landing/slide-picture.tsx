import { useSyncExternalStore } from 'react'
import { useTheme } from '../../../platform/web/preferences.ts'
import type { Theme } from '../../../platform/web/theme.ts'

/** When the dark picture is meant; the system's wish is known before any script runs. */
const DARK: Record<Theme, string> = {
  system: '(prefers-color-scheme: dark)',
  dark: 'all',
  light: 'not all',
}

const nothingChanges = () => () => {}

/** Whether the page is awake: false in the prerendered markup. */
function useAwake(): boolean {
  return useSyncExternalStore(
    nothingChanges,
    () => true,
    () => false,
  )
}

/**
 * A real screen of the product in the theme of the page; made by `npm run screenshots`. The pictures
 * that are not seen at first wait until the page is awake: they would hold up the one that is.
 */
export function SlidePicture(props: { id: string; alt: string; isFirst: boolean }) {
  const [theme] = useTheme()
  const isAwake = useAwake()
  if (!props.isFirst && !isAwake) return <div className="aspect-[6/5] w-full" />
  return (
    <picture>
      <source srcSet={`/screenshots/${props.id}-dark.webp`} media={DARK[theme]} />
      <img
        src={`/screenshots/${props.id}-light.webp`}
        alt={props.alt}
        width={960}
        height={800}
        // Below the question, which comes first on a slow line.
        loading="lazy"
        draggable={false}
        className="h-auto w-full rounded-md border border-line bg-surface"
      />
    </picture>
  )
}
