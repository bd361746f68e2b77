import { type Theme, useTheme } from '../preferences.ts'

/** When the dark picture is meant; the system's wish is known before any script runs. */
const DARK: Record<Theme, string> = {
  system: '(prefers-color-scheme: dark)',
  dark: 'all',
  light: 'not all',
}

/** A real screen of the product in the theme of the page; made by `npm run screenshots`. */
export function SlidePicture(props: { id: string; alt: string; isFirst: boolean }) {
  const [theme] = useTheme()
  return (
    <picture>
      <source srcSet={`/screenshots/${props.id}-dark.webp`} media={DARK[theme]} />
      <img
        src={`/screenshots/${props.id}-light.webp`}
        alt={props.alt}
        width={960}
        height={800}
        loading={props.isFirst ? 'eager' : 'lazy'}
        fetchPriority={props.isFirst ? 'high' : 'auto'}
        draggable={false}
        className="h-auto w-full rounded-md border border-line bg-surface"
      />
    </picture>
  )
}
