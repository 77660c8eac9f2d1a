import { signOut } from '../../contract/account.ts'
import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { loginPath } from '../../contract/pages.ts'
import { pendingSignOut, pendingSignOutCookie } from '../../contract/pending-sign-out.ts'
import { useText } from '../app/locale.tsx'
import { currentSession, dropSession, forgetEnd, noteEnd } from '../app/session.tsx'
import { ApiError, call, onFailure, pageServices } from '../calls/api.ts'
import { patienceMs } from '../offline/offline-record.ts'
import { toast } from '../toast/toast.tsx'
import { useAction } from '../ui/action.ts'

/**
 * Ends the session on the server and in every tab, and reloads the login page, so nothing stays in memory (AUT-6, R8). If the
 * portal does not answer, the browser forgets the customer all the same, and the session ends with the next page.
 */
export async function signOutEverywhere(locale: Locale) {
  if ((await pageServices().mayLeave?.()) === false) return
  const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), patienceMs))
  noteEnd('signed-out')
  const ended = call(signOut, { optional: true })
    .then(
      () => true,
      onFailure(['offline'], () => false),
    )
    .catch((error: unknown) => {
      forgetEnd()
      throw error
    })
  const reason = (await Promise.race([ended, late])) ? 'signed-out' : 'signed-out-offline'
  if (reason === 'signed-out-offline') leavePendingSignOut()
  dropSession(reason)
  location.replace(loginPath(locale, { reason }))
}

function leavePendingSignOut() {
  const session = currentSession()?.session
  if (!session) throw new ApiError('offline')
  // Calls may have extended the session since it was read.
  const idleMs = Math.max(limits.session.idle * 1000, Date.parse(session.endsAt) - Date.parse(session.now))
  const value = pendingSignOut(new Date(Date.now() + idleMs).toISOString(), session)
  document.cookie = `${pendingSignOutCookie}=${value}; path=/; max-age=${limits.session.absolute}; samesite=lax; secure`
}

/** Signs out in every tab; a failure is shown with a button to try again (AUT-6). */
export function useSignOut() {
  const t = useText()
  const { run } = useAction(
    () => signOutEverywhere(t.locale),
    (description) =>
      toast({
        variant: 'destructive',
        title: t({ pl: 'Nie udało się wylogować', en: 'We couldn’t sign you out' }),
        description,
        action: { label: t({ pl: 'Spróbuj ponownie', en: 'Try again' }), onClick: () => void run() },
      }),
  )
  return run
}
