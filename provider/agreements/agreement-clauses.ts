import { clause, type Clause, type Text } from '../../paper/paper.ts'

/** Product, named after where its signing key is stored. */
export type Product = 'app' | 'card' | 'file'

export const legalBasis: Text = {
  pl: 'Działamy według rozporządzenia (UE) nr\u00a0910/2014 (eIDAS), ustawy z\u00a0dnia 5 września 2016\u00a0r. o\u00a0usługach zaufania oraz identyfikacji elektronicznej i\u00a0naszej polityki certyfikacji.',
  en: 'We act under Regulation (EU) No 910/2014 (eIDAS), the Polish Act of 5 September 2016 on trust services and electronic identification, and our certificate policy.',
}

export const duration: Text = {
  pl: 'Umowa trwa do końca ważności certyfikatu. Możesz ją wypowiedzieć w\u00a0każdej chwili; wtedy unieważniamy certyfikat.',
  en: 'The agreement lasts until the certificate expires. You can end it at any time; we then revoke the certificate.',
}

const onCard: Text = {
  pl: 'Na karcie lub tokenie, które są urządzeniem kwalifikowanym',
  en: 'On a card or token that is a qualified device',
}
const inFile: Text = {
  pl: 'W\u00a0pliku, poza urządzeniem kwalifikowanym',
  en: 'In a file, outside of a qualified device',
}

/** Returns where the key is stored: on a card, in a file, or in the app as described. */
export const keyLocations = (app: Text): Record<Product, Text> => ({ app, card: onCard, file: inFile })

/** Clauses of all agreements: on the use of the certificate … */
export const usageClauses: Clause[] = [
  clause(
    { pl: 'Zawieszenie i\u00a0unieważnienie', en: 'Suspension and revocation' },
    {
      pl: 'Zgłoszenie przyjmujemy o\u00a0każdej porze. Status certyfikatu zmieniamy najpóźniej w\u00a0ciągu 24\u00a0godzin od zgłoszenia.',
      en: 'We take your request at any time, and change the status of the certificate no later than 24 hours after receiving it.',
    },
    {
      pl: 'Zawieszenie możesz cofnąć. Unieważnienie jest ostateczne, a\u00a0po zawieszeniu liczy się od jego początku.',
      en: 'A suspension can be lifted. A revocation is final, and after a suspension it counts from when that began.',
    },
    {
      pl: 'Sami unieważniamy certyfikat, gdy dane w\u00a0nim są nieprawdziwe, klucz został ujawniony albo wymaga tego prawo. Powód podajemy w\u00a0wiadomości do Ciebie.',
      en: 'We revoke the certificate ourselves when its data is untrue, the key has been disclosed, or the law requires it. We tell you the reason by e-mail.',
    },
  ),
  clause(
    { pl: 'Odpowiedzialność', en: 'Liability' },
    {
      pl: 'Odpowiadamy za szkodę, którą wyrządzimy umyślnie lub przez zaniedbanie, nie wypełniając obowiązków z\u00a0rozporządzenia eIDAS (art.\u00a013).',
      en: 'We are liable for damage caused intentionally or negligently by our failure to comply with the eIDAS Regulation (Article 13).',
    },
    {
      pl: 'Nie odpowiadamy za użycie certyfikatu po końcu ważności, po unieważnieniu lub w\u00a0czasie zawieszenia.',
      en: 'We are not liable for use of the certificate after its expiry or revocation, or while it is suspended.',
    },
  ),
  clause(
    { pl: 'Dane osobowe', en: 'Personal data' },
    {
      pl: 'Administratorem Twoich danych jest dostawca. Przetwarzamy je, aby wykonać umowę i\u00a0obowiązki wynikające z\u00a0prawa.',
      en: 'The provider is the controller of your data. We process it to perform this agreement and our legal duties.',
    },
    {
      pl: 'Umowę i\u00a0dane o\u00a0certyfikacie przechowujemy przez 20\u00a0lat, bo tego wymaga ustawa o\u00a0usługach zaufania.',
      en: 'We keep the agreement and the records of the certificate for 20 years, because the Polish Act on trust services requires it.',
    },
    {
      pl: 'Możesz poprosić o\u00a0dostęp do danych, ich poprawienie, usunięcie lub ograniczenie, i\u00a0złożyć skargę do Prezesa Urzędu Ochrony Danych Osobowych.',
      en: 'You can ask for access to your data, and for its correction, erasure or restriction, and complain to the President of the Personal Data Protection Office.',
    },
  ),
]

/** … and closing clauses. */
export const closingClauses: Clause[] = [
  clause(
    { pl: 'Reklamacje i\u00a0spory', en: 'Complaints and disputes' },
    {
      pl: 'Reklamację złożysz w\u00a0portalu lub e-mailem. Odpowiadamy w\u00a0ciągu 14\u00a0dni.',
      en: 'You can complain in the portal or by e-mail. We answer within 14 days.',
    },
    {
      pl: 'Umowa podlega prawu polskiemu. Spory rozstrzyga sąd właściwy według przepisów, a\u00a0konsument może skorzystać z\u00a0pozasądowych sposobów ich rozwiązywania.',
      en: 'Polish law governs this agreement. Disputes are decided by the court competent under the law; consumers may also use out-of-court procedures.',
    },
  ),
  clause(
    { pl: 'Zawarcie umowy', en: 'Conclusion of the agreement' },
    {
      pl: 'Umowę zawierasz kodem SMS, który jest związany ze skrótem tego dokumentu (SHA-256). Początek skrótu widzisz w\u00a0wiadomości i\u00a0na stronie.',
      en: 'You conclude the agreement with a text-message code bound to the digest of this document (SHA-256). You see the first digits of the digest in the message and on the page.',
    },
    {
      pl: 'Plik opatrujemy pieczęcią elektroniczną, która chroni go przed zmianą. Pobierzesz go w\u00a0portalu w\u00a0każdej chwili.',
      en: 'We put our electronic seal on the file, which protects it against changes. You can download it in the portal at any time.',
    },
  ),
]
