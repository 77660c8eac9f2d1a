import type { ComponentProps } from 'react'
import { useHref, useLinkClickHandler } from 'react-router'

/**
 * Shows a link inside the portal, in its language. The router's own Link brings the prefetching of its framework mode, which is a fortieth
 * of the login page and never used here.
 */
export function Link({ to, onClick, children, ...link }: { to: string } & Omit<ComponentProps<'a'>, 'href'>) {
  const href = useHref(to)
  // In a transition the old page stays until the new one can be shown.
  const follow = useLinkClickHandler(to, { useTransitions: true })
  return (
    <a
      {...link}
      href={href}
      onClick={(event) => {
        onClick?.(event)
        if (!event.defaultPrevented) follow(event)
      }}
    >
      {children}
    </a>
  )
}
