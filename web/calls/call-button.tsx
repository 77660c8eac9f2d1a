import { type ReactNode, startTransition, useEffect, useState } from 'react'
import { dialled } from '../../contract/dialled.ts'
import { config } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { supportHours } from '../app/support-line.tsx'
import { ButtonLink, type ButtonVariant } from '../ui/button.tsx'
import { Verbatim } from '../ui/verbatim.tsx'
import './call-button.css'
import { useHydrated } from '../app/hydration.tsx'
import { useCurrentSession } from '../app/session.tsx'
import { longestAnswer, nextAnswer } from '../text/next-answer.ts'

type Props = {
  variant?: ButtonVariant | undefined
  isLarge?: boolean
  /** Shows the number or the address alone, in a narrow column; its name says the rest. */
  isShort?: boolean
  /** After the number, such as what the call is about, for screen readers. */
  children?: ReactNode
}

/** Where a call to the support is what helps: its number as a button, with the hours. */
export function CallButton({ variant, isLarge = false, isShort = false, children }: Props) {
  const t = useText()
  const { phone } = config.brand
  return (
    <p className="btns call">
      <ButtonLink variant={variant} size={isLarge ? undefined : 's'} icon="phone" href={`tel:${dialled(phone)}`}>
        <span>
          <span className={isShort ? 'vh' : undefined}>{t({ pl: 'Zadzwoń: ', en: 'Call ' })}</span>
          <span className="nowrap">{phone}</span>
          {children}
        </span>
      </ButtonLink>
      <span className="small nowrap">{t(supportHours())}</span>
      <ClosedNow />
    </p>
  )
}

/** Every way to reach the support, in one order everywhere: the number, its hours, the address. */
export function Contacts({ isShort = false }: Pick<Props, 'isShort'>) {
  const t = useText()
  const { email } = config.brand
  return (
    <div className="contacts">
      <CallButton />
      <p className="btns">
        <ButtonLink size="s" icon="mail" href={`mailto:${email}`}>
          <span>
            <span className={isShort ? 'vh' : undefined}>{t({ pl: 'Napisz: ', en: 'Write to ' })}</span>
            <Verbatim>{email}</Verbatim>
          </span>
        </ButtonLink>
      </p>
    </div>
  )
}

/** When the support next answers; undefined while it does, and in a page for everyone, which may be read at any time. */
function useNextAnswer() {
  const hydrated = useHydrated()
  const current = useCurrentSession()
  const [isForEveryone] = useState(!hydrated && !current)
  const [at, setAt] = useState(() => (hydrated && !import.meta.env.SSR ? Date.now() : undefined))
  useEffect(() => {
    const follow = () => startTransition(() => setAt(Date.now()))
    follow()
    const timer = setInterval(follow, 60_000)
    return () => clearInterval(timer)
  }, [])
  // A signed-in page is rendered with the server's time, whatever the clock of the device says.
  const now = current ? Date.parse(current.session.now) + (at === undefined ? 0 : at - current.receivedAt) : at
  return { isForEveryone, next: now === undefined ? undefined : nextAnswer(config.brand.hours, now) }
}

/** A sentence for a place of its own, which a page for everyone keeps free, so that nothing moves when the time is known. */
function ClosedNow() {
  const t = useText()
  const { isForEveryone, next } = useNextAnswer()
  const shown = next ?? (isForEveryone ? longestAnswer(config.brand.hours) : undefined)
  if (!shown) return null
  return (
    <span className={next ? 'small' : 'small waiting'}>
      {t({ pl: `Teraz nieczynne. Odbieramy ${shown.pl}`, en: `Closed now. We answer ${shown.en}` })}
    </span>
  )
}
