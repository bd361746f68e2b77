import { type ComponentType, createElement, useEffect, useState } from 'react'
import { toast } from './toast.tsx'

/** Something that opens, and whose code comes later than the screen's. */
export interface Part<Component> {
  /** undefined until it is fetched */
  component: Component | undefined
  fetch: () => Promise<void>
}

/** A part that is fetched at the first touch or key on the page, before it is asked for. */
export function createPart<Component>(load: () => Promise<Component>): Part<Component> {
  const part: Part<Component> = {
    component: undefined,
    fetch: async () => {
      part.component ??= await load()
    },
  }
  const fetchEarly = () => {
    part.fetch().catch(() => {
      // It is asked for again when it is to open.
    })
  }
  window.addEventListener('pointerdown', fetchEarly, { once: true })
  window.addEventListener('keydown', fetchEarly, { once: true })
  return part
}

/** The part's component, fetched at the latest when it is to open; undefined until it is here. */
export function usePart<Component>(
  part: Part<Component>,
  { open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void },
): Component | undefined {
  const [isHere, setIsHere] = useState(part.component !== undefined)

  useEffect(() => {
    if (!open || isHere) return
    let isWanted = true
    part.fetch().then(
      () => isWanted && setIsHere(true),
      () => {
        if (!isWanted) return
        onOpenChange(false)
        toast.error('This could not be opened', 'Please check your connection and try again.')
      },
    )
    return () => {
      isWanted = false
    }
  }, [part, open, isHere, onOpenChange])

  return isHere ? part.component : undefined
}

/** A dialog whose code comes later; where that fails a toast says so, and it closes. */
export function dialogOnDemand<Props extends { onClose: () => void }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const part = createPart(load)
  return function DialogOnDemand(props) {
    const Opened = usePart(part, { open: true, onOpenChange: props.onClose })
    return Opened ? createElement(Opened, props) : null
  }
}
