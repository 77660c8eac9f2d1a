import type { ReactNode } from 'react'
import { documentText } from '../../contract/document-text.ts'
import type { Text } from '../../contract/enums.ts'
import type { InvitedCustomer } from '../../contract/password-link.ts'
import { isOff } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { DateText } from '../text/date-text.tsx'
import { plural } from '../text/format.ts'
import { identifierText, countryIn } from '../text/identifier-text.ts'
import { signatureProductText } from '../text/product-text.ts'
import { Contacts } from '../ui/call-button.tsx'
import { DescriptionList, Row, VerbatimRow } from '../ui/description-list.tsx'
import { MaskedNumber } from '../ui/hidden-number.tsx'
import { Notice } from '../ui/notice.tsx'

/** Shows what the portal knows of a customer, before the first password (PWD-2). The server has masked it already. */
export function SetUpSummaries({ login, invited }: { login: string; invited: InvitedCustomer }) {
  const t = useText()
  const { firstName, secondName, surname, email, phone, signatures, seals, identification } = invited
  const at = email.lastIndexOf('@')
  return (
    <div className="setup__facts">
      {seals.length > 0 && (
        <Notice
          title={t({
            pl: `Czeka na Ciebie dostęp do pieczęci: ${seals.join(', ')}`,
            en: `Access to a seal is waiting for you: ${seals.join(', ')}`,
          })}
        >
          {t({
            pl: 'Ustaw hasło i\u00a0zaloguj się. Od razu pokażemy zaproszenie, a\u00a0dostęp aktywujesz kodem SMS.',
            en: 'Set a password and sign in. We’ll show you the invitation straight away, and you’ll activate access with a text-message code.',
          })}
        </Notice>
      )}
      <Summary title={{ pl: 'Twoje dane', en: 'Your details' }}>
        <DescriptionList look="plain">
          <VerbatimRow name={t({ pl: 'Imię i\u00a0nazwisko', en: 'Name' })}>
            {[firstName, secondName, surname].filter(Boolean).join(' ')}
          </VerbatimRow>
          {login !== email && <VerbatimRow name={t({ pl: 'Login', en: 'Username' })}>{login}</VerbatimRow>}
          <VerbatimRow name={t({ pl: 'E-mail', en: 'E-mail' })}>
            {email.slice(0, at)}
            <wbr />
            {email.slice(at)}
          </VerbatimRow>
          <Row name={t({ pl: 'Telefon do kodów SMS', en: 'Phone for codes' })}>
            <MaskedNumber>{phone}</MaskedNumber>
          </Row>
        </DescriptionList>
      </Summary>
      {signatures.total || identification ? (
        <>
          {!isOff('signatures') && <Signatures signatures={signatures} />}
          <IdentificationData identification={identification} />
          <p className="small soft">
            {t({
              pl: 'Część znaków zasłaniamy, bo tę stronę zobaczy każdy, kto ma Twój link.',
              en: 'Some characters are hidden, because anyone with your link can see this page.',
            })}
          </p>
        </>
      ) : seals.length || isOff('signatures') ? null : (
        <Notice
          title={t({
            pl: 'Podpisów i\u00a0danych z\u00a0dokumentu jeszcze tu nie ma',
            en: 'There are no signatures or document details here yet',
          })}
        >
          {t({
            pl: 'Pojawią się na koncie, gdy zamówisz podpis. Hasło możesz ustawić już teraz.',
            en: 'They’ll appear in your account once you order a signature. You can set your password now.',
          })}
        </Notice>
      )}
    </div>
  )
}

