import { agreementName } from '../../contract/product-text.ts'
import { clause, type Clause, type Text } from '../../paper/paper.ts'
import { closingClauses, duration, keyLocations, legalBasis, usageClauses, type Product } from './agreement-clauses.ts'
import * as clauses from './agreement-clauses.ts'

export const agreementText = {
  number: { pl: 'Umowa nr', en: 'Agreement No' },
  concluded: { pl: 'zawarta', en: 'concluded on' },
  mark: { pl: 'TEST · bez skutków prawnych', en: 'TEST · no legal effect' },
  notice: {
    pl: 'TEST. To przykładowy dokument z\u00a0systemu demonstracyjnego. Strony, dane i\u00a0certyfikat są zmyślone, a\u00a0umowa nie wywołuje skutków prawnych.',
    en: 'TEST. This is a sample document from a demonstration system. The parties, the data and the certificate are made up, and the agreement has no legal effect.',
  },
  you: {
    pl: 'W\u00a0tej umowie „my” to dostawca, a\u00a0„Ty” to klient z\u00a0tabeli „Strony”.',
    en: 'In this agreement “we” means the provider and “you” means the customer in the table “Parties”.',
  },
} as const satisfies Record<string, Text>

/** Titles of agreements. Without a qualified device the certificate is qualified, but not the signature (eIDAS art. 3 point 12). */
export const titleText: Record<Product, Text> = {
  app: agreementName,
  card: agreementName,
  file: {
    pl: 'Umowa o\u00a0kwalifikowany certyfikat podpisu elektronicznego',
    en: 'Qualified electronic signature certificate agreement',
  },
}

export const sectionText = {
  parties: { pl: 'Strony', en: 'Parties' },
  certificate: { pl: 'Certyfikat', en: 'Certificate' },
  terms: { pl: 'Warunki', en: 'Terms' },
  conclusion: { pl: 'Podpisy', en: 'Signatures' },
} as const satisfies Record<string, Text>

export const labelText = {
  provider: { pl: 'Dostawca', en: 'Provider' },
  customer: { pl: 'Klient', en: 'Customer' },
  identifier: { pl: 'Identyfikator', en: 'Identifier' },
  company: { pl: 'Firma', en: 'Company' },
  companyIdentifier: { pl: 'Identyfikator firmy', en: 'Company identifier' },
  unit: { pl: 'Jednostka organizacyjna', en: 'Organisational unit' },
  position: { pl: 'Stanowisko', en: 'Position' },
  email: { pl: 'E-mail', en: 'E-mail' },
  phone: { pl: 'Telefon', en: 'Phone' },
  kind: { pl: 'Rodzaj', en: 'Type' },
  name: { pl: 'Nazwa w\u00a0certyfikacie', en: 'Name in the certificate' },
  key: { pl: 'Klucz podpisu', en: 'Signing key' },
  from: { pl: 'Ważny od', en: 'Valid from' },
  to: { pl: 'Ważny do', en: 'Valid to' },
  policy: { pl: 'Polityka certyfikacji', en: 'Certificate policy' },
} as const satisfies Record<string, Text>

export const valueText = {
  onIssue: { pl: 'chwili wydania', en: 'the moment of its issue' },
  providerAddress: { pl: 'ul. Przykładowa 1, 00-001 Warszawa', en: 'ul. Przykładowa 1, 00-001 Warsaw, Poland' },
  kind: {
    pl: 'Kwalifikowany certyfikat podpisu elektronicznego',
    en: 'Qualified certificate for electronic signatures',
  },
  providerSigns: {
    pl: 'pieczęć elektroniczna dostawcy w\u00a0tym pliku',
    en: 'the provider’s electronic seal in this file',
  },
  customerSigns: {
    pl: 'kod SMS związany ze skrótem tego dokumentu',
    en: 'A text-message code bound to the digest of this document',
  },
  owner: { pl: 'numer dostawcy', en: 'the provider’s number' },
} as const satisfies Record<string, Text>

/** Kinds of identifiers, by their prefix (ETSI EN 319 412-1 §5.1.3). */
export const identifierText: Record<string, Text> = {
  PNO: { pl: 'krajowy numer osoby, w\u00a0Polsce PESEL', en: 'national personal number, in Poland PESEL' },
  TIN: { pl: 'numer podatkowy', en: 'tax number' },
  PAS: { pl: 'paszport', en: 'passport' },
  IDC: { pl: 'dowód osobisty', en: 'national ID card' },
}

