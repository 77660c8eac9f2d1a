import type { ReactNode } from 'react'
import type { TimestampAccount } from '../../contract/timestamps.ts'
import { useText } from '../locale.tsx'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { commandLines } from './command-lines.ts'
import { authenticationText } from './timestamps-text.ts'
import { DescriptionList, Row } from '../ui/description-list.tsx'
import { Code } from '../ui/verbatim.tsx'
import { AccountName } from './account-name.tsx'
import { ServerAddress } from './server-address.tsx'

/** How a program is set up, and how to try the account in a terminal. */
export function ConnectDialog({ account, onClose }: { account: TimestampAccount; onClose: () => void }) {
  const t = useText()
  const { login, serverUrl, authentication } = account
  return (
    <Dialog
      title={t({ pl: 'Podłącz program', en: 'Connect software' })}
      description={<AccountName login={login} />}
      width="l"
      initialFocus="title"
      onClose={onClose}
      footer={<Button onClick={onClose}>{t({ pl: 'Zamknij', en: 'Close' })}</Button>}
    >
      <p>
        {t({
          pl: 'W\u00a0ustawieniach programu, który podpisuje lub archiwizuje dokumenty, wpisz te dane. Serwer obsługuje protokół RFC 3161.',
          en: 'Enter these in the settings of the software that signs or archives documents. The server supports RFC 3161.',
        })}
      </p>
      <DescriptionList className="tsa__settings">
        <CopiedRow
          name={t({ pl: 'Adres serwera', en: 'Server address' })}
          about={t({ pl: 'adres serwera', en: 'the server address' })}
          text={serverUrl}
          value={<ServerAddress url={serverUrl} />}
        />
        <Row name={t({ pl: 'Logowanie', en: 'Authentication' })}>{t(authenticationText[authentication])}</Row>
        {authentication === 'basic' && (
          <CopiedRow
            name={t({ pl: 'Login', en: 'Username' })}
            about={t({ pl: 'login', en: 'the username' })}
            text={login}
          />
        )}
      </DescriptionList>
      <h3 className="tsa__try">
        {t({ pl: 'Dla informatyka: próba w\u00a0terminalu', en: 'For your IT team: try it in a terminal' })}
      </h3>
      <p className="soft">
        {t({
          pl: 'Programowi wystarczą dane powyżej: tę część możesz pominąć. Każda próba zużywa jeden znacznik z\u00a0pakietu.',
          en: 'Your software only needs the details above, so you can skip this part. Each attempt uses one timestamp from your package.',
        })}
      </p>
      <ol className="olist tsa__lines">
        {commandLines(t.locale, account).map(({ does, copies, line }) => (
          <li key={line}>
            {t(does)}
            <code className="mono wrap tsa__line" translate="no">
              {line.split(/(?<= )/).map((word, index) => (
                // A command breaks between its words, not at hyphens. The order of the words never changes.
                <span key={index}>{word}</span>
              ))}
            </code>
            <CopyButton text={line} label={t({ pl: 'Skopiuj', en: 'Copy' })} about={t(copies)} />
          </li>
        ))}
      </ol>
    </Dialog>
  )
}

/** A row whose value is to be copied; `about` names it for screen readers. */
function CopiedRow({ name, about, text, value }: { name: string; about: string; text: string; value?: ReactNode }) {
  const t = useText()
  return (
    <Row name={name} action={<CopyButton text={text} label={t({ pl: 'Skopiuj', en: 'Copy' })} about={about} />}>
      {value ?? <Code className="wrap">{text}</Code>}
    </Row>
  )
}