function Signatures({ signatures: { total, first } }: Pick<InvitedCustomer, 'signatures'>) {
  const t = useText()
  const more = total - first.length
  return (
    <Summary title={{ pl: 'Twoje podpisy', en: 'Your signatures' }}>
      {first.map(({ product, identifier, validFrom, validTo }) => (
        <div key={product + identifier.value + validTo}>
          <h3>{t(signatureProductText[product])}</h3>
          <DescriptionList look="plain">
            <Row name={t(kindOf(identifier))}>
              <MaskedNumber>{identifier.value}</MaskedNumber>
            </Row>
            <Row name={t({ pl: 'Ważność', en: 'Validity' })}>
              <DateText at={validFrom} length="short" />
              {' – '}
              <DateText at={validTo} length="short" />
            </Row>
          </DescriptionList>
        </div>
      ))}
      {more > 0 && (
        <p className="small soft">
          {t({
            pl: `Na koncie ${plural('pl', more, { one: 'jest', few: 'są', many: 'jest', other: 'jest' })} jeszcze ${more} ${plural('pl', more, { one: 'podpis', few: 'podpisy', many: 'podpisów', other: 'podpisu' })}.`,
            en: `There ${plural('en', more, { one: 'is', other: 'are' })} ${more} more in your account.`,
          })}
        </p>
      )}
      {total === 0 && (
        <p className="soft">
          {t({
            pl: 'Nie masz jeszcze podpisu. Pojawi się na koncie, gdy go wydamy.',
            en: 'You have no signature yet. It’ll appear in your account once we’ve issued it.',
          })}
        </p>
      )}
    </Summary>
  )
}

function IdentificationData({ identification }: Pick<InvitedCustomer, 'identification'>) {
  const t = useText()
  const title = { pl: 'Dane identyfikacyjne', en: 'Identity details' }
  if (!identification)
    return (
      <Summary title={title}>
        <p className="soft">
          {t({
            pl: 'Nie mamy jeszcze danych z\u00a0Twojego dokumentu. Dodamy je, gdy potwierdzisz tożsamość.',
            en: 'We don’t have your document details yet. We’ll add them once you’ve confirmed your identity.',
          })}
        </p>
      </Summary>
    )
  const { nationality, identifierType, issuingCountry, identificationNumber, birthYear } = identification
  const { documentType, documentNumber, documentValidTo } = identification
  const nameOf = (country: string) => countryIn(t.locale, country) || country
  return (
    <Summary title={title}>
      <DescriptionList look="plain">
        <Row name={t({ pl: 'Obywatelstwo', en: 'Nationality' })}>{nameOf(nationality)}</Row>
        <Row name={t(kindOf({ type: identifierType, country: issuingCountry }))}>
          <MaskedNumber>{identificationNumber}</MaskedNumber>
        </Row>
        {issuingCountry && <Row name={t({ pl: 'Kraj wydania', en: 'Issuing country' })}>{nameOf(issuingCountry)}</Row>}
        <Row name={t({ pl: 'Rok urodzenia', en: 'Year of birth' })}>{birthYear}</Row>
        <Row
          name={t({
            pl: `Dokument (${documentText[documentType].pl})`,
            en: `Document (${documentText[documentType].en})`,
          })}
        >
          <MaskedNumber>{documentNumber}</MaskedNumber>
        </Row>
        <Row name={t({ pl: 'Dokument ważny', en: 'Document valid' })}>
          {documentValidTo ? (
            <>
              {t({ pl: 'do ', en: 'until ' })}
              <DateText at={documentValidTo} />
            </>
          ) : (
            t({ pl: 'bezterminowo', en: 'no expiry date' })
          )}
        </Row>
      </DescriptionList>
    </Summary>
  )
}

function kindOf(identifier: Parameters<typeof identifierText>[0]): Text {
  const kind = identifierText(identifier)
  return { pl: `Identyfikator (${kind.pl})`, en: `Identifier (${kind.en})` }
}

/** Shows one of the three summaries, with how to have it corrected: nothing can be changed here. */
function Summary({ title, children }: { title: Text; children: ReactNode }) {
  const t = useText()
  return (
    <section className="setup__part">
      <h2>{t(title)}</h2>
      {children}
      <details>
        <summary>
          {t({ pl: 'Coś się nie zgadza?', en: 'Something not right?' })}
          <span className="unseen">{` ${t(title)}`}</span>
        </summary>
        <p>
          {t({
            pl: 'Hasło możesz ustawić już teraz. Dane poprawimy, gdy sprawdzimy, że to Ty. Zadzwoń do nas albo napisz.',
            en: 'You can set your password now. We’ll correct your details once we’ve checked that it’s you. Call us, or write to us.',
          })}
        </p>
        <Contacts />
      </details>
    </section>
  )
}
