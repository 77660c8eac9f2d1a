import { limits } from '../limits.ts'
import type { Brand } from '../page-config.ts'
import { pendingSignOutCookie } from '../pending-sign-out.ts'
import { endSentence } from '../rules/end-sentence.ts'
import type { LegalSection } from './legal-sections.ts'

/** The day from which this wording applies. Change it with every change of the wording. */
export const privacyVersion = '2026-11-26'

/** Returns the privacy notice, with the information of Regulation (EU) 2016/679 articles 13 and 14, in their order. */
export const privacySections = ({ company, email, phone }: Brand): readonly LegalSection[] => [
  {
    title: { pl: 'Kto odpowiada za Twoje dane', en: 'Who is responsible for your data' },
    body: [
      {
        pl: `${endSentence(`Administratorem danych jest ${company}`)} W\u00a0sprawach danych osobowych napisz na ${email} albo zadzwoń: ${phone}.`,
        en: `${endSentence(`The controller of your data is ${company}`)} For anything about personal data write to ${email} or call ${phone}.`,
      },
    ],
  },
  purposes,
  {
    title: { pl: 'Komu je przekazujemy', en: 'Who receives them' },
    body: [
      {
        pl: 'Tylko tym, którzy pomagają nam świadczyć usługę: operatorowi SMS i\u00a0poczty, firmie utrzymującej serwery oraz organom, jeśli nakazuje to prawo. Nie sprzedajemy danych i\u00a0nie przekazujemy ich poza Europejski Obszar Gospodarczy.',
        en: 'Only those who help us provide the service: the operators of text messages and mail, the company that runs the servers, and authorities where the law says so. We don’t sell data or pass it outside the European Economic Area.',
      },
    ],
  },
  {
    title: { pl: 'Jak długo je trzymamy', en: 'How long we keep them' },
    body: [
      {
        pl: 'Dane konta: tak długo, jak masz u\u00a0nas usługę. Dane z\u00a0formularza, jeśli nikt nie potwierdzi konta linkiem z\u00a0wiadomości: 7 dni. Skróty podpisywanych plików: dzień. Umowy, certyfikaty i\u00a0podpisane dokumenty: 20 lat od usunięcia konta, jako dowody wymagane przez prawo o\u00a0usługach zaufania. Zapis czynności na koncie: tak długo, jak może być dowodem; po usunięciu konta bez nazwiska i\u00a0kontaktu.',
        en: 'Account data: as long as you have a service with us. Data of the form, if nobody confirms the account by the link of the message: 7 days. Digests of files that you sign: a day. Agreements, certificates and signed documents: 20 years after the account is erased, as evidence that the law on trust services requires. The record of acts on the account: as long as it can be evidence; after the account is erased without name and contact.',
      },
    ],
  },
  {
    title: { pl: 'Twoje prawa', en: 'Your rights' },
    body: [
      {
        pl: 'Możesz poprosić o\u00a0dostęp do danych i\u00a0ich kopię, o\u00a0poprawienie, usunięcie, ograniczenie przetwarzania i\u00a0przeniesienie, a\u00a0także sprzeciwić się przetwarzaniu opartemu na naszym interesie. Możesz złożyć skargę do Prezesa Urzędu Ochrony Danych Osobowych.',
        en: 'You may ask for access to your data and a copy, for correction, erasure, restriction and transfer, and object to processing based on our interest. You may complain to the President of the Personal Data Protection Office (UODO).',
      },
      {
        pl: 'Podanie danych jest dobrowolne, ale bez nich nie wydamy certyfikatu. Nie podejmujemy decyzji wyłącznie automatycznie i\u00a0nie profilujemy.',
        en: 'You don’t have to give us your data, but without it we can’t issue a certificate. We make no decisions by automated means alone, and there is no profiling.',
      },
    ],
  },
  cookies,
]

