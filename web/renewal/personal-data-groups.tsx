import type { ReactNode } from 'react'
import { documentText } from '../../contract/document-text.ts'
import type { Text } from '../../contract/enums.ts'
import { type Renewal, returnToPersonalData } from '../../contract/renewal.ts'
import { newIdentifier } from '../../contract/rules/renewal-rules.ts'
import { useText } from '../app/locale.tsx'
import { SupportLine } from '../app/support-line.tsx'
import { call } from '../calls/api.ts'
import { groupedPhone } from '../phone/masked-phone.tsx'
import { DateText } from '../text/date-text.tsx'
import { identifierText, identifierName, countryIn } from '../text/identifier-text.ts'
import { Button } from '../ui/button.tsx'
import { DescriptionList, Row, VerbatimRow } from '../ui/description-list.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { HiddenNumber } from '../ui/hidden-number.tsx'
import { Notice } from '../ui/notice.tsx'
import { useMoveAction } from './renewal-move.ts'
import './renewal.css'
import { StepButtons, StepHeading } from './step-buttons.tsx'

/**
 * Shows the data of the certificate's holder in groups. Unknown data are left out; without `onEditDocument` they are
 * read-only.
 */
export function PersonalDataGroups({ renewal, onEditDocument }: { renewal: Renewal; onEditDocument?: () => void }) {
  const t = useText()
  const { person, parameters, identityCheck, certificate } = renewal
  const identifier = newIdentifier(parameters.identifier, certificate.identifier, person)
  const onEdit = identityCheck?.state === 'asked' ? undefined : onEditDocument
  return (
    <>
      <div className="data-groups">
        <PersonGroup person={person} identifier={identifier?.value} />
        <DocumentGroup document={person.document} onEdit={onEdit} />
        <Group title={{ pl: 'Kontakt', en: 'Contact' }}>
          <VerbatimRow name={t({ pl: 'E-mail', en: 'E-mail' })}>{person.email}</VerbatimRow>
          <Row name={t({ pl: 'Telefon', en: 'Phone' })}>
            <HiddenNumber
              value={groupedPhone(person.phone, person.maskedPhone)}
              what={t({ pl: 'telefon', en: 'phone' })}
              masked={person.maskedPhone}
            />
          </Row>
        </Group>
        {identifier && (
          <Group title={{ pl: 'W\u00a0nowym certyfikacie', en: 'In the new certificate' }}>
            <VerbatimRow name={t({ pl: 'Imię i\u00a0nazwisko', en: 'Name' })}>{person.commonName}</VerbatimRow>
            <Row name={identifierName(t.locale, identifier)}>
              <HiddenNumber value={identifier.value} what={t(identifierText(identifier))} />
            </Row>
          </Group>
        )}
        {parameters.certificateType === 'company' && (
          <Group title={{ pl: 'Firma', en: 'Company' }}>
            <VerbatimRow name={t({ pl: 'Nazwa firmy', en: 'Company name' })}>{parameters.company}</VerbatimRow>
            {parameters.unit && (
              <VerbatimRow name={t({ pl: 'Jednostka organizacyjna', en: 'Organisational unit' })}>
                {parameters.unit}
              </VerbatimRow>
            )}
            {parameters.position && <Row name={t({ pl: 'Stanowisko', en: 'Position' })}>{parameters.position}</Row>}
          </Group>
        )}
      </div>
      {onEdit && (
        <p className="small soft block">
          {t({
            pl: 'Dane dokumentu zaktualizujesz tutaj, a\u00a0numer telefonu w\u00a0Moich danych. Aby zmienić inne dane, zadzwoń: ',
            en: 'You can update your document details here, and your phone number in My data. To change anything else, call us: ',
          })}
          <SupportLine />
        </p>
      )}
    </>
  )
}

type Person = Renewal['person']

