import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { limits } from '../../contract/limits.ts'
import { isAppLink } from '../../contract/rules/activation-content.ts'
import { endSentence } from '../../contract/rules/end-sentence.ts'
import type { ActivationState, PairingStart } from '../../contract/signatures-and-seals.ts'
import { config } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { HelpLine } from '../app/support-line.tsx'
import { OkEmblem } from '../art/success-mark.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { useOnPhone } from './on-phone.ts'
import { connectText, OpenApp, PairingQr, ShowToNobody, useSecondsLeft, type Paired } from './pairing-qr.tsx'

type Content = Extract<PairingStart, { kind: 'content' }>
/** The state that the dialog polls while it is open. */
type State = { state: ActivationState; pairedAt: string | null }

type Props = {
  product: Paired
  /** Description of the product: „Podpis na karcie, Anna Nowak”. */
  description: ReactNode
  /** The content that the app scans; undefined while it was only requested. */
  shown: Content | undefined
  read: () => Promise<State>
  /** Shows what is ready now, or requests it again. */
  onAgain: () => void
  onPaired: () => Promise<unknown>
  onClose: () => void
}

const { pollEvery, pollFor } = limits.renewal

/**
 * Waits for the content of the provider or its signing service, shows it once, and reports the activation when the provider has confirmed
 * it (APP-2, APP-3, APP-5).
 */
export function ActivationDialog({ product, description, shown, read, onAgain, onPaired, onClose }: Props) {
  const t = useText()
  const { state, isPaired, isLate } = useActivation({ shown, read, onAgain, onPaired })
  const isSeal = product === 'seal'
  return (
    <Dialog
      title={t(isPaired ? { pl: 'Aplikacja jest połączona', en: 'The app is connected' } : connectText[product])}
      description={description}
      width={shown && !isPaired ? 'l' : 's'}
      initialFocus="title"
      onClose={onClose}
      footer={
        <>
          {shown && !isPaired && <ShowToNobody />}
          <Button variant={isPaired ? 'primary' : 'secondary'} onClick={onClose}>
            {t({ pl: 'Zamknij', en: 'Close' })}
          </Button>
        </>
      }
    >
      {isPaired ? (
        <div className="paired">
          <OkEmblem />
          <p>
            {t({
              pl: `${config.brand.company} potwierdza: aplikacja jest aktywna.`,
              en: `${config.brand.company} confirms that the app is active.`,
            })}
          </p>
          <p className="soft">
            {isSeal
              ? t({
                  pl: 'Gotowe! Możesz już używać pieczęci z\u00a0telefonu.',
                  en: 'All set! You can seal documents with your phone now.',
                })
              : t({ pl: 'Gotowe! Możesz już podpisywać telefonem.', en: 'All set! You can sign with your phone now.' })}
          </p>
        </div>
      ) : shown ? (
        <ShownContent product={product} shown={shown} onAgain={onAgain} />
      ) : (
        <Waiting state={state} isLate={isLate} onAgain={onAgain} />
      )}
    </Dialog>
  )
}

/** Polls every three seconds for two minutes; then the customer has to press a button (as in a renewal). */
function useActivation({ shown, read, onAgain, onPaired }: Pick<Props, 'shown' | 'read' | 'onAgain' | 'onPaired'>) {
  const [state, setState] = useState<ActivationState>()
  const [isPaired, setIsPaired] = useState(false)
  const [looks, setLooks] = useState(0)
  const isLate = !shown && looks * pollEvery >= pollFor
  const look = useEffectEvent(async () => {
    const current = await read().catch(() => undefined)
    setLooks((count) => count + 1)
    if (!current) return
    setState(current.state)
    // An earlier instant belongs to the previous phone.
    if (shown && current.pairedAt && current.pairedAt >= shown.now) {
      setIsPaired(true)
      await onPaired()
    } else if (!shown && current.state === 'ready') onAgain()
  })

  useEffect(() => setLooks(0), [shown])
  useEffect(() => {
    if (isPaired || isLate) return
    const timer = setTimeout(() => void look(), looks ? pollEvery * 1000 : 500)
    return () => clearTimeout(timer)
  }, [looks, isPaired, isLate])

  return { state, isPaired, isLate }
}

