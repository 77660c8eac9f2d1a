import { clause, type Clause, type Text } from '../../paper/clauses.ts'
import * as clauses from './agreement-clauses.ts'

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
