import { useState } from 'react'
import { useNavigate } from 'react-router'
import { openRenewal } from '../../contract/renewal.ts'
import { call, CallFailed } from '../api.ts'
import { Icon } from '../art/icons.tsx'
import { useLocale, useText } from '../locale.tsx'
import { describeFailure } from '../text/failure-text.ts'
import { Button } from '../ui/button.tsx'

/** The one thing that users of renewal codes trip over: buying one renews nothing yet (ux.md §1). */
export function RenewalCard({ code, onAnother }: { code: string; onAnother: () => void }) {
  const t = useText()
  const locale = useLocale()
  const navigate = useNavigate()
  const [opening, setOpening] = useState(false)
  const [failure, setFailure] = useState<string>()

  async function begin() {
    setOpening(true)
    setFailure(undefined)
    try {
      const { uid } = await call(openRenewal, { body: { code } })
      await navigate(`/renewal/${uid}`)
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      setFailure(describeFailure(locale, error))
    } finally {
      setOpening(false)
    }
  }

  return (
    <>
      <h3 className="h-s">
        {t({ pl: 'Zakup kodu to jeszcze nie odnowienie', en: 'Buying a code is not yet the renewal' })}
      </h3>
      <p className="soft small">
        {t({
          pl: 'To kod odnowienia. Podpis odnowisz w\u00a0czterech krokach, w\u00a0około 10\u00a0minut. Przygotuj telefon i\u00a0dokument tożsamości.',
          en: 'This is a renewal code. You renew the signature in four steps, in about 10\u00a0minutes. Have your phone and identity document ready.',
        })}
      </p>
      <p role="alert" className={failure ? 'error' : 'vh'}>
        {failure && (
          <>
            <Icon name="alert" />
            <span>{failure}</span>
          </>
        )}
      </p>
      <div className="btns">
        <Button busy={opening} busyText={t({ pl: 'Otwieramy…', en: 'Opening…' })} onClick={() => void begin()}>
          {t({ pl: 'Rozpocznij odnowienie', en: 'Start the renewal' })}
        </Button>
        <Button variant="quiet" aria-disabled={opening} onClick={onAnother}>
          {t({ pl: 'Wpisz inny kod', en: 'Enter another code' })}
        </Button>
      </div>
    </>
  )
}
