import { useEffect, useRef } from 'react'

/** What is open above the page, the topmost last; each has an entry of its own in the browser's history. */
interface Layer {
  id: number
  close: () => void
}

const layers: Layer[] = []
let lastId = 0
/** The layer whose entry is being taken off the history, after it was closed by other means. */
let leaving: number | null = null

const layerInHistory = (): unknown => history.state?.layer

/** Hears the back button before the router does, which is to know nothing of it. */
function onPop(event: PopStateEvent): void {
  if (leaving !== null) {
    const left = leaving
    leaving = null
    event.stopImmediatePropagation()
    // Somebody went to another page in that moment: back to it.
    if (layerInHistory() === left) {
      leaving = left
      history.forward()
    }
    return
  }
  const top = layers.at(-1)
  // Only when the entry of what is open was left; a link in it leads to another page as ever.
  if (!top || layerInHistory() === top.id) return
  event.stopImmediatePropagation()
  layers.pop()
  top.close()
}

/**
 * The browser's back button closes what is open first, and leaves the page only at the next press
 * (product 1.5.8). What is open gets an entry in the history with the page's own state, of which the router
 * hears nothing; closed by other means, it takes its entry off again.
 */
export function useBackCloses(isOpen: boolean, close: () => void): void {
  const latest = useRef(close)
  latest.current = close
  useEffect(() => {
    if (!isOpen) return
    lastId += 1
    const layer: Layer = { id: lastId, close: () => latest.current() }
    // Added twice, it is there once.
    addEventListener('popstate', onPop, { capture: true })
    layers.push(layer)
    history.pushState({ ...history.state, layer: layer.id }, '')
    return () => {
      const place = layers.indexOf(layer)
      if (place !== -1) layers.splice(place, 1)
      // After what closed it has gone to another page, where it does.
      setTimeout(() => {
        if (layerInHistory() !== layer.id) return
        leaving = layer.id
        history.back()
      })
    }
  }, [isOpen])
}
