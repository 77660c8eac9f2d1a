import { useEffect, useRef, useState } from 'react'
import { cancelPhoneChange, phoneChangeSteps, type PhoneChange } from '../../contract/phone-change.ts'
import { call, CallFailed } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { focusHeading } from '../page-title.ts'
import { describeFailure } from '../text/failure-text.ts'
import { MaskedPhone } from '../ui/masked-phone.tsx'
import { Stepper } from '../ui/stepper.tsx'
import { toast } from '../ui/toast.tsx'
import { PhoneChangeForm, stepNames } from './phone-change-steps.tsx'

type Props = {
  change: PhoneChange
  /** Masked: it works until the end. */
  phone: string
  /** The change was begun or went on here, so its heading takes the focus; after a load of the page it does not. */
  focus: boolean
  act: (calling: () => Promise<unknown>) => Promise<void>
  onDone: (phone: string) => void
}

/** DAT-2: a task of four steps on the page itself. */
export function PhoneChangeTask({ change, phone, focus, act, onDone }: Props) {
  const t = useText()
  const locale = useLocale()
  const reached = phoneChangeSteps.indexOf(change.step)
  const [place, setPlace] = useState(reached)
  const heading = useRef<HTMLHeadingElement>(null)
  const first = useRef(!focus)
  useEffect(() => {
    if (!first.current) heading.current?.focus()
    first.current = false
  }, [place])

  async function cancel() {
    try {
      await act(() => call(cancelPhoneChange))
      focusHeading()
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      toast({ title: describeFailure(locale, error), variant: 'destructive' })
    }
  }

  const shown = phoneChangeSteps[place]!
  const names = phoneChangeSteps.map((step) => t(stepNames[step]))
  return (
    <section className="card task" aria-labelledby="phone-task">
      <h2 id="phone-task" ref={heading} tabIndex={-1}>
        <span className="small muted">
          {t({
            pl: `Krok ${place + 1} z\u00a0${names.length}`,
            en: `Step ${place + 1} of ${names.length}`,
          })}
          <span className="vh">, {names[place]}: </span>
        </span>
        {t({ pl: 'Zmień numer telefonu', en: 'Change the phone number' })}
      </h2>
      <Stepper
        label={t({ pl: 'Postęp zmiany numeru', en: 'Progress of the change' })}
        steps={names}
        current={place + 1}
      />
      <PhoneChangeForm
        key={shown}
        shown={shown}
        change={change}
        act={act}
        onDone={onDone}
        onBack={() => setPlace(place - 1)}
        onNext={() => setPlace(place + 1)}
      />
      <p className="task__foot">
        {t({ pl: 'Dotychczasowy numer ', en: 'Your present number ' })}
        <MaskedPhone number={phone} />
        {t({ pl: ' działa do końca zmiany. ', en: ' works until the end of the change. ' })}
        <button type="button" className="link" onClick={() => void cancel()}>
          {t({ pl: 'Przerwij zmianę numeru', en: 'Cancel the change' })}
        </button>
      </p>
    </section>
  )
}
