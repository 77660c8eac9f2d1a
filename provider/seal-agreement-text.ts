import { closingClauses, keepingClauses, type Clause, type Text } from './agreement-clauses.ts'
import type { AgreementTerms } from './agreement.ts'

type Product = AgreementTerms['product']

const inDevice: Text = {
  pl: 'W\u00a0chmurze, w\u00a0urządzeniu kwalifikowanym; każdy użytkownik używa go w\u00a0swojej aplikacji mobilnej',
  en: 'In the cloud, in a qualified device; each user uses it in a mobile app of their own',
}

export const sealText = {
  title: { pl: 'Umowa o\u00a0kwalifikowaną pieczęć elektroniczną', en: 'Agreement on a qualified electronic seal' },
  kind: { pl: 'Kwalifikowany certyfikat pieczęci elektronicznej', en: 'Qualified certificate for electronic seals' },
  key: {
    app: inDevice,
    card: {
      pl: 'Na karcie lub tokenie, które są urządzeniem kwalifikowanym',
      en: 'On a card or token that is a qualified device',
    },
    file: { pl: 'W\u00a0pliku, poza urządzeniem kwalifikowanym', en: 'In a file, outside of a qualified device' },
  } satisfies Record<Product, Text>,
}

const force: Text = {
  pl: 'Kwalifikowana pieczęć korzysta z\u00a0domniemania, że dane są nienaruszone i\u00a0pochodzą od tej organizacji (art.\u00a035 ust.\u00a02 rozporządzenia eIDAS).',
  en: 'A qualified seal enjoys the presumption that the data is intact and comes from this organisation (Article 35(2) of the eIDAS Regulation).',
}

export function sealClauses(product: Product): Clause[] {
  return [
    {
      heading: { pl: 'Przedmiot umowy', en: 'What this agreement is about' },
      paragraphs: [
        {
          pl: 'Wydajemy Twojej organizacji certyfikat opisany w\u00a0tabeli i\u00a0prowadzimy informację o\u00a0jego statusie, także po końcu jego ważności.',
          en: 'We issue the certificate described in the table to your organisation and keep information on its status, also after it has expired.',
        },
        ...(product === 'file' ? [] : [force]),
        {
          pl: 'Działamy według rozporządzenia (UE) nr\u00a0910/2014 (eIDAS), ustawy z\u00a0dnia 5 września 2016\u00a0r. o\u00a0usługach zaufania oraz identyfikacji elektronicznej i\u00a0naszej polityki certyfikacji.',
          en: 'We act under Regulation (EU) No 910/2014 (eIDAS), the Polish Act of 5 September 2016 on trust services and electronic identification, and our certificate policy.',
        },
      ],
    },
    {
      heading: { pl: 'Wydanie', en: 'Issuing' },
      paragraphs: [
        {
          pl: 'Zanim wydamy certyfikat, potwierdzamy organizację w\u00a0rejestrze i\u00a0tożsamość osoby, która ją reprezentuje.',
          en: 'Before we issue the certificate we verify the organisation in its register and the identity of the person who represents it.',
        },
        {
          pl: 'Sprawdź dane z\u00a0certyfikatu, zanim opatrzysz pieczęcią pierwszy dokument. Jeśli coś się nie zgadza, nie używaj jej i\u00a0napisz do nas.',
          en: 'Check the data in the certificate before you seal the first document. If anything is wrong, do not use it and write to us.',
        },
      ],
    },
    {
      heading: { pl: 'Użytkownicy pieczęci', en: 'Users of the seal' },
      paragraphs: [
        {
          pl: 'Administrator dodaje i\u00a0usuwa użytkowników w\u00a0portalu. Zawsze jest co najmniej jeden administrator.',
          en: 'An administrator adds and removes users in the portal. There is always at least one administrator.',
        },
        {
          pl: 'Każdy użytkownik ma własny login i\u00a0hasło. Administrator nie widzi, jakie dokumenty podpisują inni.',
          en: 'Each user has a login and password of their own. An administrator does not see which documents others seal.',
        },
        {
          pl: 'Usuń dostęp od razu, gdy ktoś przestaje działać w\u00a0imieniu organizacji albo mógł ujawnić swoje kody.',
          en: 'Remove the access at once when somebody no longer acts for the organisation or may have disclosed their codes.',
        },
      ],
    },
    ...keepingClauses,
    {
      heading: { pl: 'Czas trwania', en: 'Duration' },
      paragraphs: [
        {
          pl: 'Umowa trwa do końca ważności certyfikatu. Możesz ją wypowiedzieć w\u00a0każdej chwili; wtedy unieważniamy certyfikat.',
          en: 'The agreement lasts until the certificate expires. You can end it at any time; we then revoke the certificate.',
        },
      ],
    },
    ...closingClauses,
  ]
}
