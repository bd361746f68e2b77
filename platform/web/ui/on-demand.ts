import { type ComponentType, createElement, useEffect, useState } from 'react'
import { toast } from './toast.tsx'

/** A component whose code is loaded later than the screen's. */
export interface Part<Component> {
  /** undefined until it is loaded */
  component: Component | undefined
  fetch: () => Promise<void>
}

/** A part that is loaded at the first touch or key press on the page. */
export function createPart<Component>(load: () => Promise<Component>): Part<Component> {
  const part: Part<Component> = {
    component: undefined,
    fetch: async () => {
      part.component ??= await load()
    },
  }
  const fetchEarly = () => {
    part.fetch().catch(() => {
      // It is loaded again when it should open.
    })
  }
  window.addEventListener('pointerdown', fetchEarly, { once: true })
  window.addEventListener('keydown', fetchEarly, { once: true })
  return part
}

/** Returns the part's component and loads it when it should open. Undefined until then. */
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

/** A dialog with `open` whose code is loaded later. If that fails, a toast says so and the dialog closes. */
export function openedOnDemand<
  Props extends { open: boolean; onOpenChange: (open: boolean) => void },
>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const part = createPart(load)
  return function OpenedOnDemand(props) {
    const Opened = usePart(part, props)
    return Opened ? createElement(Opened, props) : null
  }
}

/** The same for a dialog that is open as long as it is rendered. */
export function dialogOnDemand<Props extends { onClose: () => void }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const part = createPart(load)
  return function DialogOnDemand(props) {
    const Opened = usePart(part, { open: true, onOpenChange: props.onClose })
    return Opened ? createElement(Opened, props) : null
  }
}
