import { useEffect, useState, type ReactNode } from 'react'
import { PairingForm, type PairingSecret as Secret } from '../../contract/pairing.ts'
import { Icon } from '../art/icons.tsx'
import { OkSeal } from '../art/ok-seal.tsx'
import { useText } from '../locale.tsx'
import { Button } from './button.tsx'
import { CodeField } from './code-field.tsx'
import { Dialog } from './dialog.tsx'
import { Form, Submit } from './form.tsx'
import { useOnPhone } from './on-phone.ts'
import { OpenApp, PairingSecret, type Paired } from './pairing-secret.tsx'
import { Stepper } from './stepper.tsx'

type Step = 'scan' | 'code' | 'done'
type Props = {
  thing: Paired
  /** Which one: „Podpis na karcie, Anna Nowak”. */
  description: string
  secret: Secret
  prove: (code: string) => Promise<unknown>
  onAgain: () => void
  onClose: () => void
}

/** SIG-3, SEA-1: the QR code, then one code of the app as proof that it was scanned, then the word that it worked. */
export function PairingDialog({ thing, description, secret, prove, onAgain, onClose }: Props) {
  const t = useText()
  const [step, setStep] = useState<Step>('scan')
  const left = useSecondsLeft(secret)
  const onPhone = useOnPhone()
  const [opened, setOpened] = useState(false)
  // On a phone the app is opened first, and only then is there a code: one filled button at a time.
  const opensFirst = onPhone && !opened && left > 0

  const close = { pl: 'Zamknij', en: 'Close' }
  const title = {
    scan:
      thing === 'seal'
        ? t({ pl: 'Połącz pieczęć z\u00a0aplikacją', en: 'Connect the seal with the app' })
        : t({ pl: 'Połącz podpis z\u00a0aplikacją', en: 'Connect the signature with the app' }),
    code: t({ pl: 'Przepisz kod z\u00a0aplikacji', en: 'Copy the code from the app' }),
    done: t({ pl: 'Aplikacja jest połączona', en: 'The app is connected' }),
  }[step]
  const footer: Record<Step, ReactNode> = {
    scan: (
      <>
        <p className="qr__warn">
          <Icon name="lock" />
          {t({ pl: 'Nie pokazuj tego kodu innym osobom.', en: 'Do not show this code to anyone.' })}
        </p>
        <Button key="on" variant={opensFirst ? 'secondary' : 'primary'} onClick={() => setStep('code')}>
          {t({ pl: 'Mam kod w\u00a0aplikacji', en: 'I have a code in the app' })}
        </Button>
      </>
    ),
    code: (
      <>
        <Button key="back" variant="quiet" onClick={() => setStep('scan')}>
          {t({ pl: 'Wróć do kodu QR', en: 'Back to the QR code' })}
        </Button>
        <Submit busyText={t({ pl: 'Sprawdzamy…', en: 'Checking…' })}>
          {t({ pl: 'Połącz aplikację', en: 'Connect the app' })}
        </Submit>
      </>
    ),
    done: (
      <Button key="close" variant="primary" onClick={onClose}>
        {t(close)}
      </Button>
    ),
  }

  async function enter({ code }: { code: string }) {
    await prove(code)
    setStep('done')
  }

  return (
    <Form className="bare" schema={PairingForm} onSubmit={enter} failures={{ other: 'code' }} summary={false}>
      <Dialog
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
            steps={[t({ pl: 'Zeskanuj kod', en: 'Scan the code' }), t({ pl: 'Przepisz kod', en: 'Copy the code' })]}
            current={step === 'scan' ? 1 : 2}
            onGo={() => setStep('scan')}
          />
        )}
        {step === 'scan' && (
          <PairingSecret thing={thing} secret={secret} secondsLeft={left} onAgain={onAgain}>
            {onPhone && <OpenApp uri={secret.uri} isFirst={opensFirst} onOpen={() => setOpened(true)} />}
          </PairingSecret>
        )}
        {step === 'code' && (
          <div className="stack stack--s">
            <CodeField
              name="code"
              label={t({ pl: 'Kod z\u00a0aplikacji, 6 cyfr', en: 'Code from the app, 6 digits' })}
              hint={t({
                pl: 'Kod zmienia się co 30 sekund. Wpisz ten, który widać teraz.',
                en: 'The code changes every 30 seconds. Enter the one shown now.',
              })}
            />
          </div>
        )}
        {step === 'done' && (
          <div className="paired">
            <OkSeal />
            <p>
              {t({
                pl: 'Od tej chwili aplikacja tworzy kody jednorazowe ważne 30 sekund.',
                en: 'From now on the app makes one-time codes that are valid for 30 seconds.',
              })}
            </p>
            <p className="soft">
              {thing === 'seal'
                ? t({
                    pl: 'Będą potrzebne przy pieczętowaniu dokumentów.',
                    en: 'You will need them to seal documents.',
                  })
                : t({
                    pl: 'Będą potrzebne przy podpisywaniu dokumentów.',
                    en: 'You will need them to sign documents.',
                  })}
            </p>
          </div>
        )}
      </Dialog>
    </Form>
  )
}

/** Seconds for which the secret may still be seen. Only differences count, because the clock of the device may be wrong. */
function useSecondsLeft({ visibleUntil, now }: Secret) {
  const life = (Date.parse(visibleUntil) - Date.parse(now)) / 1000
  const [left, setLeft] = useState(life)
  useEffect(() => {
    const end = Date.now() + life * 1000
    const timer = setInterval(() => setLeft((end - Date.now()) / 1000), 1000)
    return () => clearInterval(timer)
  }, [life])
  return left
}
