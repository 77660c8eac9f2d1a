import { documentText } from '../../contract/document-text.ts'
import { limits } from '../../contract/limits.ts'
import type { MyData } from '../../contract/personal-data.ts'
import { useText } from '../app/locale.tsx'
import { SupportLine } from '../app/support-line.tsx'
import { DateText } from '../text/date-text.tsx'
import { capitalise, daysLeft, formatDaysLeft } from '../text/format.ts'
import { identifierText, identifierName, countryIn } from '../text/identifier-text.ts'
import { Badge } from '../ui/badge.tsx'
import { CallButton } from '../ui/call-button.tsx'
import { DescriptionList, Row, VerbatimRow } from '../ui/description-list.tsx'
import { HiddenNumber } from '../ui/hidden-number.tsx'
import { Notice } from '../ui/notice.tsx'
import { SectionCard } from '../ui/section-card.tsx'

type Props = { data: MyData }

export function PersonCard({ data }: Props) {
  const t = useText()
  const { firstName, secondName, surname, identification: known } = data
  const identifier = known && { type: known.identifierType, country: known.issuingCountry }
  return (
    <SectionCard id="person-title" title={t({ pl: 'Dane osobowe', en: 'Personal details' })}>
      <DescriptionList>
        <VerbatimRow name={t({ pl: 'Imię', en: 'First name' })}>{firstName}</VerbatimRow>
        {secondName && <VerbatimRow name={t({ pl: 'Drugie imię', en: 'Second name' })}>{secondName}</VerbatimRow>}
        <VerbatimRow name={t({ pl: 'Nazwisko', en: 'Surname' })}>{surname}</VerbatimRow>
        {known && identifier && (
          <>
            <Row name={t({ pl: 'Data urodzenia', en: 'Date of birth' })}>
              <DateText at={known.birthDate} />
            </Row>
            <VerbatimRow name={t({ pl: 'Miejsce urodzenia', en: 'Place of birth' })}>{known.birthPlace}</VerbatimRow>
            <Row name={t({ pl: 'Obywatelstwo', en: 'Nationality' })}>{countryIn(t.locale, known.nationality)}</Row>
            <Row name={identifierName(t.locale, identifier)}>
              <HiddenNumber what={t(identifierText(identifier))} value={known.identificationNumber} />
            </Row>
          </>
        )}
      </DescriptionList>
      <p className="small muted">
        {t({ pl: 'Coś się nie zgadza albo zmieniło? Zadzwoń: ', en: 'Anything wrong or out of date? Call ' })}
        <SupportLine />
      </p>
    </SectionCard>
  )
}

export function DocumentCard({ data: { identification, now: answeredAt } }: Props) {
  const t = useText()
  const now = Date.parse(answeredAt)
  const title = t({ pl: 'Dokument tożsamości', en: 'Identity document' })
  if (!identification)
    return (
      <SectionCard id="document-title" title={title}>
        <p>
          <strong>{t({ pl: 'Brak danych', en: 'No data' })}</strong>
        </p>
        <p className="small muted">
          {t({
            pl: 'Dane z\u00a0dokumentu pojawią się tu, gdy zamówisz podpis i\u00a0potwierdzimy Twoją tożsamość.',
            en: 'Your document details will appear here once you order a signature and we confirm your identity.',
          })}
        </p>
      </SectionCard>
    )
  const { type, number, validTo, issuedBy } = identification.document
  const kind = t(documentText[type])
  return (
    <SectionCard id="document-title" title={title}>
      <DescriptionList>
        <Row name={t({ pl: 'Rodzaj', en: 'Type' })}>{capitalise(kind)}</Row>
        <Row name={t({ pl: 'Seria i\u00a0numer', en: 'Number' })}>
          <HiddenNumber
            what={t({ pl: `${kind}, dokument tożsamości`, en: `${kind}, identity document` })}
            value={number}
          />
        </Row>
        <Row name={t({ pl: 'Ważny do', en: 'Valid until' })}>
          {validTo ? <Validity validTo={validTo} now={now} /> : t({ pl: 'Bezterminowo', en: 'No expiry' })}
        </Row>
        <VerbatimRow name={t({ pl: 'Wydany przez', en: 'Issued by' })}>{issuedBy}</VerbatimRow>
      </DescriptionList>
      {validTo && daysLeft(validTo, now) <= limits.badge.amberDays && (
        <Notice kind="warning">
          <p>
            {t({
              pl: 'Certyfikat nie może być ważny dłużej niż dokument, chyba że jest wydany na PESEL. Gdy masz nowy dokument, zadzwoń do nas.',
              en: 'A certificate can’t be valid for longer than the document, unless it’s issued for a PESEL number. When you have a new document, call us.',
            })}
          </p>
          <CallButton />
        </Notice>
      )}
    </SectionCard>
  )
}

function Validity({ validTo, now }: { validTo: string; now: number }) {
  const t = useText()
  const left = daysLeft(validTo, now)
  const when = formatDaysLeft(t.locale, left)
  return (
    <>
      <DateText at={validTo} />
      {left <= limits.badge.amberDays && (
        <>
          {' '}
          <Badge kind={left < 0 ? 'error' : 'warning'} icon={left < 0 ? 'alert' : 'hourglass'}>
            {left < 0 ? t({ pl: 'Wygasł', en: 'Expired' }) : t({ pl: `Wygasa ${when}`, en: `Expires ${when}` })}
          </Badge>
        </>
      )}
    </>
  )
}
