import type { Locale, Text } from '../../contract/enums.ts'
import type { TimestampAccount } from '../../contract/timestamps.ts'

const files = { pl: 'umowa', en: 'agreement' } satisfies Record<Locale, string>

/**
 * Commands for a terminal: make a request, send it to the server, and print the response. curl asks for the password,
 * so that it stays out of the terminal's history. Addresses and logins of the contract need no escaping.
 */
export function commandLines(
  locale: Locale,
  { authentication, login, serverUrl }: TimestampAccount,
): { does: Text; copies: Text; line: string }[] {
  const file = files[locale]
  const basic = authentication === 'basic'
  const [body, type] = basic
    ? [`${file}.tsq`, 'application/timestamp-query']
    : [`${file}.p7m`, 'application/pkcs7-mime']
  const user = basic ? `-u '${login}' ` : ''
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
    does: basic
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
  return basic ? [askPassword, send, look] : [askPassword, sign, send, look]
}
