import type { ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import type { Renewal } from '../../contract/renewal.ts'
import { useLocale, useText } from '../locale.tsx'
import { countryIn } from '../text/country-text.ts'
import { documentText } from '../text/identifier-text.ts'
import { formatDate } from '../text/format.ts'
import { Button } from '../ui/button.tsx'
import { MaskedPhone } from '../ui/masked-phone.tsx'
import { SupportLine } from '../ui/support-line.tsx'
import { CoveredValue } from './covered-value.tsx'

/** Who the certificate is for, in groups (ux.md §8.6). What is not known is left out; without an edit it is only to be read. */
export function PersonalDataGroups({ renewal, onEditDocument }: { renewal: Renewal; onEditDocument?: () => void }) {
  const t = useText()
  const locale = useLocale()
  const { person, parameters, identityCheck } = renewal
  const { document } = person
  const day = (date: string) => <time dateTime={date}>{formatDate(locale, date)}</time>
  return (
    <>
      <Group title={{ pl: 'Osoba', en: 'Person' }}>
        <Row name={{ pl: 'Imię', en: 'First name' }}>{person.firstName}</Row>
        {person.secondName && <Row name={{ pl: 'Drugie imię', en: 'Second name' }}>{person.secondName}</Row>}
        <Row name={{ pl: 'Nazwisko', en: 'Surname' }}>{person.surname}</Row>
        {person.pesel && (
          <Row name={{ pl: 'PESEL', en: 'PESEL' }}>
            <CoveredValue value={person.pesel} what="PESEL" />
          </Row>
        )}
        {person.birthDate && <Row name={{ pl: 'Data urodzenia', en: 'Date of birth' }}>{day(person.birthDate)}</Row>}
        {person.birthPlace && <Row name={{ pl: 'Miejsce urodzenia', en: 'Place of birth' }}>{person.birthPlace}</Row>}
        {person.nationality && (
          <Row name={{ pl: 'Obywatelstwo', en: 'Nationality' }}>
            {countryIn(locale, person.nationality) || person.nationality}
          </Row>
        )}
      </Group>
      <Group
        title={{ pl: 'Dokument tożsamości', en: 'Identity document' }}
        action={
          onEditDocument &&
          identityCheck?.state !== 'asked' && (
            <Button variant="quiet" size="s" icon="pen" aria-haspopup="dialog" onClick={onEditDocument}>
              {t({ pl: 'Popraw', en: 'Correct' })}
              <span className="vh">{t({ pl: ' dokument tożsamości', en: ' the identity document' })}</span>
            </Button>
          )
        }
      >
        {document ? (
          <>
            <Row name={{ pl: 'Rodzaj', en: 'Kind' }}>
              <span className="datagroup__kind">{t(documentText[document.type])}</span>
            </Row>
            <Row name={{ pl: 'Seria i\u00a0numer', en: 'Series and number' }}>
              <CoveredValue value={document.number} what={t({ pl: 'numer dokumentu', en: 'document number' })} />
            </Row>
            <Row name={{ pl: 'Data ważności', en: 'Expiry date' }}>
              {document.validTo ? day(document.validTo) : t({ pl: 'bezterminowo', en: 'no expiry' })}
            </Row>
            <Row name={{ pl: 'Organ wydający', en: 'Issuing authority' }}>{document.issuedBy}</Row>
          </>
        ) : (
          <Row name={{ pl: 'Dokument', en: 'Document' }}>{t({ pl: 'nie znamy', en: 'not known' })}</Row>
        )}
      </Group>
      <Group title={{ pl: 'Kontakt', en: 'Contact' }}>
        <Row name={{ pl: 'E-mail', en: 'E-mail' }}>{person.email}</Row>
        <Row name={{ pl: 'Numer telefonu', en: 'Phone number' }}>
          <CoveredValue
            value={person.phone}
            what={t({ pl: 'numer telefonu', en: 'phone number' })}
            covered={<MaskedPhone number={person.maskedPhone} />}
          />
        </Row>
      </Group>
      {parameters.certificateType === 'company' && (
        <Group title={{ pl: 'Firma', en: 'Company' }}>
          <Row name={{ pl: 'Nazwa firmy', en: 'Company name' }}>{parameters.company}</Row>
          {parameters.unit && (
            <Row name={{ pl: 'Jednostka organizacyjna', en: 'Organisational unit' }}>{parameters.unit}</Row>
          )}
          {parameters.position && <Row name={{ pl: 'Stanowisko', en: 'Position' }}>{parameters.position}</Row>}
        </Group>
      )}
      {onEditDocument && (
        <p className="small soft blk">
          {t({
            pl: 'Dokument tożsamości poprawisz tutaj, numer telefonu w\u00a0Moich danych. Inne dane zmieniamy telefonicznie: ',
            en: 'You can correct the identity document here, and the phone number in My data. Other data are changed by phone: ',
          })}
          <SupportLine />
        </p>
      )}
    </>
  )
}

function Group({ title, action, children }: { title: Text; action?: ReactNode; children: ReactNode }) {
  const t = useText()
  return (
    <section className="card blk datagroup">
      <div className="datagroup__head">
        <h2 className="h-s">{t(title)}</h2>
        {action}
      </div>
      <dl className="rows">{children}</dl>
    </section>
  )
}

function Row({ name, children }: { name: Text; children: ReactNode }) {
  const t = useText()
  return (
    <div>
      <dt>{t(name)}</dt>
      <dd>{children}</dd>
    </div>
  )
}
