// Checks that run as functions in the page, so they can't use variables outside.

/** Screen frames during which a page is watched for movement. */
export const WATCHED_FRAMES = 24

/**
 * What moves by itself: lasting animations, and any element seen in five places.
 * @returns a line for each
 */
export async function whatMoves(frames: number): Promise<string[]> {
  const told = new Set<string>()
  const places = new Map<Element, Set<string>>()
  const nameOf = (element: Element | null) =>
    `${element?.tagName.toLowerCase()}.${element?.getAttribute('class') ?? ''}`.slice(0, 80)
  for (let frame = 0; frame < frames; frame += 1) {
    await new Promise((resolve) => requestAnimationFrame(resolve))
    for (const animation of document.getAnimations()) {
      const { duration = 0, iterations = 1 } = animation.effect?.getComputedTiming() ?? {}
      const lasts = Number(duration) * Math.min(Number(iterations), 10)
      const { target } = (animation.effect ?? {}) as KeyframeEffect
      if (lasts > 50) told.add(`${nameOf(target)} runs for ${lasts} ms`)
    }
    for (const element of document.body.querySelectorAll('*')) {
      const { x, y, width, height } = element.getBoundingClientRect()
      if (width === 0 || height === 0) continue
      const seen = places.get(element) ?? new Set()
      places.set(element, seen.add(`${Math.round(x)} ${Math.round(y + scrollY)}`))
    }
  }
  for (const [element, seen] of places) {
    // Late content moves the rest once or twice.
    if (seen.size > 4) told.add(`${nameOf(element)} stood in ${seen.size} places`)
  }
  return [...told]
}

/**
 * Finds shapes that vanish because they have the color of the background: elements without text or border, and drawn
 * shapes by fill or stroke.
 * @returns a line for each
 */
export function whatVanishes(): string[] {
  const told: string[] = []
  const isNone = (color: string) =>
    color === 'transparent' || color === 'none' || /^rgba\(.*, 0\)$|\/ 0\)$/.test(color)
  const behind = (element: Element): string => {
    for (let one = element.parentElement; one; one = one.parentElement) {
      const { backgroundColor } = getComputedStyle(one)
      if (!isNone(backgroundColor)) return backgroundColor
    }
    return getComputedStyle(document.documentElement).backgroundColor
  }
  const nameOf = (element: Element) =>
    `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`.slice(0, 90)
  for (const element of document.body.querySelectorAll('*')) {
    const { width, height } = element.getBoundingClientRect()
    if (width < 2 || height < 2 || !element.checkVisibility({ visibilityProperty: true })) continue
    const style = getComputedStyle(element)
    if (element instanceof SVGElement) {
      if (!element.matches('path, rect, circle, line, polyline, polygon, text')) continue
      const paints = [style.fill, style.stroke].filter((color) => !isNone(color))
      const ground = behind(element)
      if (paints.length > 0 && paints.every((color) => color === ground)) {
        const around = element.ownerSVGElement?.parentElement as Element
        told.push(`${nameOf(element)} in ${nameOf(around)}: ${paints} on ${ground}`)
      }
      continue
    }
    // Elements that are visible only by their background.
    const isBare = element.childElementCount === 0 && !element.textContent?.trim()
    if (!isBare || isNone(style.backgroundColor)) continue
    if (element.matches('img, canvas, video, input, select, textarea')) continue
    const hasEdge = ['Top', 'Right', 'Bottom', 'Left'].some(
      (side) => Number.parseFloat(style[`border${side}Width` as 'borderTopWidth']) > 0,
    )
    const hasPicture = style.backgroundImage !== 'none' || style.maskImage !== 'none'
    if (!hasEdge && !hasPicture && style.backgroundColor === behind(element)) {
      told.push(nameOf(element))
    }
  }
  return [...new Set(told)]
}
