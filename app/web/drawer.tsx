import type { User } from '@supabase/auth-js'
import { Menu } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { createPart, usePart } from '../../platform/web/ui/on-demand.ts'

const panelPart = createPart(async () => (await import('./drawer-panel.tsx')).DrawerPanel)

/**
 * The navigation below 900 px: a menu button and a drawer. It is open for the page on which it was opened,
 * so that every navigation, the browser's back button too, closes it.
 */
export function Drawer({ user }: { user: User }) {
  const location = useLocation()
  const [openedOn, setOpenedOn] = useState<string | null>(null)
  const panel = {
    user,
    open: openedOn === location.key,
    onOpenChange: (open: boolean) => setOpenedOn(open ? location.key : null),
  }
  const DrawerPanel = usePart(panelPart, panel)

  return (
    <>
      <button
        type="button"
        aria-label="Menu"
        aria-haspopup="dialog"
        aria-expanded={panel.open}
        onClick={() => setOpenedOn(location.key)}
        className="-mr-2.5 ml-auto grid size-11 place-items-center rounded-md nav:hidden"
      >
        <Menu size={22} aria-hidden />
      </button>
      {DrawerPanel && <DrawerPanel {...panel} />}
    </>
  )
}