type WaitingProps = { state: ActivationState | undefined; isLate: boolean; onAgain: () => void }

function Waiting({ state, isLate, onAgain }: WaitingProps) {
  const t = useText()
  const { company } = config.brand
  const again = (
    <Button icon="refresh" onClick={onAgain}>
      {t({ pl: 'Spróbuj ponownie', en: 'Try again' })}
    </Button>
  )
  if (state === 'refused')
    return (
      <div className="stack stack--small">
        <Notice
          kind="warning"
          role="alert"
          title={t({ pl: 'Nie udało się przygotować kodu', en: 'We couldn’t prepare a code' })}
        >
          {t({
            pl: `${company} nie może teraz przygotować kodu dla tej aplikacji. Spróbuj ponownie albo zadzwoń do nas.`,
            en: `${company} can’t prepare a code for this app now. Try again, or call us.`,
          })}
        </Notice>
        <HelpLine />
        {again}
      </div>
    )
  if (isLate || state === 'delayed')
    return (
      <div className="stack stack--small">
        <Notice
          kind="info"
          role="status"
          title={t({ pl: 'To trwa dłużej niż zwykle', en: 'This is taking longer than usual' })}
        >
          {t({
            pl: `${endSentence(`Kod przygotowuje ${company}`)} Możesz zamknąć to okno i\u00a0wrócić za kilka minut: niczego nie trzeba powtarzać.`,
            en: `${company} is preparing the code. You can close this window and come back in a few minutes: you won’t have to repeat anything.`,
          })}
        </Notice>
        {isLate && again}
      </div>
    )
  return (
    <div className="stack stack--small" role="status" aria-busy="true">
      <p className="buttons">
        <span className="spin" aria-hidden="true" />
        {t({ pl: `${company} przygotowuje kod QR.`, en: `${company} is preparing the QR code.` })}
      </p>
      <p className="soft">
        {t({
          pl: 'Pojawi się tutaj, zwykle po kilku sekundach.',
          en: 'It’ll appear here, usually after a few seconds.',
        })}
      </p>
    </div>
  )
}

function ShownContent({ product, shown, onAgain }: { product: Paired; shown: Content; onAgain: () => void }) {
  const t = useText()
  const { content, code } = shown
  const left = useSecondsLeft(shown)
  const isOnPhone = useOnPhone()
  const typed = code && {
    name: t({ pl: 'Wpisz kod w\u00a0aplikacji:', en: 'Enter the code in the app:' }),
    copy: t({ pl: 'Skopiuj kod', en: 'Copy the code' }),
    text: code,
    shown: code,
  }
  return (
    <PairingQr
      product={product}
      content={content}
      typed={typed || undefined}
      secondsLeft={left}
      hidden={{
        why: t({
          pl: 'Ten kod pokazujemy tylko raz. Jeśli jest już zeskanowany, poczekaj: potwierdzenie pojawi się tutaj. Jeśli nie, poproś o\u00a0nowy.',
          en: 'We show this code only once. If you’ve scanned it, wait: the confirmation will appear here. If not, ask for a new one.',
        }),
        again: t({ pl: 'Poproś o\u00a0nowy kod', en: 'Get a new code' }),
        onAgain,
      }}
      afterwards={t({
        pl: 'Dokończ w\u00a0aplikacji. Potwierdzenie pojawi się tutaj.',
        en: 'Finish in the app. The confirmation will appear here.',
      })}
    >
      {isOnPhone && isAppLink(content) && <OpenApp uri={content} isFirst onOpen={() => {}} />}
    </PairingQr>
  )
}
