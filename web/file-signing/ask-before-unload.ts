import { currentSession, followSession } from '../app/session.tsx'

/** How soon after the end of the session a sign-out loads the login page. */
const signOutMs = 1000

/** The browser asks before the page is closed or loaded again; not at a sign-out, after which nothing may stay (R8). */
export function askBeforeUnload(): () => void {
  let endedAt = -Infinity
  const unfollow = followSession(() => {
    if (!currentSession()) endedAt = performance.now()
  })
  const ask = (event: BeforeUnloadEvent) => {
    if (performance.now() - endedAt > signOutMs) event.preventDefault()
  }
  addEventListener('beforeunload', ask)
  return () => {
    unfollow()
    removeEventListener('beforeunload', ask)
  }
}
