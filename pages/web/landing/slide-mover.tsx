import Autoplay from 'embla-carousel-autoplay'
import useEmblaCarousel, { type UseEmblaCarouselType } from 'embla-carousel-react'
import { useEffect } from 'react'

export type Slides = NonNullable<UseEmblaCarouselType[1]>

/** Milliseconds that a slide stands (product 8.1.2). */
const DELAY_MS = 3_000

/** Moves the slides of a carousel that stands already; a part of its own, because it stands below the question. */
export function SlideMover(props: {
  viewport: HTMLElement
  isPlaying: boolean
  onReady: (slides: Slides) => void
  /** the place of the slide that stands now, from 0 */
  onMoved: (place: number) => void
}) {
  const { viewport, onReady, onMoved } = props
  // Duration 0: Embla's own movement takes half a second and more; the slide that comes fades in instead.
  const [attach, slides] = useEmblaCarousel({ loop: true, duration: 0 }, [
    Autoplay({
      delay: DELAY_MS,
      active: props.isPlaying,
      stopOnInteraction: false,
      // Nothing in a slide takes the focus.
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