/** Shows the person's data, without the personal number where it is the identifier, which has its own group. */
function PersonGroup({ person, identifier }: { person: Person; identifier: string | undefined }) {
  const t = useText()
  return (
    <Group title={{ pl: 'Dane osobowe', en: 'Personal details' }}>
      <VerbatimRow name={t({ pl: 'Imię', en: 'First name' })}>{person.firstName}</VerbatimRow>
      {person.secondName && (
        <VerbatimRow name={t({ pl: 'Drugie imię', en: 'Second name' })}>{person.secondName}</VerbatimRow>
      )}
      <VerbatimRow name={t({ pl: 'Nazwisko', en: 'Surname' })}>{person.surname}</VerbatimRow>
      {person.pesel && person.pesel !== identifier && (
        <Row name={identifierName(t.locale, { type: 'PNO', country: 'PL' })}>
          <HiddenNumber value={person.pesel} what="PESEL" />
        </Row>
      )}
      {person.birthDate && (
        <Row name={t({ pl: 'Data urodzenia', en: 'Date of birth' })}>
          <DateText at={person.birthDate} />
        </Row>
      )}
      {person.birthPlace && (
        <VerbatimRow name={t({ pl: 'Miejsce urodzenia', en: 'Place of birth' })}>{person.birthPlace}</VerbatimRow>
      )}
      {person.nationality && (
        <Row name={t({ pl: 'Obywatelstwo', en: 'Nationality' })}>
          {countryIn(t.locale, person.nationality) || person.nationality}
        </Row>
      )}
    </Group>
  )
}

function DocumentGroup({ document, onEdit }: Pick<Person, 'document'> & { onEdit: (() => void) | undefined }) {
  const t = useText()
  return (
    <Group
      title={{ pl: 'Dokument tożsamości', en: 'Identity document' }}
      action={
        onEdit && (
          <Button variant="quiet" size="s" icon="edit" aria-haspopup="dialog" onClick={onEdit}>
            {t({ pl: 'Zaktualizuj', en: 'Update' })}
            <span className="unseen">{t({ pl: ' dane dokumentu', en: ' document details' })}</span>
          </Button>
        )
      }
    >
      {document ? (
        <>
          <Row name={t({ pl: 'Rodzaj', en: 'Type' })}>
            <span className="data-group__kind">{t(documentText[document.type])}</span>
          </Row>
          <Row name={t({ pl: 'Seria i\u00a0numer', en: 'Number' })}>
            <HiddenNumber value={document.number} what={t(documentText[document.type])} />
          </Row>
          <Row name={t({ pl: 'Ważny do', en: 'Valid until' })}>
            {document.validTo ? <DateText at={document.validTo} /> : t({ pl: 'Bezterminowo', en: 'No expiry' })}
          </Row>
          <VerbatimRow name={t({ pl: 'Wydany przez', en: 'Issued by' })}>{document.issuedBy}</VerbatimRow>
        </>
      ) : (
        <Row name={t({ pl: 'Dokument', en: 'Document' })}>{t({ pl: 'brak danych', en: 'not known' })}</Row>
      )}
    </Group>
  )
}

function Group({ title, action, children }: { title: Text; action?: ReactNode; children: ReactNode }) {
  const t = useText()
  return (
    <section className="card block data-group">
      <div className="data-group__head">
        <h2 className="small-heading">{t(title)}</h2>
        {action}
      </div>
      <DescriptionList>{children}</DescriptionList>
    </section>
  )
}

type Props = { renewal: Renewal; onChanged: (renewal: Renewal) => void; onBack: () => void; onForward: () => void }

/** Shows the confirmed data after going back from signing. Changing the data discards the agreement, looking at them does not. */
export function PersonalDataReview({ renewal, onChanged, onBack, onForward }: Props) {
  const t = useText()
  const { uid, state, version } = renewal

  const { run, isBusy, failureText } = useMoveAction(
    () => call(returnToPersonalData, { params: { uid }, body: { expected: { state, version } } }),
    onChanged,
  )

  return (
    <div className="wizard wizard--wide">
      <div>
        <StepHeading
          step={2}
          title={{ pl: 'Dane osobowe są już potwierdzone', en: 'You’ve already confirmed your personal details' }}
        />
        <Notice className="block">
          {t({
            pl: 'Jeśli je zmienisz, przygotujemy nową umowę, a\u00a0wysłany kod SMS przestanie działać.',
            en: 'If you change them, we’ll prepare a new agreement, and any code we’ve already sent will stop working.',
          })}
        </Notice>
        <PersonalDataGroups renewal={renewal} />
        <FailureNotice text={failureText} className="block" />
        <p className="buttons block">
          <Button isBusy={isBusy} onClick={run}>
            {t({ pl: 'Zmień dane osobowe', en: 'Change personal details' })}
          </Button>
        </p>
      </div>
      <StepButtons onBack={onBack}>
        <Button variant="primary" onClick={onForward}>
          {t({ pl: 'Dalej: podpisanie umowy', en: 'Next: sign the agreement' })}
        </Button>
      </StepButtons>
    </div>
  )
}
