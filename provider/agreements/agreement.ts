import { commonName } from '../../contract/rules/renewal-rules.ts'
import { openPaper, type Text } from '../../paper/paper.ts'
import { organisation } from '../authority/certificate-profiles.ts'
import { policyOf, type OrganisationSubject, type PersonSubject } from '../authority/subscriber.ts'
import type { Product } from './agreement-clauses.ts'
import {
  agreementText,
  identifierText,
  keyText,
  labelText,
  sectionText,
  signatureClauses,
  titleText,
  valueText,
  sealClauses,
  sealText,
} from './agreement-text.ts'

export type AgreementTerms = {
  language: 'pl' | 'en'
  /** The provider's number of the agreement. */
  number: string
  concludedAt: Date
  product: Product
  /** A person's signature, or an organisation's seal. */
  subject: PersonSubject | OrganisationSubject
  /** The start of the validity; null for the time of issue. */
  notBefore: Date | null
  notAfter: Date
  email: string
  phone: string
}

/** Makes the agreement on a signature or a seal as PDF; equal terms give equal bytes. Seal it with sealPdf before sending it. */
export async function makeAgreement(terms: AgreementTerms) {
  const { language, number, concludedAt, product, subject } = terms
  const title = subject.kind === 'person' ? titleText[product] : sealText.title
  const clauses = subject.kind === 'person' ? signatureClauses(product) : sealClauses(product)
  const translate = (text: Text) => text[language]
  const reference = `${translate(agreementText.number)} ${number}`
  const paper = await openPaper({
    language,
    title: `${translate(title)} ${number}`,
    author: organisation.name,
    head: [organisation.name, translate(agreementText.mark)],
    foot: reference,
    createdAt: concludedAt,
  })
  paper.title(translate(title), `${reference}, ${translate(agreementText.concluded)} ${day(language, concludedAt)}`)
  paper.notice(translate(agreementText.notice))
  paper.section(translate(sectionText.parties))
  paper.table(partyRows(terms))
  paper.section(translate(sectionText.certificate))
  paper.table(certificateRows(terms))
  paper.section(translate(sectionText.terms))
  paper.paragraph(translate(agreementText.you))
  for (const [index, { heading, paragraphs }] of clauses.entries())
    paper.clause(index + 1, translate(heading), paragraphs.map(translate))
  paper.section(translate(sectionText.conclusion))
  paper.table([
    [translate(labelText.provider), `${organisation.name} – ${translate(valueText.providerSigns)}`],
    [translate(labelText.customer), `${partyName(subject)} – ${translate(valueText.customerSigns)}`],
  ])
  return paper.finish()
}

function partyRows({ language, subject, email, phone }: AgreementTerms): [string, string][] {
  const { name, identifier, unit, position } = organisationOf(subject)
  const rows: [Text, string | undefined][] = [
    [labelText.provider, `${organisation.name}, ${organisation.identifier}, ${valueText.providerAddress[language]}`],
    [labelText.customer, partyName(subject)],
    [
      labelText.identifier,
      subject.kind === 'person' ? identifierDescription(subject.serialNumber, language) : undefined,
    ],
    [labelText.company, name],
    [labelText.companyIdentifier, identifier],
    [labelText.unit, unit],
    [labelText.position, position],
    [labelText.email, email],
    [labelText.phone, phone.replace(/^(\+48)(\d{3})(\d{3})(\d{3})$/, '$1\u00a0$2\u00a0$3\u00a0$4')],
  ]
  return rows.flatMap(([label, value]) => (value === undefined ? [] : [[label[language], value]]))
}

function certificateRows(terms: AgreementTerms): [string, string][] {
  const { language, subject, product, notBefore, notAfter } = terms
  const device = product !== 'file'
  const person = subject.kind === 'person'
  const policy = `QCP-${person ? 'n' : 'l'}`
  return [
    [labelText.kind[language], (person ? valueText.kind : sealText.kind)[language]],
    [labelText.name[language], certifiedName(subject)],
    [labelText.key[language], (person ? keyText[product] : sealText.key[product])[language]],
    ...psd2Rows(terms),
    [labelText.from[language], notBefore ? moment(language, notBefore) : valueText.onIssue[language]],
    [labelText.to[language], moment(language, notAfter)],
    [labelText.policy[language], `${device ? `${policy}-qscd` : policy} (${policyOf({ subject, device })})`],
  ]
}

function psd2Rows({ language, subject }: AgreementTerms): [string, string][] {
  if (subject.kind === 'person' || !subject.psd2) return []
  const { roles, authority } = subject.psd2
  return [[sealText.psd2[language], `${roles.join(', ')} (${authority.name}, ${authority.id})`]]
}

const certifiedName = (subject: AgreementTerms['subject']) =>
  subject.kind === 'person' ? commonName(subject) : subject.commonName

const partyName = (subject: AgreementTerms['subject']) =>
  subject.kind === 'person' ? commonName(subject) : subject.name

/** Returns a person's organisation, or only the identifier of the seal's organisation, which is the party itself. */
const organisationOf = (
  subject: AgreementTerms['subject'],
): { name?: string; identifier?: string; unit?: string; position?: string } =>
  subject.kind === 'person' ? (subject.organisation ?? {}) : { identifier: subject.identifier }

function identifierDescription(serialNumber: string, language: 'pl' | 'en') {
  const kind = /^([A-Z]{3})[A-Z]{2}-/.exec(serialNumber)?.[1] ?? ''
  return `${serialNumber} (${(identifierText[kind] ?? valueText.owner)[language]})`
}

const locales = { pl: 'pl-PL', en: 'en-GB' } as const
const timeZone = 'Europe/Warsaw'

function day(language: 'pl' | 'en', at: Date) {
  return new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone })
    .format(at)
    .replaceAll(' ', '\u00a0')
}

const moment = (language: 'pl' | 'en', at: Date) =>
  `${day(language, at)}, ${new Intl.DateTimeFormat(locales[language], { timeStyle: 'short', timeZone }).format(at)}`
