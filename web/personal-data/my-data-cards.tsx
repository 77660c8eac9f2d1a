import { Fragment, type ReactNode } from 'react'
import { limits } from '../../contract/limits.ts'
import type { MyData } from '../../contract/my-data.ts'
import { useLocale, useText } from '../locale.tsx'
import { countryIn } from '../text/country-text.ts'
import { daysLeft, formatDate, formatDaysLeft } from '../text/format.ts'
import { documentText, identifierText } from '../text/identifier-text.ts'
import { Badge } from '../ui/badge.tsx'
import { MaskedPhone } from '../ui/masked-phone.tsx'
import { Notice } from '../ui/notice.tsx'
import { SupportLine } from '../ui/support-line.tsx'
import { HiddenNumber } from './hidden-number.tsx'

type Props = { data: MyData }

const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1)

function Card({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id} className="h-s">
        {title}
      </h2>
      {children}
    </section>
  )
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** How the portal reaches the customer; `children` is the way to change the number. */
export function ContactCard({ data, children }: Props & { children?: ReactNode }) {
  const t = useText()
  const { id, login, email, phone } = data
  const at = email.lastIndexOf('@')
  return (
    <Card id="contact-title" title={t({ pl: 'Kontakt', en: 'Contact' })}>
      <dl className="rows">
        <Row label="E-mail">
          {email.slice(0, at)}
          <wbr />
          {email.slice(at)}
        </Row>
        {login !== email && <Row label="Login">{login}</Row>}
        <HiddenNumber
          key={phone}
          person={id}
          number="phone"
          label={t({ pl: 'Telefon', en: 'Phone' })}
          action={t({ pl: 'Pokaż cały numer telefonu', en: 'Show the whole phone number' })}
          masked={phone}
        >
          <MaskedPhone number={phone} />
        </HiddenNumber>
      </dl>
      {children}
    </Card>
  )
}

export function PersonCard({ data }: Props) {
  const t = useText()
  const locale = useLocale()
  const { id, firstName, secondName, surname, identification: known } = data
  const kind = known && t(identifierText({ type: known.identifierType, country: known.issuingCountry }))
  const country = known?.issuingCountry && countryIn(locale, known.issuingCountry)
  return (
    <Card id="person-title" title={t({ pl: 'Osoba', en: 'Person' })}>
      <dl className="rows">
        <Row label={t({ pl: 'Imię i\u00a0nazwisko', en: 'Name' })}>
          {[firstName, secondName, surname].filter(Boolean).join(' ')}
        </Row>
        {known && kind && (
          <>
            <Row label={t({ pl: 'Data urodzenia', en: 'Date of birth' })}>
              <time dateTime={known.birthDate}>{formatDate(locale, known.birthDate)}</time>
            </Row>
            <Row label={t({ pl: 'Miejsce urodzenia', en: 'Place of birth' })}>{known.birthPlace}</Row>
            <Row label={t({ pl: 'Obywatelstwo', en: 'Nationality' })}>{countryIn(locale, known.nationality)}</Row>
            <HiddenNumber
              person={id}
              number="identification-number"
              label={country ? `${capital(kind)} (${country})` : capital(kind)}
              action={t({ pl: `Pokaż cały numer: ${kind}`, en: `Show the whole number: ${kind}` })}
              masked={known.identificationNumber}
            />
          </>
        )}
      </dl>
      <p className="small muted">
        {t({
          pl: 'Numer telefonu zmienisz tutaj, hasło na stronie Zmiana hasła. Inne dane poprawimy po telefonie: ',
          en: 'Change the phone number here and the password on the page Change password. For anything else call ',
        })}
        <SupportLine />
      </p>
    </Card>
  )
}

export function DocumentCard({ data: { id, identification } }: Props) {
  const t = useText()
  const title = t({ pl: 'Dokument tożsamości', en: 'Identity document' })
  if (!identification)
    return (
      <Card id="document-title" title={title}>
        <p>
          <strong>{t({ pl: 'Brak danych', en: 'No data' })}</strong>
        </p>
        <p className="small muted">
          {t({
            pl: 'Dane z\u00a0dokumentu pojawią się tu, gdy zamówisz podpis i\u00a0potwierdzimy Twoją tożsamość.',
            en: 'The data of your document will appear here once you order a signature and we confirm your identity.',
          })}
        </p>
      </Card>
    )
  const { type, number, validTo, issuedBy } = identification.document
  const kind = t(documentText[type])
  return (
    <Card id="document-title" title={title}>
      <dl className="rows">
        <HiddenNumber
          person={id}
          number="document-number"
          label={capital(kind)}
          action={t({ pl: `Pokaż cały numer: ${kind}`, en: `Show the whole number: ${kind}` })}
          masked={number}
        />
        <Row label={t({ pl: 'Ważny do', en: 'Valid until' })}>
          {validTo ? <Validity validTo={validTo} /> : t({ pl: 'Bezterminowo', en: 'No expiry' })}
        </Row>
        <Row label={t({ pl: 'Wydany przez', en: 'Issued by' })}>{issuedBy}</Row>
      </dl>
      {validTo && daysLeft(validTo) <= limits.badge.amberDays && (
        <Notice kind="warn">
          {t({
            pl: 'Certyfikat nie może być ważny dłużej niż dokument, chyba że jest wydany na PESEL. Gdy masz nowy dokument, zadzwoń do nas.',
            en: 'A certificate cannot be valid for longer than the document, unless it is issued for a PESEL number. Call us when you have a new document.',
          })}
        </Notice>
      )}
    </Card>
  )
}

function Validity({ validTo }: { validTo: string }) {
  const t = useText()
  const locale = useLocale()
  const left = daysLeft(validTo)
  const when = formatDaysLeft(locale, left)
  return (
    <Fragment>
      <time dateTime={validTo}>{formatDate(locale, validTo)}</time>
      {left <= limits.badge.amberDays && (
        <>
          {' '}
          <Badge kind={left < 0 ? 'err' : 'warn'} icon={left < 0 ? 'alert' : 'hour'}>
            {left < 0 ? t({ pl: 'Wygasł', en: 'Expired' }) : t({ pl: `Wygasa ${when}`, en: `Expires ${when}` })}
          </Badge>
        </>
      )}
    </Fragment>
  )
}
