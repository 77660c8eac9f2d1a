import { useAction } from '../action.ts'
import { useLocale, useText } from '../locale.tsx'
import { signOutEverywhere } from '../session.tsx'
import { toast } from '../toast/toast.tsx'

/** Signs out in every tab; a failure is shown with a button to try again (AUT-6). */
export function useSignOut() {
  const t = useText()
  const locale = useLocale()
  const { run } = useAction(
    () => signOutEverywhere(locale),
    (description) =>
      toast({
        variant: 'destructive',
        title: t({ pl: 'Nie udało się wylogować', en: 'Could not sign you out' }),
        description,
        action: { label: t({ pl: 'Spróbuj ponownie', en: 'Try again' }), onClick: () => void run() },
      }),
  )
  return run
}
