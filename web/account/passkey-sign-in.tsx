import { useEffect, useEffectEvent, useState } from 'react'
import type { Session } from '../../contract/account.ts'
import { limits } from '../../contract/limits.ts'
import { CallFailed } from '../api.ts'
import { useHydrated } from '../hydrated.ts'
import { useLocale, useText } from '../locale.tsx'
import { describeFailure } from '../text/failure-text.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

type Props = { onDone: (session: Session) => unknown; onBlocked: () => void }

/** Where a passkey can be used. The page's loader knows it before the first paint, and its sheet then hides the button. */
const isUsable = () => !('keyless' in document.documentElement.dataset)

/** Some time before an offered challenge ends. */
const renewAfterMs = (limits.passkeys.challenge - 60) * 1000

/**
 * R121: signs in with a passkey alone. By the button, and among what the browser offers for the login field where it can;
 * what that needs is loaded once the page is there.
 */
export function PasskeySignIn({ onDone, onBlocked }: Props) {
  const t = useText()
  const locale = useLocale()
  const hydrated = useHydrated()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()

  const refused = t({
    pl: 'Klucz dostępu nie został przyjęty. Spróbuj jeszcze raz albo zaloguj się hasłem.',
    en: 'The passkey was not accepted. Try once more, or log in with your password.',
  })

  /** True when it did not succeed. */
  async function enter(how: 'button' | 'autofill'): Promise<boolean> {
    try {
      const { enterByPasskey } = await import('./passkey-entry.ts').catch(() => {
        throw new CallFailed('offline')
      })
      onDone(await enterByPasskey(how))
      return false
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      if (error.code === 'account-blocked') onBlocked()
      // Nobody asked for the offer, so that it cannot be made is nothing to say.
      else if (how === 'button' || error.code === 'passkey-refused')
        setFailure(error.code === 'passkey-refused' ? refused : describeFailure(locale, error))
      return true
    }
  }

  const offer = useEffectEvent(() => void enter('autofill'))
  useEffect(() => {
    let timer: ReturnType<typeof setInterval> | undefined
    let gone = false
    const begin = async () => {
      if (!isUsable() || !(await PublicKeyCredential.isConditionalMediationAvailable?.()) || gone) return
      offer()
      timer = setInterval(offer, renewAfterMs)
    }
    const start = setTimeout(() => void begin())
    return () => {
      gone = true
      clearTimeout(start)
      clearInterval(timer)
    }
  }, [])

  async function use() {
    setBusy(true)
    setFailure(undefined)
    if (!(await enter('button'))) return
    setBusy(false)
    void enter('autofill')
  }

  if (hydrated && !isUsable()) return null
  return (
    <div className="auth__passkey">
      <Button
        block
        icon="key"
        busy={busy}
        busyText={t({ pl: 'Czekamy na urządzenie…', en: 'Waiting for the device…' })}
        onClick={() => void use()}
      >
        {t({ pl: 'Zaloguj się kluczem dostępu', en: 'Log in with a passkey' })}
      </Button>
      <div role="alert">{failure && <Notice kind="err">{failure}</Notice>}</div>
    </div>
  )
}
