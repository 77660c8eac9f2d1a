import type { Session } from './session.ts'

/**
 * A sign-out that has not reached the portal, as a cookie: with the next page that the browser opens, the portal ends the session
 * that it names, and no later one (AUT-6, R8). A session keeps its absolute end, and the next one has another.
 */
export const pendingSignOutCookie = '__Host-sign-out'

export const pendingSignOut = (latestEnd: string, { absoluteEndsAt }: Pick<Session, 'absoluteEndsAt'>) =>
  `${latestEnd}~${absoluteEndsAt}`

/** Reads the cookie. `latestEnd`: when the session ends in any case. */
export function readPendingSignOut(value: string) {
  const [latestEnd, absoluteEndsAt] = value.split('~')
  return { latestEnd, absoluteEndsAt }
}
