import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { limits } from '../../contract/limits.ts'
import { useText } from '../app/locale.tsx'
import { SuccessMark } from '../art/success-mark.tsx'
import { MaskedPhone } from '../phone/masked-phone.tsx'
import { Button } from '../ui/button.tsx'

/** Shows the new number (DAT-2), and redirects by itself unless the customer stays or uses something else on the page (WCAG 2.2.1). */
export function PhoneChangeDone({ phone }: { phone: string }) {
  const t = useText()
  const navigate = useNavigate()
  const card = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const [isStaying, setIsStaying] = useState(false)
  const [left, setLeft] = useState<number>(limits.phoneChange.redirect)
  useEffect(() => heading.current?.focus(), [])

  useEffect(() => {
    if (isStaying) return undefined
    const end = Date.now() + limits.phoneChange.redirect * 1000
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000))), 250)
    return () => clearInterval(timer)
  }, [isStaying])
  useEffect(() => {
    if (left || isStaying) return
    const { activeElement } = document
    const isElsewhere = activeElement !== document.body && !card.current?.contains(activeElement)
    if (isElsewhere) setIsStaying(true)
    else void navigate('/home')
  }, [left, isStaying, navigate])

  /** Stops the redirect, and moves the focus to the heading, because the button in use disappears. */
  function stay() {
    setIsStaying(true)
    heading.current?.focus()
  }

  return (
    <section className="card task task--done" aria-labelledby="phone-done" ref={card}>
      <SuccessMark />
      <div>
        <h2 id="phone-done" ref={heading} tabIndex={-1}>
          {t({ pl: 'Numer telefonu zmieniony', en: 'Phone number changed' })}
        </h2>
        <p>
          {t({ pl: 'Gotowe! Kody SMS wysyłamy teraz na numer ', en: 'All done! We now send text-message codes to ' })}
          <b>
            <MaskedPhone number={phone} />
          </b>
          {t({
            pl: '. Potwierdzenie wysłaliśmy e-mailem i\u00a0na stary numer. Dla bezpieczeństwa wylogowaliśmy Cię na innych urządzeniach.',
            en: '. We’ve sent a confirmation to your e-mail and to your old number. To keep your account safe, we’ve signed you out on your other devices.',
          })}
        </p>
        {!isStaying && (
          <p className="number" role="timer" aria-live="off">
            {t({ pl: `Za ${left}\u00a0s przejdziemy na stronę Start.`, en: `We’ll go to Home in ${left}\u00a0s.` })}
          </p>
        )}
        <p className="buttons">
          <Button variant="primary" onClick={() => void navigate('/home')}>
            {t({ pl: 'Wróć do strony Start', en: 'Back to Home' })}
          </Button>
          {!isStaying && (
            <Button variant="quiet" onClick={stay}>
              {t({ pl: 'Zostań na tej stronie', en: 'Stay on this page' })}
            </Button>
          )}
        </p>
      </div>
    </section>
  )
}
