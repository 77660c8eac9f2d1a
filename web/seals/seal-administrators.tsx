import type { Seal } from '../../contract/seals.ts'
import { useText } from '../locale.tsx'
import { Notice } from '../ui/notice.tsx'
import { MailLink, Verbatim } from '../ui/verbatim.tsx'

/** Shows a user without administration rights whom to ask (ux 8.3). */
export function SealAdministrators({ seal: { administrators } }: { seal: Seal }) {
  const t = useText()
  return (
    <Notice title={t({ pl: 'Dostępem zarządza administrator', en: 'The administrator manages access' })}>
      <p>
        {t({
          pl: 'Administrator tej pieczęci nie widzi, jakie dokumenty nią opatrujesz. Zmianę dostępu zgłoś tutaj:',
          en: 'The administrator of this seal can’t see which documents you seal. For anything about access, contact:',
        })}
      </p>
      <ul className="who-admin">
        {administrators.map(({ name, email }) => (
          <li key={email}>
            <Verbatim>{name}</Verbatim>, <MailLink to={email} />
          </li>
        ))}
      </ul>
    </Notice>
  )
}
