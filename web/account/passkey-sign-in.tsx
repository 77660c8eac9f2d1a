import { useEffect, useEffectEvent, useState } from 'react'
import { limits } from '../../contract/limits.ts'
import type { Session } from '../../contract/session.ts'
import { useHydrated } from '../app/hydration.tsx'
import { useText } from '../app/locale.tsx'
import { ApiError, hasFailedWith } from '../calls/api.ts'
import type { ExplainedFailure } from '../text/failure-answer.tsx'
import { explainOnDemand } from '../text/failure-on-demand.ts'
import { Button } from '../ui/button.tsx'
import { FailureNotice } from '../ui/failure.tsx'

type Props = { onDone: (session: Session) => unknown; onBlocked: () => void }

/** Checks whether a passkey can be used here. The page's loader knows that before the first paint; if not, its styles hide the button. */
const isUsable = () => !('keyless' in document.documentElement.dataset)

const refused = {
  pl: 'Nie przyjęliśmy klucza dostępu. Spróbuj ponownie albo zaloguj się hasłem.',
  en: 'The passkey wasn’t accepted. Try again, or sign in with your password.',
}

/** Time after which an offered challenge is renewed, some time before it ends. */
const renewAfterMs = (limits.passkeys.challengeLife - 60) * 1000

/**
 * Signs a customer in with a passkey alone (R121): by the button, and as a suggestion of the browser for the login field where it can; the
 * code for that is loaded once the page is shown.
 */
export function PasskeySignIn({ onDone, onBlocked }: Props) {
  const t = useText()
  const isHydrated = useHydrated()
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<ExplainedFailure>()

  /** Signs in with a passkey; returns true if that did not succeed. */
  async function enter(how: 'button' | 'autofill'): Promise<boolean> {
    try {
      const { enterByPasskey } = await import('./passkey-entry.ts').catch(() => {
        throw new ApiError('offline')
      })
      onDone(await enterByPasskey(how))
      return false
    } catch (error) {
      if (!hasFailedWith(error)) throw error
      if (error.code === 'account-blocked') onBlocked()
      // The suggestion was not requested, so its failure is not shown.
      else if (how === 'button' || error.code === 'passkey-refused')
        setFailure(await explainOnDemand(t.locale, error, error.code === 'passkey-refused' ? refused : undefined))
      return true
    }
  }

  const suggest = useEffectEvent(() => void enter('autofill'))
  useEffect(() => {
    let timer: ReturnType<typeof setInterval> | undefined
    let isGone = false
    const begin = async () => {
      if (!isUsable() || !(await PublicKeyCredential.isConditionalMediationAvailable?.()) || isGone) return
      suggest()
      timer = setInterval(suggest, renewAfterMs)
    }
    const start = setTimeout(() => void begin())
    return () => {
      isGone = true
      clearTimeout(start)
      clearInterval(timer)
    }
  }, [])

  async function use() {
    setIsBusy(true)
    setFailure(undefined)
    if (!(await enter('button'))) return
    setIsBusy(false)
    void enter('autofill')
  }

  if (isHydrated && !isUsable()) return null
  return (
    <div className="auth__passkey">
      <Button
        isWide
        icon="key"
        isBusy={isBusy}
        busyText={t({ pl: 'Czekamy na urządzenie…', en: 'Waiting for your device…' })}
        onClick={() => void use()}
      >
        {t({ pl: 'Zaloguj się kluczem dostępu', en: 'Sign in with a passkey' })}
      </Button>
      <FailureNotice
        text={
          failure && (
            <>
              {failure.text} {failure.answer}
            </>
          )
        }
      />
    </div>
  )
}
