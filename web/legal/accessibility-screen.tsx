import type { LegalSection } from '../../contract/legal/legal-sections.ts'
import type { Brand } from '../../contract/page-config.ts'
import { LegalPage } from './legal-page.tsx'

/**
 * Returns the sections of the accessibility statement, by Directive (EU) 2019/882 annex V and the Polish act of 26 April 2024 (Dz.U. 2024
 * poz. 731).
 */
const accessibilitySections = (brand: Brand): readonly LegalSection[] => [
  scope(brand),
  service,
  conformance,
  difficulties,
  assessment,
  contact(brand),
]

const scope = ({ company, product }: Brand): LegalSection => ({
  title: { pl: 'Czego dotyczy deklaracja', en: 'What this statement covers' },
  body: [
    {
      pl: `${company} chce, aby z\u00a0portalu ${product} mógł korzystać każdy. Deklaracja obejmuje wszystkie strony portalu w\u00a0obu językach: logowanie, certyfikaty i\u00a0umowy, dane konta oraz pomoc.`,
      en: `${company} wants everyone to be able to use the ${product} portal. This statement covers all pages of the portal in both languages: signing in, certificates and agreements, account data, and help.`,
    },
    {
      pl: 'Podstawą jest ustawa z\u00a0dnia 26 kwietnia 2024 r. o\u00a0zapewnianiu spełniania wymagań dostępności niektórych produktów i\u00a0usług przez podmioty gospodarcze (Dz.U. 2024 poz. 731), która wdraża dyrektywę (UE) 2019/882, czyli Europejski akt o\u00a0dostępności.',
      en: 'It is based on Directive (EU) 2019/882, the European Accessibility Act, and on the Polish act of 26 April 2024 that implements it (Dz.U. 2024 item 731).',
    },
  ],
})

const service: LegalSection = {
  title: { pl: 'Jak działa usługa', en: 'How the service works' },
  body: [
    {
      pl: 'W\u00a0portalu sprawdzisz ważność swoich certyfikatów, pobierzesz umowy i\u00a0oprogramowanie oraz połączysz podpis z\u00a0aplikacją mobilną. Do logowania potrzebny jest login, hasło i\u00a0kod SMS. Kod można wkleić albo wpisać; masz na to 10\u00a0minut.',
      en: 'In the portal you can check how long your certificates are valid, download agreements and software, and connect your signature to the mobile app. To sign in you need a username, a password and a text-message code. You can paste or type the code, and you have 10\u00a0minutes to do so.',
    },
  ],
}

const conformance: LegalSection = {
  title: { pl: 'Zgodność ze standardami', en: 'Conformance' },
  body: [
    {
      pl: 'Portal tworzymy zgodnie z\u00a0WCAG 2.2 na poziomie AA oraz z\u00a0normą EN 301 549. W\u00a0praktyce oznacza to między innymi, że:',
      en: 'We build the portal to WCAG 2.2 level AA and to the standard EN 301 549. In practice this means, among other things, that:',
    },
    [
      {
        pl: 'wszystko można zrobić klawiaturą, a\u00a0miejsce, w\u00a0którym jesteś, jest wyraźnie zaznaczone,',
        en: 'you can do everything with a keyboard, and it’s always clear where you are,',
      },
      {
        pl: 'czytnik ekranu odczyta nazwy pól, błędy, statusy i\u00a0zmiany na stronie,',
        en: 'a screen reader reads the names of fields, errors, statuses and changes on the page,',
      },
      {
        pl: 'każdy status ma słowo i\u00a0ikonę, nigdy sam kolor,',
        en: 'every status has a word and an icon, never colour alone,',
      },
      {
        pl: 'stronę można powiększyć do 400% i\u00a0czytać bez przewijania w\u00a0bok,',
        en: 'you can enlarge the page to 400% and read it without scrolling sideways,',
      },
      {
        pl: 'przed końcem sesji pytamy, czy chcesz ją przedłużyć,',
        en: 'before a session ends we ask whether you want to extend it,',
      },
      {
        pl: 'nie używamy zagadek obrazkowych, a\u00a0ruch na stronie znika, gdy ograniczysz go w\u00a0systemie.',
        en: 'we don’t use picture puzzles, and nothing on the page moves if you’ve reduced motion in your system.',
      },
    ],
  ],
}

const difficulties: LegalSection = {
  title: { pl: 'Co jeszcze może sprawić trudność', en: 'What may still be difficult' },
  body: [
    [
      {
        pl: 'Starsze umowy w\u00a0plikach PDF mogą nie mieć znaczników dla czytników ekranu. Na prośbę prześlemy treść w\u00a0innej formie.',
        en: 'Older PDF agreements may not be tagged for screen readers. If you ask, we’ll send the content in another form.',
      },
      {
        pl: 'Strony, do których prowadzą linki poza portal, na przykład sklep, mają własne deklaracje.',
        en: 'Pages outside the portal that we link to, such as the shop, have their own statements.',
      },
    ],
  ],
}

const assessment: LegalSection = {
  title: { pl: 'Jak oceniamy dostępność', en: 'How we check accessibility' },
  body: [
    {
      pl: 'Deklarację sporządzono na podstawie samooceny: automatycznych testów każdej strony w\u00a0obu językach oraz przejścia najważniejszych zadań samą klawiaturą, na komputerze i\u00a0telefonie.',
      en: 'This statement is based on self-assessment: automated tests of every page in both languages, and the main tasks done by keyboard alone, on a computer and on a phone.',
    },
    { pl: 'Deklarację sporządzono 21 listopada 2026 r.', en: 'This statement was made on 21 November 2026.' },
  ],
}

const contact = ({ phone, email, hours }: Brand): LegalSection => ({
  title: { pl: 'Powiedz nam, co przeszkadza', en: 'Tell us what gets in your way' },
  body: [
    {
      pl: `Napisz na ${email} albo zadzwoń: ${phone}, od poniedziałku do piątku, ${hours.from}–${hours.to}. Podaj adres strony, opisz, co się nie udało, i\u00a0powiedz, jak mamy się z\u00a0Tobą skontaktować.`,
      en: `Write to ${email} or call ${phone}, Monday to Friday, ${hours.from}–${hours.to}. Give the address of the page, and tell us what didn’t work and how to contact you.`,
    },
    {
      pl: 'Na skargę odpowiemy w\u00a0ciągu 30\u00a0dni, a\u00a0w\u00a0szczególnie złożonej sprawie w\u00a0ciągu 60\u00a0dni, o\u00a0czym damy znać. Jeśli nie odpowiemy na czas, skarga jest uznana.',
      en: 'We’ll answer a complaint within 30\u00a0days, or within 60\u00a0days if it’s especially complex; we’ll tell you if so. If we don’t answer in time, the complaint counts as accepted.',
    },
    {
      pl: 'Możesz też zawiadomić Prezesa Zarządu PFRON, który koordynuje nadzór nad dostępnością produktów i\u00a0usług. Usługi handlu elektronicznego nadzoruje minister właściwy do spraw informatyzacji.',
      en: 'You can also notify the President of the Board of PFRON, who coordinates supervision of accessible products and services in Poland. E-commerce services are supervised by the minister responsible for digital affairs.',
    },
  ],
})

export const AccessibilityScreen = () => <LegalPage page="accessibility" sections={accessibilitySections} />
