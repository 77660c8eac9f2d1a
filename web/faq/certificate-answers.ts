import { limits } from '../../contract/limits.ts'
import type { Topic } from './topic.ts'

/** Signatures, the app, renewal and seals. */
export const certificateTopics: readonly Topic[] = [
  {
    id: 'certificates',
    title: { pl: 'Certyfikaty i\u00a0umowy', en: 'Certificates and agreements' },
    answers: {
      'after-expiry': [
        {
          pl: 'Tak. Liczy się to, że certyfikat był ważny w\u00a0chwili podpisania. Wygasłym certyfikatem nie złożysz już nowych podpisów. Wcześniejsze pozostają ważne.',
          en: 'Yes. What counts is that the certificate was valid when you signed. You can’t make new signatures with an expired certificate. Earlier ones stay valid.',
        },
        {
          pl: 'Chwilę podpisania najpewniej potwierdza kwalifikowany znacznik czasu w\u00a0dokumencie.',
          en: 'The best proof of when you signed is a qualified timestamp in the document.',
        },
      ],
      agreement: [
        {
          pl: 'W\u00a0menu „Certyfikaty” otwórz swój rodzaj certyfikatu, znajdź na liście właściwy certyfikat i\u00a0wybierz „Pobierz umowę”. To plik PDF. Na nową umowę trzeba czasem poczekać kilka minut. Certyfikat działa bez niej.',
          en: 'Under “Certificates” in the menu, open the type of certificate you have, find yours in the list and choose “Download agreement”. It’s a PDF file. A new agreement may take a few minutes to be ready. The certificate works without it.',
        },
      ],
      'masked-number': [
        {
          pl: 'Aby nikt nie odczytał go przez ramię ani ze zrzutu ekranu. Aby zobaczyć cały numer, naciśnij oko obok niego. Certyfikat z\u00a0numerem PESEL zawiera cały numer i\u00a0zobaczy go każdy, kto dostanie podpisany dokument.',
          en: 'So that nobody can read it over your shoulder or from a screenshot. To see the whole number, press the eye next to it. A certificate issued with your PESEL contains the whole number, so anyone who receives a signed document can see it.',
        },
      ],
      'lost-device': [
        {
          features: ['status-requests'],
          pl: 'Od razu zawieś certyfikat: w\u00a0menu „Certyfikaty” otwórz swój rodzaj certyfikatu i\u00a0wybierz „Zawieś lub unieważnij”. Zawieszenie cofniesz w\u00a0tym samym miejscu, unieważnienia nie cofnie nikt.',
          en: 'Suspend the certificate right away: under “Certificates” in the menu, open the type of certificate you have and choose “Suspend or revoke”. You can end a suspension in the same place; nobody can undo a revocation.',
        },
        {
          features: ['status-requests'],
          pl: 'Nie możesz się zalogować, bo nie masz telefonu? Na stronie logowania wybierz „Nie pamiętasz hasła?”, a\u00a0potem „Zawieś certyfikaty”. Wyślemy link na e-mail Twojego konta i\u00a0zapytamy o\u00a0numer dokumentu tożsamości. Zlecimy zawieszenie wszystkich Twoich podpisów i\u00a0wylogujemy Cię ze wszystkich urządzeń. Takie zawieszenie cofamy dopiero po rozmowie z\u00a0Tobą.',
          en: 'Can’t sign in because you don’t have the phone? On the sign-in page choose “Forgot password?” and then “Suspend your certificates”. We’ll send a link to your account’s e-mail address and ask for the number of your identity document. We’ll request the suspension of all your signatures and sign you out on all devices. We only end such a suspension after we’ve talked to you.',
        },
        {
          pl: 'Nie możesz zrobić tego w\u00a0portalu? Na stronie dostawcy wybierz „Zawieś lub unieważnij certyfikat” albo od razu zadzwoń do nas.',
          en: 'Can’t do it in the portal? Choose “Suspend or revoke a certificate” on the provider’s site, or call us right away.',
        },
      ],
    },
  },
  {
    id: 'app',
    title: { pl: 'Aplikacja mobilna', en: 'The mobile app' },
    answers: {
      'pair-app': [
        {
          pl: `W\u00a0menu „Certyfikaty” otwórz swój rodzaj certyfikatu, przy certyfikacie w\u00a0aplikacji wybierz „Połącz z\u00a0aplikacją” i\u00a0potwierdź to kodem SMS. Zeskanuj kod QR aplikacją i\u00a0dokończ zgodnie ze wskazówkami obok kodu. Kod QR widać najwyżej ${limits.pairing.visible / 60}\u00a0minut, potem możesz poprosić o\u00a0nowy.`,
          en: `Under “Certificates” in the menu, open the type of certificate you have, choose “Connect to the app” next to the certificate and confirm with a text-message code. Scan the QR code with the app and follow the steps next to it. The QR code is shown for ${limits.pairing.visible / 60}\u00a0minutes at most; after that you can ask for a new one.`,
        },
        {
          pl: `Jeśli aplikacja pokazuje sześć cyfr, zmieniają się one co ${limits.pairing.period}\u00a0sekund. To nie błąd: każdy kod działa tylko raz, więc gdy portal go nie przyjmuje, poczekaj na następny. Godzina w\u00a0telefonie musi ustawiać się automatycznie.`,
          en: `If the app shows six digits, they change every ${limits.pairing.period}\u00a0seconds. That’s normal: each code works only once, so if the portal doesn’t accept one, wait for the next. Make sure your phone sets its time automatically.`,
        },
        {
          pl: 'Połączyć można tylko certyfikat, który już jest ważny. Wygasłego, zawieszonego i\u00a0unieważnionego nie.',
          en: 'You can only connect a certificate that’s already valid, not one that has expired or been suspended or revoked.',
        },
      ],
      'same-phone': [
        {
          pl: 'Nie musisz. Na telefonie nad kodem QR jest zwykle przycisk „Otwórz w\u00a0aplikacji”. Jeśli go nie ma albo nic się nie otwiera, skopiuj tekst spod kodu i\u00a0wklej go w\u00a0aplikacji.',
          en: 'You don’t have to. On a phone there’s usually a button, “Open in the app”, above the QR code. If there isn’t one, or nothing opens, copy the text below the code and paste it into the app.',
        },
      ],
      'new-phone': [
        {
          pl: 'Zainstaluj aplikację na nowym telefonie i\u00a0połącz ją z\u00a0podpisem tak jak za pierwszym razem. Potem usuń podpis z\u00a0aplikacji na starym telefonie.',
          en: 'Install the app on the new phone and connect it as you did the first time. Then remove the signature from the app on the old phone.',
        },
      ],
    },
  },
  {
    id: 'renewal',
    title: { pl: 'Odnowienie', en: 'Renewal' },
    answers: {
      'when-to-renew': [
        {
          pl: `Od ${limits.renewal.windowDays}\u00a0dni przed wygaśnięciem. Najlepiej zacznij co najmniej 7\u00a0dni wcześniej, aby zdążyć z\u00a0dokumentami. Przypomnimy Ci e-mailem.`,
          en: `From ${limits.renewal.windowDays}\u00a0days before it expires. It’s best to start at least 7\u00a0days before it expires, to leave time for the documents. We’ll remind you by e-mail.`,
        },
      ],
      'code-is-not-renewal': [
        {
          pl: 'Jeszcze nie. Kod potwierdza tylko opłatę. Wpisz go na liście podpisów i\u00a0przejdź cztery kroki. Odnowienie kończy się, gdy podpiszesz umowę, a\u00a0my wydamy nowy certyfikat.',
          en: 'Not yet. The code only confirms that you’ve paid. Enter it in the list of signatures and go through the four steps. The renewal is complete once you’ve signed the agreement and we’ve issued the new certificate.',
        },
      ],
      'renewal-refused': [
        {
          pl: `Portal podaje powód. W\u00a0portalu odnowisz tylko podpis w\u00a0aplikacji mobilnej, który jest ważny, nie jest zawieszony i\u00a0wygasa w\u00a0ciągu ${limits.renewal.windowDays}\u00a0dni. Potrzebny jest kod odnowienia i\u00a0ważny dokument tożsamości z\u00a0tymi samymi danymi co w\u00a0certyfikacie. Odnowienie podpisu na karcie lub tokenie kupisz w\u00a0sklepie.`,
          en: `The portal tells you why. Here you can only renew a signature in the mobile app that’s valid, isn’t suspended and expires within ${limits.renewal.windowDays}\u00a0days. You need a renewal code and a valid identity document with the same details as the certificate. Renewals for a card or token are sold in the shop.`,
        },
        {
          pl: `Masz nowy dokument albo nowe nazwisko? Zaktualizuj dane dokumentu w\u00a0odnowieniu. Gdy je sprawdzimy, dokończysz odnowienie. Kod wykorzystujesz dopiero wtedy, gdy przechodzisz do kroku 2, a\u00a0rozpoczęte odnowienie zapisujemy na ${limits.renewal.draft / 86_400}\u00a0dni lub do wygaśnięcia certyfikatu.`,
          en: `Do you have a new document or a new surname? Update your document details in the renewal. Once we’ve checked them, you can finish it. Your code is only used when you go on to step 2, and we keep an unfinished renewal for ${limits.renewal.draft / 86_400}\u00a0days or until the certificate expires.`,
        },
      ],
      'expired-renewal': [
        {
          pl: 'Nie. Odnowienie potwierdzasz podpisem, który musi być jeszcze ważny. Kup nowy podpis i\u00a0ponownie potwierdź tożsamość. Link do sklepu jest na stronie „Start”.',
          en: 'No. You confirm a renewal with your signature, so it must still be valid. Buy a new signature and confirm your identity again. The link to the shop is on “Home”.',
        },
      ],
    },
  },
  {
    id: 'seals',
    title: { pl: 'Pieczęcie', en: 'Seals' },
    answers: {
      'seal-or-signature': [
        {
          pl: 'Podpis należy do osoby, a\u00a0pieczęć do organizacji. Pieczęć potwierdza, że dokument pochodzi od organizacji i\u00a0nikt go nie zmienił. Nie zastępuje podpisu osoby, na przykład pod umową.',
          en: 'A signature belongs to a person, a seal to an organisation. A seal proves that a document comes from the organisation and that nobody has changed it. It doesn’t replace a person’s signature, such as one under a contract.',
        },
      ],
      'seal-access': [
        {
          pl: `Dostęp daje tylko administrator pieczęci: w\u00a0menu „Certyfikaty” otwórz „Pieczęć kwalifikowana”, przy pieczęci wybierz „Dodaj użytkownika” i\u00a0podaj imię, nazwisko, e-mail, telefon i\u00a0rolę tej osoby. Wyślemy jej zaproszenie ważne ${limits.link.invitation / 86_400}\u00a0dni, a\u00a0dostęp potwierdzi kodem SMS.`,
          en: `Only an administrator of the seal can do this. Under “Certificates” in the menu, open “Qualified seal”, choose “Add user” next to the seal, and enter the person’s name, e-mail, phone and role. We’ll send them an invitation that’s valid for ${limits.link.invitation / 86_400}\u00a0days, and they confirm their access with a text-message code.`,
        },
        {
          pl: 'Dostępu nie można dać do pieczęci, która wygasła, ani do takiej, która ma już maksymalną liczbę użytkowników. Wtedy usuń dostęp osobom, które go nie potrzebują.',
          en: 'You can’t give access to a seal that has expired, or to one that already has as many users as it can have. In that case, remove access from people who don’t need it.',
        },
        {
          pl: 'Portal pisze, że ta osoba jest już użytkownikiem pieczęci? Znajdź ją na liście. Jeśli nie ma jeszcze dostępu, wyślij jej zaproszenie ponownie.',
          en: 'Does the portal say that someone is already a user of the seal? Find them in the list. If they don’t have access yet, resend their invitation.',
        },
      ],
      'seal-invitation': [
        {
          pl: 'Otwórz link z\u00a0e-maila i\u00a0zaloguj się, a\u00a0jeśli nie masz jeszcze konta, najpierw ustaw hasło. Na stronie pieczęci naciśnij „Aktywuj dostęp” i\u00a0wpisz kod SMS. Każda osoba ma własny login i\u00a0hasło.',
          en: 'Open the link in the e-mail and sign in, or set a password first if you don’t have an account yet. On the Seals page, press “Activate access” and enter the text-message code. Everyone has their own username and password.',
        },
        {
          pl: `Zaproszenie jest ważne ${limits.link.invitation / 86_400}\u00a0dni. Po tym czasie poproś administratora pieczęci, aby wysłał je ponownie.`,
          en: `The invitation is valid for ${limits.link.invitation / 86_400}\u00a0days. After that, ask the administrator of the seal to send it again.`,
        },
      ],
      'seal-administrator': [
        {
          pl: 'Pieczęć musi mieć co najmniej jednego aktywnego administratora. Dodaj drugiego, poczekaj, aż aktywuje dostęp, i\u00a0wtedy usuń pierwszego. Własnego dostępu nie usuniesz: poproś o\u00a0to innego administratora.',
          en: 'A seal must have at least one active administrator. Add another one, wait until they’ve activated their access, and then remove the first. You can’t remove your own access: ask another administrator to do it.',
        },
      ],
      'seal-privacy': [
        {
          pl: 'Nie. Administrator zarządza dostępem, ale nie widzi, jakie dokumenty opatrują pieczęcią inni.',
          en: 'No. Administrators manage access, but they can’t see which documents others seal.',
        },
      ],
    },
  },
]