const purposes: LegalSection = {
  title: { pl: 'Jakie dane i\u00a0po co', en: 'Which data, and what for' },
  body: [
    [
      {
        pl: 'Imię, nazwisko, e-mail i\u00a0telefon: aby prowadzić Twoje konto i\u00a0wysyłać kody oraz powiadomienia (umowa, art. 6 ust. 1 lit. b RODO).',
        en: 'First name, surname, e-mail and phone: to keep your account and to send codes and notices (contract, article 6(1)(b) GDPR).',
      },
      {
        pl: 'Dane z\u00a0certyfikatów i\u00a0umów, w\u00a0tym numer identyfikacyjny: bo wymaga ich prawo o\u00a0usługach zaufania (obowiązek prawny, art. 6 ust. 1 lit. c RODO).',
        en: 'Data in certificates and agreements, among them the identification number: because the law on trust services requires them (legal obligation, article 6(1)(c) GDPR).',
      },
      {
        pl: 'Zapis ważnych czynności na koncie wraz z\u00a0adresem IP: aby chronić konto i\u00a0móc wyjaśnić, co się stało (prawnie uzasadniony interes, art. 6 ust. 1 lit. f RODO).',
        en: 'A record of important acts on the account with the IP address: to protect the account and to be able to explain what happened (legitimate interest, article 6(1)(f) GDPR).',
      },
      {
        pl: 'Certyfikaty z\u00a0pliku, który ktoś u\u00a0nas sprawdza: aby zapytać ich wystawców, czy nie są unieważnione. Sam plik zostaje na urządzeniu tej osoby (prawnie uzasadniony interes, art. 6 ust. 1 lit. f RODO).',
        en: 'Certificates in a file that somebody checks here: to ask their issuers whether they have been revoked. The file itself stays on that person’s device (legitimate interest, article 6(1)(f) GDPR).',
      },
      {
        pl: 'Skróty plików, które podpisujesz w\u00a0portalu: aby złożyć podpis. Same pliki zostają na Twoim urządzeniu (umowa, art. 6 ust. 1 lit. b RODO).',
        en: 'Digests of the files that you sign in the portal: to make the signature. The files themselves stay on your device (contract, article 6(1)(b) GDPR).',
      },
      {
        pl: 'E-mail wskazany przez administratora pieczęci jako drugi adres przypomnień: aby je wysyłać, gdy właściciel adresu to potwierdzi (prawnie uzasadniony interes, art. 6 ust. 1 lit. f RODO).',
        en: 'An e-mail address that a seal’s administrator names for reminders: to send them once its owner has confirmed (legitimate interest, article 6(1)(f) GDPR).',
      },
      {
        pl: 'E-mail i\u00a0telefon do informacji o\u00a0ofertach: tylko za Twoją zgodą, którą wycofasz w\u00a0każdej chwili w\u00a0Moich danych (zgoda, art. 6 ust. 1 lit. a RODO). Zapisujemy, na co, kiedy i\u00a0w\u00a0jakim brzmieniu się zgadzasz.',
        en: 'E-mail and phone for news about offers: only with your consent, which you can withdraw at any time in My data (consent, article 6(1)(a) GDPR). We record what you consent to, when, and in which wording.',
      },
    ],
  ],
}

const cookies: LegalSection = {
  title: { pl: 'Pliki cookie', en: 'Cookies' },
  body: [
    {
      pl: 'Portal używa tylko niezbędnych plików cookie:',
      en: 'The portal uses only necessary cookies:',
    },
    [
      {
        pl: '__Host-sygnet utrzymuje sesję po zalogowaniu. Znika po zamknięciu przeglądarki.',
        en: '__Host-sygnet keeps you signed in. It’s deleted when you close the browser.',
      },
      {
        pl: `__Host-sygnet-device rozpoznaje urządzenie, na którym już logowano się na konto, aby cudze błędne hasła nie utrudniały Ci logowania. Wygasa po ${limits.device.knownDays} dniach.`,
        en: `__Host-sygnet-device recognises a device that has signed in before, so that wrong passwords from elsewhere don’t get in your way. It lasts ${limits.device.knownDays} days.`,
      },
      {
        pl: `__Host-sygnet-passkey chroni logowanie kluczem dostępu. Wygasa po ${limits.passkeys.challengeLife / 60} minutach.`,
        en: `__Host-sygnet-passkey protects signing in with a passkey. It lasts ${limits.passkeys.challengeLife / 60} minutes.`,
      },
      {
        pl: `${pendingSignOutCookie} powstaje, gdy wylogujesz się bez połączenia z\u00a0internetem: sesję zakończymy, gdy przeglądarka znów otworzy portal. Potem go usuwamy, a\u00a0najpóźniej po ${limits.session.absolute / 3600} godzinach wygasa.`,
        en: `${pendingSignOutCookie} is set when you sign out without a connection: we end the session when the browser next opens the portal. The cookie is then deleted, or expires after ${limits.session.absolute / 3600} hours.`,
      },
      {
        pl: `locale pamięta wybrany język. Wygasa po ${limits.localeCookieDays} dniach.`,
        en: `locale remembers your language. It lasts ${limits.localeCookieDays} days.`,
      },
    ],
    {
      pl: 'Nie ma plików reklamowych ani śledzących, dlatego nie pytamy o\u00a0zgodę.',
      en: 'There are no cookies for advertising or tracking, so we don’t ask for consent.',
    },
  ],
}
