import {
  agreementClauses,
  agreementText,
  identifierText,
  keyText,
  labelText,
  sectionText,
  titleText,
  valueText,
  type Text,
} from './agreement-text.ts'
import { organisation } from './certificate-profiles.ts'
import { PaperDocument } from './paper-document.ts'
import { policyOf, type PersonSubject } from './subscriber.ts'

export type AgreementTerms = {
  language: 'pl' | 'en'
  /** The provider's number of the agreement. */
  number: string
  concludedAt: Date
  /** Where the signing key lies. */
  product: 'app' | 'card' | 'file'
  subject: PersonSubject
  notBefore: Date
  notAfter: Date
  email: string
  phone: string
}

/** The agreement on a signature as PDF; equal terms give equal bytes. Seal it with sealPdf before it leaves the house. */
export function makeAgreement(terms: AgreementTerms) {
  const { language, number, concludedAt, product } = terms
  const say = (text: Text) => text[language]
  const reference = `${say(agreementText.number)} ${number}`
  const paper = new PaperDocument({
    language,
    title: `${say(titleText[product])} ${number}`,
    author: organisation.name,
    head: [organisation.name, say(agreementText.mark)],
    foot: reference,
    createdAt: concludedAt,
  })
  paper.title(say(titleText[product]), `${reference}, ${say(agreementText.concluded)} ${day(language, concludedAt)}`)
  paper.notice(say(agreementText.notice))
  paper.section(say(sectionText.parties))
  paper.table(partyRows(terms))
  paper.section(say(sectionText.certificate))
  paper.table(certificateRows(terms))
  paper.section(say(sectionText.terms))
  paper.paragraph(say(agreementText.you))
  for (const [index, { heading, paragraphs }] of agreementClauses(terms).entries())
    paper.clause(index + 1, say(heading), paragraphs.map(say))
  paper.section(say(sectionText.conclusion))
  paper.table([
    [say(labelText.provider), `${organisation.name} – ${say(valueText.providerSigns)}`],
    [say(labelText.customer), `${commonName(terms.subject)} – ${say(valueText.customerSigns)}`],
  ])
  return paper.finish()
}

function partyRows({ language, subject, email, phone }: AgreementTerms): [string, string][] {
  const { name, identifier, unit, position } = subject.organisation ?? {}
  const rows: [Text, string | undefined][] = [
    [labelText.provider, `${organisation.name}, ${organisation.identifier}, ${valueText.providerAddress[language]}`],
    [labelText.customer, commonName(subject)],
    [labelText.identifier, identifierWords(subject.serialNumber, language)],
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
  return [
    [labelText.kind[language], valueText.kind[language]],
    [labelText.name[language], commonName(subject)],
    [labelText.key[language], keyText[product][language]],
    [labelText.from[language], moment(language, notBefore)],
    [labelText.to[language], moment(language, notAfter)],
    [labelText.policy[language], `${device ? 'QCP-n-qscd' : 'QCP-n'} (${policyOf({ subject, device })})`],
  ]
}

function commonName({ givenName, surname }: PersonSubject) {
  return `${givenName} ${surname}`
}

function identifierWords(serialNumber: string, language: 'pl' | 'en') {
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

function moment(language: 'pl' | 'en', at: Date) {
  return `${day(language, at)}, ${new Intl.DateTimeFormat(locales[language], { timeStyle: 'short', timeZone }).format(at)}`
}
