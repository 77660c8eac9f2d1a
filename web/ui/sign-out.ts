import { CallFailed } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { signOutEverywhere } from '../session.tsx'
import { describeFailure } from '../text/failure-text.ts'
import { toast } from './toast.tsx'

/** Signs out in every tab; when that does not work, says so and offers to try again (AUT-6). */
export function useSignOut() {
  const t = useText()
  const locale = useLocale()
  return async function leave() {
    try {
      await signOutEverywhere(locale)
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      toast({
        variant: 'destructive',
        title: t({ pl: 'Nie udało się wylogować', en: 'Logging out did not work' }),
        description: describeFailure(locale, error),
        action: { label: t({ pl: 'Spróbuj ponownie', en: 'Try again' }), onClick: () => void leave() },
      })
    }
  }
}
