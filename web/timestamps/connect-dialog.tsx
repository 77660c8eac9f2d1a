import type { ReactNode } from 'react'
import type { Locale, Text } from '../../contract/enums.ts'
import type { TimestampAccount } from '../../contract/timestamps.ts'
import { useText } from '../app/locale.tsx'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { DescriptionList, Row } from '../ui/description-list.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Code } from '../ui/verbatim.tsx'
import { authenticationText, AccountName, ServerAddress } from './timestamps-text.tsx'

/** Shows how to set up a program, and how to try the account in a terminal. */
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
      <ol className="ordered-list tsa__lines">
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

/** Shows a row whose value can be copied; `about` names it for screen readers. */
function CopiedRow({ name, about, text, value }: { name: string; about: string; text: string; value?: ReactNode }) {
  const t = useText()
  return (
    <Row name={name} action={<CopyButton text={text} label={t({ pl: 'Skopiuj', en: 'Copy' })} about={about} />}>
      {value ?? <Code className="wrap">{text}</Code>}
    </Row>
  )
}

const files = { pl: 'umowa', en: 'agreement' } satisfies Record<Locale, string>

/**
 * Returns commands for a terminal that make a request, send it to the server, and print the response. curl asks for the password, so that
 * it stays out of the terminal's history. Addresses and logins of the contract need no escaping.
 */
function commandLines(
  locale: Locale,
  { authentication, login, serverUrl }: TimestampAccount,
): { does: Text; copies: Text; line: string }[] {
  const file = files[locale]
  const isBasic = authentication === 'basic'
  const [body, type] = isBasic
    ? [`${file}.tsq`, 'application/timestamp-query']
    : [`${file}.p7m`, 'application/pkcs7-mime']
  const user = isBasic ? `-u '${login}' ` : ''
  const askPassword = {
    does: {
      pl: 'Przygotuj zapytanie o\u00a0znacznik do swojego pliku',
      en: 'Create a timestamp request for your file',
    },
    copies: { pl: 'polecenie zapytania', en: 'the request command' },
    line: `openssl ts -query -data ${file}.pdf -sha256 -cert -out ${file}.tsq`,
  }
  const sign = {
    does: { pl: 'Podpisz zapytanie certyfikatem konta', en: 'Sign the request with the account’s certificate' },
    copies: { pl: 'polecenie podpisu', en: 'the signing command' },
    line: `openssl cms -sign -binary -nodetach -outform DER -signer certificate.pem -inkey key.pem -in ${file}.tsq -out ${file}.p7m`,
  }
  const send = {
    does: isBasic
      ? { pl: 'Wyślij je; curl zapyta o\u00a0hasło', en: 'Send it; curl asks for the password' }
      : { pl: 'Wyślij je', en: 'Send it' },
    copies: { pl: 'polecenie wysłania', en: 'the sending command' },
    line: `curl -fsS ${user}-H 'Content-Type: ${type}' --data-binary @${body} -o ${file}.tsr '${serverUrl}'`,
  }
  const look = {
    does: { pl: 'Obejrzyj znacznik', en: 'View the timestamp' },
    copies: { pl: 'polecenie podglądu', en: 'the viewing command' },
    line: `openssl ts -reply -in ${file}.tsr -text`,
  }
  return isBasic ? [askPassword, send, look] : [askPassword, sign, send, look]
}
