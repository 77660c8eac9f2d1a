import { useState, type ReactNode } from 'react'
import { CodeForm } from '../../contract/one-time-code.ts'
import { endSentence } from '../../contract/rules/end-sentence.ts'
import type { PairingStart } from '../../contract/signatures-and-seals.ts'
import { config } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { OkEmblem } from '../art/success-mark.tsx'
import { Button } from '../ui/button.tsx'
import { CodeField } from '../ui/code-field.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Submit } from '../ui/form.tsx'
import { Stepper } from '../ui/stepper.tsx'
import { useOnPhone } from './on-phone.ts'
import { connectText, OpenApp, PairingQr, ShowToNobody, useSecondsLeft, type Paired } from './pairing-qr.tsx'

type PairingStep = 'scan' | 'code' | 'done'
type Props = {
  product: Paired
  /** Description of the product: „Podpis na karcie, Anna Nowak”. */
  description: ReactNode
  secret: Extract<PairingStart, { kind: 'secret' }>
  prove: (code: string) => Promise<unknown>
  onAgain: () => void
  onClose: () => void
}

/**
 * Shows the portal's own secret as a QR code, asks for one code of the app as proof that it was scanned, and then confirms the pairing
 * (SIG-3, SEA-1, APP-4).
 */
export function PairingDialog({ product, description, secret, prove, onAgain, onClose }: Props) {
  const t = useText()
  const [step, setStep] = useState<PairingStep>('scan')
  const left = useSecondsLeft(secret)
  const isOnPhone = useOnPhone()
  const [isOpened, setIsOpened] = useState(false)
  // On a phone the app is opened first and shows a code only then, so one filled button is shown at a time.
  const opensFirst = isOnPhone && !isOpened && left > 0

  const title = {
    scan: t(connectText[product]),
    code: t({ pl: 'Wpisz kod z\u00a0aplikacji', en: 'Enter the code from the app' }),
    done: t({ pl: 'Aplikacja jest połączona', en: 'The app is connected' }),
  }[step]
  const footer: Record<PairingStep, ReactNode> = {
    scan: (
      <>
        <ShowToNobody />
        <Button key="on" variant={opensFirst ? 'secondary' : 'primary'} onClick={() => setStep('code')}>
          {t({ pl: 'Mam kod z\u00a0aplikacji', en: 'I have a code in the app' })}
        </Button>
      </>
    ),
    code: (
      <>
        <Button key="back" variant="quiet" onClick={() => setStep('scan')}>
          {t({ pl: 'Wróć do kodu QR', en: 'Back to QR code' })}
        </Button>
        <Submit busyText={t({ pl: 'Sprawdzamy…', en: 'Checking…' })}>
          {t({ pl: 'Potwierdź kod', en: 'Confirm code' })}
        </Submit>
      </>
    ),
    done: (
      <Button key="close" onClick={onClose}>
        {t({ pl: 'Zamknij', en: 'Close' })}
      </Button>
    ),
  }

  async function enter({ code }: { code: string }) {
    await prove(code)
    setStep('done')
  }

  return (
    <FormDialog
      schema={CodeForm}
      onSubmit={enter}
      failures={{ other: 'code' }}
      title={title}
      description={description}
      width={step === 'scan' ? 'l' : 's'}
      initialFocus="title"
      onClose={onClose}
      footer={footer[step]}
    >
      {step !== 'done' && (
        <Stepper
          label={t({ pl: 'Łączenie aplikacji', en: 'Connecting the app' })}
          steps={[t({ pl: 'Zeskanuj kod', en: 'Scan the code' }), t({ pl: 'Wpisz kod', en: 'Enter the code' })]}
          current={step === 'scan' ? 1 : 2}
          onGo={() => setStep('scan')}
        />
      )}
      {step === 'scan' && (
        <Scan product={product} secret={secret} secondsLeft={left} onAgain={onAgain}>
          {isOnPhone && <OpenApp uri={secret.uri} isFirst={opensFirst} onOpen={() => setIsOpened(true)} />}
        </Scan>
      )}
      {step === 'code' && <EnterCode />}
      {step === 'done' && <Connected product={product} />}
    </FormDialog>
  )
}

function EnterCode() {
  const t = useText()
  return (
    <div className="stack stack--small">
      <CodeField
        name="code"
        label={t({ pl: 'Kod z\u00a0aplikacji, 6\u00a0cyfr', en: 'Code from the app, 6\u00a0digits' })}
        hint={t({
          pl: 'Kod zmienia się co 30\u00a0sekund. Wpisz ten, który widać teraz.',
          en: 'The code changes every 30\u00a0seconds. Enter the one shown now.',
        })}
      />
    </div>
  )
}

function Connected({ product }: { product: Paired }) {
  const t = useText()
  return (
    <div className="paired">
      <OkEmblem />
      <p>
        {t({
          pl:
            product === 'seal'
              ? 'Gotowe! Możesz już używać pieczęci z\u00a0telefonu. Aplikacja tworzy kody ważne 30\u00a0sekund.'
              : 'Gotowe! Możesz już podpisywać telefonem. Aplikacja tworzy kody ważne 30\u00a0sekund.',
          en:
            product === 'seal'
              ? 'All set! You can seal documents with your phone now. The app creates codes that are valid for 30\u00a0seconds.'
              : 'All set! You can sign with your phone now. The app creates codes that are valid for 30\u00a0seconds.',
        })}
      </p>
      <p className="soft">
        {t({
          pl: `${endSentence(`Podaj taki kod, gdy poprosi o\u00a0niego ${config.brand.company}`)} Klucz aplikacji przekazujemy tam zaszyfrowany.`,
          en: `Enter one when ${config.brand.company} asks for it. We send them the app’s key in encrypted form.`,
        })}
      </p>
    </div>
  )
}

type ScanProps = Pick<Props, 'product' | 'secret' | 'onAgain'> & { secondsLeft: number; children: ReactNode }

/** Shows the secret, and removes it from the page after its expiry. */
function Scan({ product, secret: { uri, key }, secondsLeft, onAgain, children }: ScanProps) {
  const t = useText()
  return (
    <PairingQr
      product={product}
      content={uri}
      typed={{
        name: t({ pl: 'Wpisz klucz w\u00a0aplikacji:', en: 'Enter the key in the app:' }),
        copy: t({ pl: 'Skopiuj klucz', en: 'Copy the key' }),
        text: key,
        shown: key.match(/.{1,4}/g)?.join(' ') ?? key,
      }}
      secondsLeft={secondsLeft}
      hidden={{
        why: t({
          pl: 'Pokazujemy go tylko 5\u00a0minut, aby nikt go nie podejrzał. Jeśli jest już zeskanowany, przejdź dalej. Jeśli nie, pokaż nowy.',
          en: 'We show it for only 5\u00a0minutes, so that nobody else sees it. If you’ve scanned it, continue. If not, show a new one.',
        }),
        again: t({ pl: 'Pokaż ponownie', en: 'Show again' }),
        onAgain,
      }}
      afterwards={t({
        pl: 'Aplikacja pokaże sześć cyfr. Wpisz je w\u00a0następnym kroku.',
        en: 'The app will show six digits. Enter them in the next step.',
      })}
    >
      {children}
    </PairingQr>
  )
}
