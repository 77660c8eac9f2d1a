import { useEffect, useRef, useState } from 'react'
import { cancelPhoneChange, phoneChangeSteps, type PhoneChange } from '../../contract/phone-change.ts'
import { useAction } from '../calls/action.ts'
import { call } from '../calls/api.ts'
import { useText } from '../app/locale.tsx'
import { focusHeading } from '../app/page-title.ts'
import { Button } from '../ui/button.tsx'
import { Stepper } from '../ui/stepper.tsx'
import { toast } from '../toast/toast.tsx'
import { PhoneChangeForm, stepNames } from './phone-change-steps.tsx'

type Props = {
  change: PhoneChange
  /** The change was begun or continued here, so its heading takes the focus; after loading the page it does not. */
  focus: boolean
  submit: (request: () => Promise<unknown>) => Promise<void>
  onDone: (phone: string) => void
}

/** DAT-2, DAT-8: the steps on the page itself, after the confirmation by the current number or a passkey, which starts the change. */
export function PhoneChangeTask({ change, focus, submit, onDone }: Props) {
  const t = useText()
  const reached = phoneChangeSteps.indexOf(change.step)
  const [index, setIndex] = useState(reached)
  const heading = useRef<HTMLHeadingElement>(null)
  const first = useRef(!focus)
  useEffect(() => {
    if (!first.current) heading.current?.focus()
    first.current = false
  }, [index])

  const { run: cancel, busy: isCancelling } = useAction(
    async () => {
      await submit(() => call(cancelPhoneChange))
      focusHeading()
    },
    (title) => toast({ title, variant: 'destructive' }),
  )

  const shown = phoneChangeSteps[index]!
  const names = [t({ pl: 'Obecny numer', en: 'Current number' }), ...phoneChangeSteps.map((step) => t(stepNames[step]))]
  const current = index + 2
  return (
    <section className="card task" aria-labelledby="phone-task">
      <h2 id="phone-task" ref={heading} tabIndex={-1}>
        <span className="task__step small muted">
          {t({ pl: `Krok ${current} z\u00a0${names.length}`, en: `Step ${current} of ${names.length}` })}
          <span className="vh">: </span>
        </span>
        {names[current - 1]}
      </h2>
      <Stepper
        label={t({ pl: 'Postęp zmiany numeru', en: 'Number change progress' })}
        steps={names}
        current={current}
      />
      <PhoneChangeForm
        key={shown}
        shown={shown}
        change={change}
        submit={submit}
        onDone={onDone}
        onBack={() => setIndex(index - 1)}
        onNext={() => setIndex(index + 1)}
        cancel={
          <Button variant="quiet" busy={isCancelling} onClick={cancel}>
            {t({ pl: 'Anuluj zmianę', en: 'Cancel change' })}
          </Button>
        }
      />
    </section>
  )
}
