import Autoplay from 'embla-carousel-autoplay'
import useEmblaCarousel, { type UseEmblaCarouselType } from 'embla-carousel-react'
import { useEffect } from 'react'

export type Slides = NonNullable<UseEmblaCarouselType[1]>

/** Milliseconds that a slide is shown (product 8.1.2). */
const DELAY_MS = 3_000

/** Moves an existing carousel's slides. It is loaded separately, because the carousel is below the question. */
export function SlideMover(props: {
  viewport: HTMLElement
  isPlaying: boolean
  onReady: (slides: Slides) => void
  /** the current slide's index, from 0 */
  onMoved: (place: number) => void
}) {
  const { viewport, onReady, onMoved } = props
  // Duration 0, because Embla's animation takes half a second or more. The next slide fades in instead.
  const [attach, slides] = useEmblaCarousel({ loop: true, duration: 0 }, [
    Autoplay({
      delay: DELAY_MS,
      active: props.isPlaying,
      stopOnInteraction: false,
      // Slides contain nothing focusable.
      stopOnFocusIn: false,
    }),
  ])
  useEffect(() => attach(viewport), [attach, viewport])
  useEffect(() => {
    if (!slides) return
    onReady(slides)
    const follow = () => onMoved(slides.selectedScrollSnap())
    slides.on('select', follow)
    return () => {
      slides.off('select', follow)
    }
  }, [slides, onReady, onMoved])
  return null
}
