import { useEffect, useState, type ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import { useText } from '../app/locale.tsx'
import { Icon } from '../art/icons.tsx'
import { formatCountdown } from '../text/format.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Notice } from '../ui/notice.tsx'
import { QrCode } from '../ui/qr-code.tsx'

/** The product that the app signs with. */
export type Paired = 'signature' | 'seal'

/** The title of the dialog in which it is paired. */
export const connectText: Record<Paired, Text> = {
  signature: { pl: 'Połącz podpis z\u00a0aplikacją', en: 'Connect the signature to the app' },
  seal: { pl: 'Połącz pieczęć z\u00a0aplikacją', en: 'Connect the seal to the app' },
}

/** The period in which it is shown, by the server's clock. */
export type Shown = { visibleUntil: string; now: string }

/** Returns the seconds for which the content is still shown. Only differences count, because the clock of the device may be wrong. */
export function useSecondsLeft({ visibleUntil, now }: Shown) {
  const life = (Date.parse(visibleUntil) - Date.parse(now)) / 1000
  const [left, setLeft] = useState(life)
  useEffect(() => {
    const end = Date.now() + life * 1000
    const timer = setInterval(() => setLeft((end - Date.now()) / 1000), 1000)
    return () => clearInterval(timer)
  }, [life])
  return left
}

export function ShowToNobody() {
  const t = useText()
  return (
    <p className="qr__warning">
      <Icon name="lock" />
      {t({ pl: 'Nie pokazuj tego kodu innym osobom.', en: 'Don’t show this code to anyone.' })}
    </p>
  )
}

/** Shows the link that opens the app on this phone, because a phone cannot scan its own screen. */
export function OpenApp({ uri, isFirst, onOpen }: { uri: string; isFirst: boolean; onOpen: () => void }) {
  const t = useText()
  return (
    <div className="qr__here">
      <p>
        <b>{t({ pl: 'Masz aplikację na tym telefonie?', en: 'Is the app on this phone?' })}</b>
      </p>
      <ButtonLink variant={isFirst ? 'primary' : 'secondary'} isWide icon="mobile" href={uri} onClick={onOpen}>
        {t({ pl: 'Otwórz w\u00a0aplikacji', en: 'Open in the app' })}
      </ButtonLink>
      <p className="soft small">
        {t({ pl: 'Albo zeskanuj kod innym urządzeniem.', en: 'Or scan the code with another device.' })}
      </p>
    </div>
  )
}

type Hidden = { why: string; again: string; onAgain: () => void }

/** Shows a notice in place of a QR code that is no longer on the page. */
function HiddenQr({ why, again, onAgain }: Hidden) {
  const t = useText()
  return (
    <div className="stack stack--small">
      <Notice kind="info" role="status" title={t({ pl: 'Kod QR jest już ukryty', en: 'The QR code is now hidden' })}>
        <p>{why}</p>
      </Notice>
      <Button icon="qr" onClick={onAgain}>
        {again}
      </Button>
    </div>
  )
}

type Props = {
  product: Paired
  content: string
  /** The text to type into the app instead, in groups as it is shown. */
  typed: { name: string; copy: string; text: string; shown: string } | undefined
  secondsLeft: number
  /** Instead of the code after that. */
  hidden: Hidden
  /** Text on what happens after the code was scanned. */
  afterwards: string
  children?: ReactNode
}

/** Shows the content that the app scans: as a QR code, with the addition of the dialog, and as text. */
export function PairingQr({ product, content, typed, secondsLeft, hidden, afterwards, children }: Props) {
  const t = useText()
  if (secondsLeft <= 0) return <HiddenQr {...hidden} />
  return (
    <div className="qr">
      {children}
      <div className="qr__box">
        <QrCode
          content={content}
          label={t({
            pl: 'Kod QR do zeskanowania w\u00a0aplikacji mobilnej',
            en: 'QR code to scan with the mobile app',
          })}
        />
      </div>
      <div>
        <ol className="ordered-list">
          <li>
            {product === 'seal'
              ? t({
                  pl: 'Otwórz na telefonie aplikację, w\u00a0której używasz pieczęci.',
                  en: 'On your phone, open the app you use the seal in.',
                })
              : t({
                  pl: 'Otwórz na telefonie aplikację, którą podpisujesz.',
                  en: 'On your phone, open the app you sign with.',
                })}
          </li>
          <li>
            {product === 'seal'
              ? t({
                  pl: 'Dodaj pieczęć i\u00a0skieruj aparat na kod.',
                  en: 'Add the seal and point the camera at the code.',
                })
              : t({
                  pl: 'Dodaj podpis i\u00a0skieruj aparat na kod.',
                  en: 'Add the signature and point the camera at the code.',
                })}
          </li>
          <li>{afterwards}</li>
        </ol>
        <p className="soft small number" role="timer" aria-live="off">
          {t({
            pl: `Kod QR ukryjemy za ${formatCountdown(secondsLeft)}.`,
            en: `We’ll hide the QR code in ${formatCountdown(secondsLeft)}.`,
          })}
        </p>
        {typed && (
          <div className="qr__alt">
            <p className="small soft">
              {t({ pl: 'Nie możesz zeskanować?', en: 'Can’t scan it?' })} {typed.name}
            </p>
            <p className="mono wrap qr__key" translate="no">
              {typed.shown}
            </p>
            <CopyButton text={typed.text} label={typed.copy} />
          </div>
        )}
      </div>
    </div>
  )
}
