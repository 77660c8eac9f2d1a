import type { ReactNode } from 'react'
import type { PairingSecret as Secret } from '../../contract/pairing.ts'
import { config } from '../config.ts'
import { useText } from '../locale.tsx'
import { formatCountdown } from '../text/format.ts'
import { Button, ButtonLink } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { Notice } from './notice.tsx'
import { QrCode } from './qr-code.tsx'

/** What the app is to act for. */
export type Paired = 'signature' | 'seal'

type Props = { thing: Paired; secret: Secret; secondsLeft: number; onAgain: () => void; children?: ReactNode }

/** The link for the app on this very phone, which cannot scan its own screen. */
export function OpenApp({ uri, isFirst, onOpen }: { uri: string; isFirst: boolean; onOpen: () => void }) {
  const t = useText()
  return (
    <div className="qr__here">
      <p>
        <b>{t({ pl: 'Masz aplikację na tym telefonie?', en: 'Is the app on this phone?' })}</b>
      </p>
      <ButtonLink variant={isFirst ? 'primary' : 'secondary'} block icon="mobile" href={uri} onClick={onOpen}>
        {t({ pl: 'Otwórz w\u00a0aplikacji', en: 'Open in the app' })}
      </ButtonLink>
      <p className="soft small">
        {t({ pl: 'Albo zeskanuj kod innym urządzeniem.', en: 'Or scan the code with another device.' })}
      </p>
    </div>
  )
}

/** The secret as a QR code, as whatever the dialog adds, and as text; after its time nothing of it is left on the page. */
export function PairingSecret({ thing, secret: { uri, key }, secondsLeft, onAgain, children }: Props) {
  const t = useText()
  if (secondsLeft <= 0)
    return (
      <div className="stack stack--s">
        <Notice kind="info" role="status" title={t({ pl: 'Kod QR jest już ukryty', en: 'The QR code is now hidden' })}>
          <p>
            {t({
              pl: 'Pokazujemy go tylko 5 minut, żeby nikt go nie podejrzał. Jeśli aplikacja już go zeskanowała, przejdź dalej. Jeśli nie, pokaż nowy.',
              en: 'We show it for 5 minutes only, so that nobody looks at it. If the app has scanned it, go on. If not, show a new one.',
            })}
          </p>
        </Notice>
        <Button icon="qr" onClick={onAgain}>
          {t({ pl: 'Pokaż ponownie', en: 'Show again' })}
        </Button>
      </div>
    )
  return (
    <div className="qr">
      {children}
      <div className="qr__box">
        <QrCode content={uri} />
      </div>
      <div className="qr__side">
        <ol className="olist">
          <li>
            {t({
              pl: `Otwórz aplikację ${config.brand.product} na telefonie.`,
              en: `Open the ${config.brand.product} app on your phone.`,
            })}
          </li>
          <li>
            {t({ pl: 'Wybierz ', en: 'Choose ' })}
            <b>
              {thing === 'seal'
                ? t({ pl: 'Dodaj pieczęć', en: 'Add seal' })
                : t({ pl: 'Dodaj podpis', en: 'Add signature' })}
            </b>
            {t({ pl: ' i\u00a0skieruj aparat na kod.', en: ' and point the camera at the code.' })}
          </li>
          <li>
            {t({
              pl: 'Aplikacja pokaże sześć cyfr. Przepisz je w\u00a0następnym kroku.',
              en: 'The app shows six digits. Copy them in the next step.',
            })}
          </li>
        </ol>
        <p className="soft small num" role="timer" aria-live="off">
          {t({
            pl: `Kod QR ukryjemy za ${formatCountdown(secondsLeft)}.`,
            en: `We will hide the QR code in ${formatCountdown(secondsLeft)}.`,
          })}
        </p>
        <div className="qr__alt">
          <p className="small soft">
            {t({
              pl: 'Nie możesz zeskanować? Wpisz klucz w\u00a0aplikacji:',
              en: 'You cannot scan? Enter the key in the app:',
            })}
          </p>
          <p className="mono wrap qr__key">{key.match(/.{1,4}/g)?.join(' ')}</p>
          <CopyButton text={key} label={t({ pl: 'Skopiuj klucz', en: 'Copy the key' })} />
        </div>
      </div>
    </div>
  )
}
