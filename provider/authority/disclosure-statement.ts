import { openPaper, clause, type Clause, type Text } from '../../paper/paper.ts'
import { organisation } from './certificate-profiles.ts'

const title: Text = { pl: 'Informacja o\u00a0warunkach usługi', en: 'Disclosure statement' }
const subtitle: Text = {
  pl: 'PKI Disclosure Statement, wersja 1, 2 listopada 2026',
  en: 'PKI Disclosure Statement, version 1, 2 November 2026',
}
const mark: Text = { pl: 'TEST · bez skutków prawnych', en: 'TEST · no legal effect' }
const notice: Text = {
  pl: 'TEST. Ten dostawca i\u00a0jego certyfikaty służą do prób i\u00a0pokazów. Nie polegaj na nich poza systemem demonstracyjnym.',
  en: 'TEST. This provider and its certificates are for trials and demonstrations. Do not rely on them outside of a demonstration system.',
}
const publishedAt = new Date('2026-11-02T08:00:00Z')

/** The headings are those of ETSI EN 319 411-1 annex A.2. */
const clauses: Clause[] = [
  clause(
    { pl: 'Kontakt', en: 'Contact' },
    {
      pl: 'Sygnet TEST, ul.\u00a0Przykładowa 1, 00-001 Warszawa. Unieważnienie i\u00a0zawieszenie zgłosisz w\u00a0portalu o\u00a0każdej porze.',
      en: 'Sygnet TEST, ul. Przykładowa 1, 00-001 Warsaw, Poland. Suspension and revocation can be requested in the portal at any time.',
    },
  ),
  clause(
    { pl: 'Rodzaje certyfikatów i\u00a0ich użycie', en: 'Types of certificates and their use' },
    {
      pl: 'Certyfikaty podpisu dla osób (QCP-n, QCP-n-qscd) i\u00a0certyfikaty pieczęci dla organizacji (QCP-l, QCP-l-qscd). Służą tylko do podpisów i\u00a0pieczęci elektronicznych.',
      en: 'Signature certificates for persons (QCP-n, QCP-n-qscd) and seal certificates for organisations (QCP-l, QCP-l-qscd). They serve electronic signatures and seals only.',
    },
    {
      pl: 'Zanim wydamy certyfikat, sprawdzamy tożsamość osoby, a\u00a0przy pieczęci także prawo do działania w\u00a0imieniu organizacji.',
      en: 'Before issuing we verify the identity of the person and, for a seal, the right to act for the organisation.',
    },
  ),
  clause(
    { pl: 'Granice zaufania', en: 'Reliance limits' },
    {
      pl: 'W\u00a0certyfikatach nie zapisujemy limitu wartości transakcji. Zapisy o\u00a0zdarzeniach przechowujemy przez 20\u00a0lat.',
      en: 'The certificates state no limit on the value of transactions. Records of events are kept for 20 years.',
    },
  ),
  clause(
    { pl: 'Obowiązki subskrybenta', en: 'Obligations of subscribers' },
    {
      pl: 'Podaj prawdziwe dane, chroń klucz i\u00a0kody, a\u00a0gdy ktoś inny mógł ich użyć, od razu zawieś lub unieważnij certyfikat.',
      en: 'Give true data, protect your key and codes, and suspend or revoke the certificate at once when somebody else may have used them.',
    },
  ),
  clause(
    { pl: 'Sprawdzanie statusu', en: 'Checking the status' },
    {
      pl: 'Kto polega na certyfikacie, sprawdza jego ważność i\u00a0status. Adres usługi OCSP i\u00a0listy CRL są w\u00a0każdym certyfikacie; listę odświeżamy co godzinę.',
      en: 'Anyone who relies on a certificate checks its validity and status. Every certificate names our OCSP service and list (CRL); the list is renewed hourly.',
    },
  ),
  clause(
    { pl: 'Odpowiedzialność', en: 'Liability' },
    {
      pl: 'Odpowiadamy według art.\u00a013 rozporządzenia (UE) nr\u00a0910/2014, a\u00a0nie odpowiadamy za użycie certyfikatu wygasłego, zawieszonego lub unieważnionego.',
      en: 'We are liable under Article 13 of Regulation (EU) No 910/2014, but not for use of a certificate that has expired, is suspended or is revoked.',
    },
  ),
  clause(
    { pl: 'Dokumenty, dane i\u00a0zwroty', en: 'Documents, data and refunds' },
    {
      pl: 'Warunki usługi są w\u00a0umowie, którą pobierzesz w\u00a0portalu. Dane osobowe przetwarzamy, aby wykonać umowę i\u00a0obowiązki wynikające z\u00a0prawa.',
      en: 'The terms of the service are in the agreement, which you can download in the portal. Personal data is processed to perform the agreement and our legal duties.',
    },
    {
      pl: 'Konsument może odstąpić od umowy w\u00a0ciągu 14\u00a0dni; zwrot następuje w\u00a0ciągu kolejnych 14\u00a0dni.',
      en: 'A consumer can withdraw from the agreement within 14 days; the refund follows within another 14 days.',
    },
  ),
  clause(
    { pl: 'Prawo, reklamacje i\u00a0nadzór', en: 'Law, complaints and audit' },
    {
      pl: 'Stosujemy prawo polskie. Na reklamacje odpowiadamy w\u00a0ciągu 14\u00a0dni; spory rozstrzyga sąd właściwy według przepisów.',
      en: 'Polish law applies. We answer complaints within 14 days; disputes are decided by the court competent under the law.',
    },
    {
      pl: 'To dostawca na próbę: nie ma go na liście zaufania i\u00a0nie podlega audytowi.',
      en: 'This is a trial provider: it is on no trusted list and is not audited.',
    },
  ),
]

/** Makes the PKI disclosure statement that every certificate links to (ETSI EN 319 412-5 §4.3.4), as PDF. */
export async function makeDisclosureStatement(language: 'pl' | 'en') {
  const paper = await openPaper({
    language,
    title: `${organisation.name}: ${title[language]}`,
    author: organisation.name,
    head: [organisation.name, mark[language]],
    foot: title[language],
    createdAt: publishedAt,
  })
  paper.title(title[language], subtitle[language])
  paper.notice(notice[language])
  for (const [index, { heading, paragraphs }] of clauses.entries()) {
    const texts = paragraphs.map((paragraph) => paragraph[language])
    paper.clause(index + 1, heading[language], texts)
  }
  return paper.finish()
}
