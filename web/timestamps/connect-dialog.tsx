import type { TimestampAccount } from '../../contract/timestamps.ts'
import { useLocale, useText } from '../locale.tsx'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { commandLines } from './command-lines.ts'
import { authenticationText } from './timestamps-text.ts'

/** How a program is set up, and how to try the account in a terminal. */
export function ConnectDialog({ account, onClose }: { account: TimestampAccount; onClose: () => void }) {
  const t = useText()
  const locale = useLocale()
  const { login, serverUrl, authentication } = account
  return (
    <Dialog
      title={t({ pl: 'Podłącz program', en: 'Connect a program' })}
      description={t({ pl: `Konto ${login}`, en: `Account ${login}` })}
      width="l"
      initialFocus="title"
      onClose={onClose}
      footer={<Button onClick={onClose}>{t({ pl: 'Zamknij', en: 'Close' })}</Button>}
    >
      <p>
        {t({
          pl: 'W\u00a0ustawieniach programu, który podpisuje lub archiwizuje dokumenty, wpisz te dane. Serwer mówi protokołem RFC 3161.',
          en: 'Enter these in the settings of the program that signs or archives documents. The server speaks RFC 3161.',
        })}
      </p>
      <dl className="rows tsa__settings">
        <div>
          <dt>{t({ pl: 'Adres serwera', en: 'Server address' })}</dt>
          <dd>
            <span className="mono wrap">{serverUrl}</span>
          </dd>
          <dd>
            <CopyButton
              text={serverUrl}
              label={t({ pl: 'Skopiuj', en: 'Copy' })}
              about={t({ pl: 'adres serwera', en: 'the server address' })}
            />
          </dd>
        </div>
        <div>
          <dt>{t({ pl: 'Logowanie', en: 'Authentication' })}</dt>
          <dd>{t(authenticationText[authentication])}</dd>
        </div>
        {authentication === 'basic' && (
          <div>
            <dt>{t({ pl: 'Login', en: 'Login' })}</dt>
            <dd>
              <span className="mono wrap">{login}</span>
            </dd>
            <dd>
              <CopyButton
                text={login}
                label={t({ pl: 'Skopiuj', en: 'Copy' })}
                about={t({ pl: 'login', en: 'the login' })}
              />
            </dd>
          </div>
        )}
      </dl>
      <h3 className="tsa__try">{t({ pl: 'Wypróbuj w\u00a0terminalu', en: 'Try it in a terminal' })}</h3>
      <p className="soft">
        {t({
          pl: 'Każdy znacznik zużywa jeden z\u00a0pakietu.',
          en: 'Each timestamp takes one from the package.',
        })}
      </p>
      <ol className="olist tsa__lines">
        {commandLines(locale, account).map(({ does, copies, line }) => (
          <li key={line}>
            {t(does)}
            <code className="mono wrap tsa__line">
              {line.split(/(?<= )/).map((word, index) => (
                // A command breaks between its words, not at their hyphens. The words never change places.
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