export const keyText = keyLocations({
  pl: 'W\u00a0chmurze, w\u00a0urządzeniu kwalifikowanym; używasz go w\u00a0aplikacji mobilnej',
  en: 'In the cloud, in a qualified device; you use it in a mobile app',
})

const keyDuty: Record<Product, Text> = {
  app: {
    pl: 'Chroń telefon, kod PIN i\u00a0kody jednorazowe. Nikomu ich nie podawaj, także naszym pracownikom: nigdy o\u00a0nie nie pytamy.',
    en: 'Protect your phone, your PIN and your one-time codes. Give them to nobody, including our staff: we never ask for them.',
  },
  card: {
    pl: 'Chroń kartę lub token i\u00a0kod PIN. Nikomu ich nie przekazuj, także naszym pracownikom: nigdy o\u00a0nie nie pytamy.',
    en: 'Protect your card or token and your PIN. Give them to nobody, including our staff: we never ask for them.',
  },
  file: {
    pl: 'Chroń plik z\u00a0kluczem i\u00a0jego hasło. Nikomu ich nie przekazuj, także naszym pracownikom: nigdy o\u00a0nie nie pytamy.',
    en: 'Protect the file with your key and its password. Give them to nobody, including our staff: we never ask for them.',
  },
}

const qualified: Text = {
  pl: 'Twój podpis jest kwalifikowany: ma skutek prawny równoważny podpisowi własnoręcznemu (art.\u00a025 ust.\u00a02 rozporządzenia eIDAS).',
  en: 'Your signature is qualified: it has the equivalent legal effect of a handwritten signature (Article 25(2) of the eIDAS Regulation).',
}
const advanced: Text = {
  pl: 'Twój podpis jest zaawansowany i\u00a0ma kwalifikowany certyfikat. Bez urządzenia kwalifikowanego nie zastępuje podpisu własnoręcznego.',
  en: 'Your signature is advanced and has a qualified certificate. Without a qualified device it does not replace a handwritten one.',
}

export function signatureClauses(product: Product): Clause[] {
  return [
    clause(
      { pl: 'Przedmiot umowy', en: 'What this agreement is about' },
      {
        pl: 'Wydajemy Ci certyfikat opisany w\u00a0tabeli i\u00a0prowadzimy informację o\u00a0jego statusie, także po końcu jego ważności.',
        en: 'We issue the certificate described in the table to you and keep information on its status, also after it has expired.',
      },
      product === 'file' ? advanced : qualified,
      legalBasis,
    ),
    clause(
      { pl: 'Wydanie i\u00a0odnowienie', en: 'Issuing and renewal' },
      {
        pl: 'Zanim wydamy certyfikat, potwierdzamy Twoją tożsamość. Dane w\u00a0certyfikacie są zgodne z\u00a0dokumentem, który okazujesz.',
        en: 'Before we issue the certificate we verify your identity. The data in it follows the document that you present.',
      },
      {
        pl: 'Sprawdź dane z\u00a0certyfikatu, zanim złożysz pierwszy podpis. Jeśli coś się nie zgadza, nie używaj go i\u00a0napisz do nas.',
        en: 'Check the data in the certificate before you sign for the first time. If anything is wrong, do not use it and write to us.',
      },
      {
        pl: 'Certyfikat odnowisz w\u00a0portalu najwcześniej 90\u00a0dni przed końcem ważności. Wygasłego certyfikatu nie można odnowić.',
        en: 'You can renew the certificate in the portal from 90 days before it expires. An expired certificate cannot be renewed.',
      },
    ),
    clause(
      { pl: 'Co należy do Ciebie', en: 'What you need to do' },
      keyDuty[product],
      {
        pl: 'Daj nam znać od razu, gdy zmienią się dane zapisane w\u00a0certyfikacie, Twój e-mail lub numer telefonu.',
        en: 'Tell us at once when the data in the certificate, your e-mail address or your phone number changes.',
      },
      {
        pl: 'Zawieś lub unieważnij certyfikat od razu, gdy ktoś inny mógł użyć Twojego klucza albo poznać kody.',
        en: 'Suspend or revoke the certificate at once when somebody else may have used your key or learned your codes.',
      },
    ),
    ...usageClauses,
    clause({ pl: 'Czas trwania i\u00a0odstąpienie', en: 'Duration and withdrawal' }, duration, {
      pl: 'Jako konsument możesz odstąpić od umowy w\u00a0ciągu 14\u00a0dni bez podania przyczyny. Jeśli na Twoje żądanie zaczniemy usługę wcześniej, zapłacisz za jej część wykonaną do chwili odstąpienia.',
      en: 'As a consumer you can withdraw from the agreement within 14 days without giving a reason. If we began the service earlier at your request, you pay for the part performed until then.',
    }),
    ...closingClauses,
  ]
}

