import { type ReactNode, startTransition, useEffect, useState } from 'react'
import type { Text } from '../../contract/enums.ts'
import { type Brand, dialled } from '../../contract/page-config.ts'
import { config } from '../app/config.ts'
import { useHydrated } from '../app/hydration.tsx'
import { useText } from '../app/locale.tsx'
import './call-button.css'
import { useCurrentSession } from '../app/session.tsx'
import { supportHours } from '../app/support-line.tsx'
import { formatTime, weekdayOf } from '../text/format.ts'
import { ButtonLink, type ButtonVariant } from './button.tsx'
import { Verbatim } from './verbatim.tsx'

type Props = {
  variant?: ButtonVariant | undefined
  isLarge?: boolean
  /** Whether the number or the address is shown alone, in a narrow column; its name says the rest. */
  isShort?: boolean
  /** Text after the number, such as what the call is about, for screen readers. */
  children?: ReactNode
}

/** Shows the support's number as a button, with the hours, where a call helps. */
export function CallButton({ variant, isLarge = false, isShort = false, children }: Props) {
  const t = useText()
  const { phone } = config.brand
  return (
    <p className="buttons call-button">
      <ButtonLink variant={variant} size={isLarge ? undefined : 's'} icon="phone" href={`tel:${dialled(phone)}`}>
        <span>
          <span className={isShort ? 'unseen' : undefined}>{t({ pl: 'Zadzwoń: ', en: 'Call ' })}</span>
          <span className="nowrap">{phone}</span>
          {children}
        </span>
      </ButtonLink>
      <span className="small nowrap">{t(supportHours())}</span>
      <ClosedNow />
    </p>
  )
}

/** Shows every way to reach the support, in one order everywhere: the number, its hours, the address. */
export function Contacts({ isShort = false }: Pick<Props, 'isShort'>) {
  const t = useText()
  const { email } = config.brand
  return (
    <div className="contacts">
      <CallButton />
      <p className="buttons">
        <ButtonLink size="s" icon="mail" href={`mailto:${email}`}>
          <span>
            <span className={isShort ? 'unseen' : undefined}>{t({ pl: 'Napisz: ', en: 'Write to ' })}</span>
            <Verbatim>{email}</Verbatim>
          </span>
        </ButtonLink>
      </p>
    </div>
  )
}

/** Days from which the support answers, as the end of a sentence; never Saturday or Sunday. */
const from = [
  { pl: 'od\u00a0poniedziałku', en: 'from Monday' },
  { pl: 'od\u00a0wtorku', en: 'from Tuesday' },
  { pl: 'od\u00a0środy', en: 'from Wednesday' },
  { pl: 'od\u00a0czwartku', en: 'from Thursday' },
  { pl: 'od\u00a0piątku', en: 'from Friday' },
]

/** Returns when the support next answers its phone; undefined while it does. Public holidays are not known here. */
export function nextAnswer(hours: Brand['hours'], now: number): Text | undefined {
  const weekday = weekdayOf(now)
  const time = formatTime('pl', now)
  const isWorkday = weekday >= 1 && weekday <= 5
  // `8:00` is compared as `08:00`.
  const isBefore = (end: string) => isWorkday && time < end.padStart(5, '0')
  if (isBefore(hours.from)) return { pl: `dzisiaj od\u00a0${hours.from}`, en: `from ${hours.from} today` }
  if (isBefore(hours.to)) return undefined
  // Tomorrow, or Monday after a Friday, whose index is 0.
  return onDay(weekday < 5 ? weekday : 0, hours)
}

/** Returns the longest such text in each language: „od poniedziałku”, “from Wednesday”. A page for everyone reserves the space for it. */
const longestAnswer = (hours: Brand['hours']): Text => ({ pl: onDay(0, hours).pl, en: onDay(2, hours).en })

function onDay(index: number, hours: Brand['hours']): Text {
  const { pl, en } = from[index]!
  return { pl: `${pl},\u00a0${hours.from}`, en: `${en},\u00a0${hours.from}` }
}

/** Returns when the support next answers; undefined while it does, and in a page for everyone, which may be read at any time. */
function useNextAnswer() {
  const isHydrated = useHydrated()
  const current = useCurrentSession()
  const [isForEveryone] = useState(!isHydrated && !current)
  const [at, setAt] = useState(() => (isHydrated && !import.meta.env.SSR ? Date.now() : undefined))
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

/**
 * Shows when the support answers again while it is closed. A page for everyone reserves the space for this sentence, so that nothing moves
 * when the time is known.
 */
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
