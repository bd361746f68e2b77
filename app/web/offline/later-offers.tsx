import { type ComponentType, useEffect, useState } from 'react'
import { whenIdle } from '../../../platform/web/when-idle.ts'

/** What the end of the dashboard offers, fetched once all above it is there. */
export function LaterOffers() {
  const [Offers, setOffers] = useState<ComponentType>()
  useEffect(
    () =>
      whenIdle(() => {
        import('./offers.tsx').then(
          (part) => setOffers(() => part.Offers),
          // Without it nothing is missed.
          () => {},
        )
      }),
    [],
  )
  return Offers ? <Offers /> : null
}
