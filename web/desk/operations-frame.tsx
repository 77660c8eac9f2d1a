import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import type { Text } from '../../contract/enums.ts'
import { useText } from '../app/locale.tsx'
import { PageHead } from '../app/page-head.tsx'
import { Button } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import './operations.css'

const parts: { path: string; label: Text }[] = [
  { path: '/operations', label: { pl: 'Stan systemu', en: 'Health' } },
  { path: '/operations/messages', label: { pl: 'Niedoręczone', en: 'Undelivered' } },
  { path: '/operations/client-keys', label: { pl: 'Klucze', en: 'Client keys' } },
  { path: '/operations/webhooks', label: { pl: 'Webhooki', en: 'Webhooks' } },
  { path: '/operations/software', label: { pl: 'Programy', en: 'Software' } },
  { path: '/operations/vouchers', label: { pl: 'Vouchery', en: 'Vouchers' } },
  { path: '/operations/features', label: { pl: 'Funkcje', en: 'Features' } },
]

type Props = { title: Text; lede?: Text; action?: ReactNode; children: ReactNode }

/** Shows a screen of the administrators, with links to the others. */
export function OperationsFrame({ title, lede, action, children }: Props) {
  const t = useText()
  const { pathname } = useLocation()
  return (
    <>
      <nav className="desk-parts" aria-label={t({ pl: 'Operacje', en: 'Operations' })}>
        {parts.map(({ path, label }) => (
          <Link key={path} to={path} aria-current={pathname === path ? 'page' : undefined}>
            {t(label)}
          </Link>
        ))}
      </nav>
      <div className="desk-head">
        <PageHead title={title} {...(lede && { lede })} />
        {action}
      </div>
      {children}
    </>
  )
}

type RowButtonProps = { label: Text; of: string; onClick: () => void }

/** Shows a button for a row of a table; `of` names the row. */
export function RowButton({ label, of, onClick }: RowButtonProps) {
  const t = useText()
  return (
    <Button size="s" onClick={onClick}>
      <span>
        {t(label)}
        <span className="unseen"> {of}</span>
      </span>
    </Button>
  )
}

const texts: Record<string, Text> = {
  mail: { pl: 'E-maile', en: 'E-mails' },
  sms: { pl: 'SMS-y', en: 'Text messages' },
  webhook: { pl: 'Zdarzenia do webhooków', en: 'Events to webhooks' },
  'password-link': { pl: 'Linki do hasła', en: 'Password links' },
  registration: { pl: 'Rejestracje', en: 'Registrations' },
  'seal-invitation': { pl: 'Zaproszenia do pieczęci', en: 'Invitations to seals' },
  'customer-invitation': { pl: 'Zaproszenia klientów', en: 'Invitations of customers' },
  'agreement-signature': { pl: 'Podpisy umów', en: 'Signatures of agreements' },
  'data-export': { pl: 'Kopie danych', en: 'Copies of data' },
  'app-activation': { pl: 'Aktywacje aplikacji', en: 'Activations of apps' },
  'certificate-status': { pl: 'Statusy certyfikatów', en: 'Certificate statuses' },
  'lost-phone': { pl: 'Linki po utracie telefonu', en: 'Links after a lost phone' },
}

/** Returns the text for a channel of the outbox, or its name if it has no text. */
export const channelText = (t: (text: Text) => string, channel: string): string => {
  const text = texts[channel]
  return text ? t(text) : channel
}