export const sealText = {
  title: { pl: 'Umowa o\u00a0kwalifikowaną pieczęć elektroniczną', en: 'Qualified electronic seal agreement' },
  kind: { pl: 'Kwalifikowany certyfikat pieczęci elektronicznej', en: 'Qualified certificate for electronic seals' },
  psd2: { pl: 'Role z\u00a0dyrektywy PSD2', en: 'Roles under the PSD2 directive' },
  key: clauses.keyLocations({
    pl: 'W\u00a0chmurze, w\u00a0urządzeniu kwalifikowanym; każdy użytkownik używa go w\u00a0swojej aplikacji mobilnej',
    en: 'In the cloud, in a qualified device; each user uses it in a mobile app of their own',
  }),
}

const force: Text = {
  pl: 'Kwalifikowana pieczęć korzysta z\u00a0domniemania, że dane są nienaruszone i\u00a0pochodzą od tej organizacji (art.\u00a035 ust.\u00a02 rozporządzenia eIDAS).',
  en: 'A qualified seal enjoys the presumption that the data is intact and comes from this organisation (Article 35(2) of the eIDAS Regulation).',
}

export function sealClauses(product: clauses.Product): Clause[] {
  return [
    clause(
      { pl: 'Przedmiot umowy', en: 'What this agreement is about' },
      {
        pl: 'Wydajemy Twojej organizacji certyfikat opisany w\u00a0tabeli i\u00a0prowadzimy informację o\u00a0jego statusie, także po końcu jego ważności.',
        en: 'We issue the certificate described in the table to your organisation and keep information on its status, also after it has expired.',
      },
      ...(product === 'file' ? [] : [force]),
      clauses.legalBasis,
    ),
    clause(
      { pl: 'Wydanie', en: 'Issuing' },
      {
        pl: 'Zanim wydamy certyfikat, potwierdzamy organizację w\u00a0rejestrze i\u00a0tożsamość osoby, która ją reprezentuje.',
        en: 'Before we issue the certificate we verify the organisation in its register and the identity of the person who represents it.',
      },
      {
        pl: 'Sprawdź dane z\u00a0certyfikatu, zanim opatrzysz pieczęcią pierwszy dokument. Jeśli coś się nie zgadza, nie używaj jej i\u00a0napisz do nas.',
        en: 'Check the data in the certificate before you seal the first document. If anything is wrong, do not use it and write to us.',
      },
    ),
    clause(
      { pl: 'Użytkownicy pieczęci', en: 'Users of the seal' },
      {
        pl: 'Administrator dodaje i\u00a0usuwa użytkowników w\u00a0portalu. Zawsze jest co najmniej jeden administrator.',
        en: 'An administrator adds and removes users in the portal. There is always at least one administrator.',
      },
      {
        pl: 'Każdy użytkownik ma własny login i\u00a0hasło. Administrator nie widzi, jakie dokumenty opatrują pieczęcią inni.',
        en: 'Each user has a username and password of their own. An administrator does not see which documents others seal.',
      },
      {
        pl: 'Usuń dostęp od razu, gdy ktoś przestaje działać w\u00a0imieniu organizacji albo mógł ujawnić swoje kody.',
        en: 'Remove the access at once when somebody no longer acts for the organisation or may have disclosed their codes.',
      },
    ),
    ...clauses.usageClauses,
    clause({ pl: 'Czas trwania', en: 'Duration' }, clauses.duration),
    ...clauses.closingClauses,
  ]
}
