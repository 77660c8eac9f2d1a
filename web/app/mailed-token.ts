import { useLayoutEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { dropFromTab, keepInTab, keptInTab } from './storage.ts'

/** Replaces in the address bar a token that has been removed from it. */
export const takenToken = 'link'

/**
 * Keeps the token of a mail's link in this tab only, so that a reload or the language switch does not lose it, and never again in an
 * address (R10, R220). The token is short-lived and works once.
 */
export const mailedToken = (key: string) => ({
  keep: (token: string) => keepInTab(key, token),
  kept: () => keptInTab(key),
  drop: () => dropFromTab(key),
})

/**
 * Takes the token from the fragment of the address, which is in no request, log or referrer, and removes it from there; null without one,
 * and until the script runs. Other fragments are places in the page, such as that of its skip link.
 */
export function useMailedToken({ key, before }: { key: string; before: string }) {
  const { hash, pathname } = useLocation()
  const navigate = useNavigate()
  const [token, setToken] = useState<string | null>(null)

  useLayoutEffect(() => setToken(mailedToken(key).kept()), [key])
  useLayoutEffect(() => {
    if (!hash.startsWith(before) || document.getElementById(hash.slice(1))) return
    const given = hash.slice(before.length)
    mailedToken(key).keep(given)
    setToken(given)
    void navigate(pathname, { replace: true })
  }, [hash, pathname, key, before, navigate])

  const drop = () => mailedToken(key).drop()
  return {
    token,
    /** Forgets the token; the page stays as it is. */
    drop,
    /** Shows the page as without a link. */
    leave() {
      drop()
      setToken(null)
    },
  }
}
