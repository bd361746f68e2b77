import { Pause, Play } from 'lucide-react'
import {
  type ComponentProps,
  type ComponentType,
  type KeyboardEvent,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { page } from '../../../content/pages/landing.yaml'
import { useTheme } from '../../../platform/web/preferences.ts'
import type { Theme } from '../../../platform/web/theme.ts'
import type { SlideMover, Slides } from './slide-mover.tsx'

const { slides } = page

/** How far below the window the carousel is when its code is loaded. */
const NEAR = '600px'

/** Four looping images that change every 3 s until the button stops them (product 8.1.2, WCAG 2.2.2). */
export function Carousel() {
  const isStill = useReducedMotion()
  const [choice, setChoice] = useState<boolean | null>(null)
  const isPlaying = choice ?? !isStill
  const viewport = useRef<HTMLDivElement>(null)
  const Mover = useMover(viewport)
  const [embla, setEmbla] = useState<Slides | null>(null)
  // null until the first change, because the initial slide doesn't fade in.
  const [moved, setMoved] = useState<number | null>(null)
  const selected = moved ?? 0

  const show = (index: number) => {
    embla?.scrollTo(index)
    // The chosen slide stays for the full time.
    embla?.plugins().autoplay?.reset()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (!step) return
    event.preventDefault()
    show((selected + step + slides.length) % slides.length)
  }

  return (
    <section aria-roledescription="carousel" aria-label="Superday in four pictures">
      {Mover && viewport.current && (
        <Mover
          viewport={viewport.current}
          isPlaying={isPlaying}
          onReady={setEmbla}
          onMoved={setMoved}
        />
      )}
      <div ref={viewport} className="overflow-hidden">
        <ul className="-ml-4 flex touch-pan-y">
          {slides.map((slide, index) => (
            <li
              key={slide.id}
              aria-roledescription="slide"
              aria-label={`${index + 1} of ${slides.length}`}
              className={`min-w-0 flex-[0_0_100%] pl-4 ${index === moved ? 'fade-in' : ''}`}
            >
              <figure>
                <SlidePicture id={slide.id} alt={slide.alt} isFirst={index === 0} />
                <figcaption className="running mt-3 min-h-[2.9em] text-[15px] text-ink-2 leading-[1.45]">
                  {slide.caption}
                </figcaption>
              </figure>
            </li>
          ))}
        </ul>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a group of buttons, not a form's fieldset */}
      <div
        role="group"
        aria-label="Slides"
        className="mt-1 flex items-center justify-center"
        onKeyDown={onKeyDown}
      >
        {slides.map((slide, index) => (
          <button
            key={slide.id}
            type="button"
            aria-label={`Slide ${index + 1} of ${slides.length}`}
            aria-current={index === selected ? 'true' : undefined}
            onClick={() => show(index)}
            className="group grid h-11 w-[26px] place-items-center"
          >
            <span className="h-[3px] w-[18px] rounded-full bg-line-strong/50 group-hover:bg-line-strong group-aria-[current]:bg-ink" />
          </button>
        ))}
        <button
          type="button"
          aria-label={isPlaying ? 'Pause the slides' : 'Play the slides'}
          onClick={() => setChoice(!isPlaying)}
          className="ml-1 grid size-11 place-items-center rounded-md text-ink-2 hover:text-ink"
        >
          {isPlaying ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />}
        </button>
      </div>
    </section>
  )
}

type Mover = ComponentType<ComponentProps<typeof SlideMover>>

/** The code that moves the slides, loaded once they are near the window; null before. */
function useMover(viewport: { current: HTMLElement | null }): Mover | null {
  const [mover, setMover] = useState<Mover | null>(null)
  useEffect(() => {
    const element = viewport.current
    if (!element) return
    const observer = new IntersectionObserver(
      async ([entry]) => {
        if (!entry?.isIntersecting) return
        observer.disconnect()
        const part = await import('./slide-mover.tsx')
        setMover(() => part.SlideMover)
      },
      { rootMargin: NEAR },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [viewport])
  return mover
}

const QUERY = '(prefers-reduced-motion: reduce)'

function subscribe(listener: () => void): () => void {
  const media = matchMedia(QUERY)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

/** Whether the user prefers reduced motion; false while prerendering. */
function useReducedMotion(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(QUERY).matches,
    () => false,
  )
}

/** When to show the dark image. The system's preference is known before any script runs. */
const DARK: Record<Theme, string> = {
  system: '(prefers-color-scheme: dark)',
  dark: 'all',
  light: 'not all',
}

const nothingChanges = () => () => {}

/** Whether the page is hydrated; false while prerendering. */
function useAwake(): boolean {
  return useSyncExternalStore(
    nothingChanges,
    () => true,
    () => false,
  )
}

/** A real screenshot in the page's theme (`npm run screenshots`). Hidden slides load after hydration. */
function SlidePicture(props: { id: string; alt: string; isFirst: boolean }) {
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
        // The question above comes first on a slow connection.
        loading="lazy"
        draggable={false}
        className="h-auto w-full rounded-md border border-line bg-surface"
      />
    </picture>
  )
}
