import { ArrowRight } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Link } from 'react-router'

/** The filled link that leads on, with its arrow. */
export function OnLink({ className = '', children, ...link }: ComponentProps<typeof Link>) {
  return (
    <Link {...link} className={`btn btn-big ${className}`}>
      {children}
      <ArrowRight size={18} className="flex-none" aria-hidden />
    </Link>
  )
}
