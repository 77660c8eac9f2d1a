import type { Text } from '../../contract/enums.ts'

/** One question. `id` is its deep link and the same in both languages, so that the language switch keeps the position. */
export type Question = { id: string; question: Text; answer: readonly Text[] }
export type Topic = { id: string; title: Text; questions: readonly Question[] }

export const topics: readonly Topic[] = [
  {
    id: 'sign-in',
    title: { pl: 'Logowanie i\u00a0hasło', en: 'Signing in and your password' },
    questions: [
      {
        id: 'login-or-email',
        question: {
          pl: 'Czym się zalogować: loginem czy e-mailem?',
          en: 'What do I sign in with: my login or my e-mail?',
        },
        answer: [
          {
            pl: 'Tym, co wolisz. Login znajdziesz w\u00a0wiadomości z\u00a0zaproszeniem i\u00a0w\u00a0umowie. Jeśli go nie pamiętasz, wpisz adres e-mail podany przy zawieraniu umowy.',
            en: 'Either. You’ll find your login in the invitation e-mail and in your agreement. If you don’t remember it, enter the e-mail address you gave when you made the agreement.',
          },
          {
            pl: 'Wielkość liter w\u00a0loginie i\u00a0e-mailu nie ma znaczenia. W\u00a0haśle ma.',
            en: 'Upper and lower case don’t matter in the login or e-mail. They do in the password.',
          },
        ],
      },
      {
        id: 'forgot-password',
        question: { pl: 'Nie pamiętam hasła. Co zrobić?', en: 'I’ve forgotten my password. What should I do?' },
        answer: [
          {
            pl: 'Na stronie logowania wybierz „Nie pamiętasz hasła?” i\u00a0wpisz swój adres e-mail. Wyślemy link do ustawienia nowego hasła.',
            en: 'On the sign-in page, choose “Forgot password?” and enter your e-mail address. We’ll send you a link to set a new password.',
          },
          {
            pl: 'Link działa 30\u00a0minut i\u00a0tylko raz. Jeśli poprosisz o\u00a0kilka linków, użyj dowolnego: pozostałe przestaną wtedy działać.',
            en: 'The link works once, within 30\u00a0minutes. If you ask for several links, use any of them: the others will then stop working.',
          },
          {
            pl: 'Nie masz już dostępu do tej skrzynki? Zadzwoń do nas. Potwierdzimy Twoją tożsamość i\u00a0zmienimy adres.',
            en: 'Lost access to that mailbox? Call us. We’ll check who you are and change the address.',
          },
        ],
      },
      {
        id: 'good-password',
        question: { pl: 'Jakie hasło mogę ustawić?', en: 'What kind of password do I need?' },
        answer: [
          {
            pl: 'Co najmniej 13\u00a0znaków, a\u00a0wśród nich wielka litera, mała litera, cyfra i\u00a0znak specjalny, na przykład kropka, myślnik albo wykrzyknik.',
            en: 'At least 13\u00a0characters, with an upper-case letter, a lower-case letter, a digit and a special character, such as a full stop, a dash or an exclamation mark.',
          },
          {
            pl: 'Najłatwiej zapamiętać kilka słów. Hasło możesz wkleić i\u00a0zapisać w\u00a0menedżerze haseł. Nie ustawisz ponownie obecnego ani pięciu poprzednich haseł.',
            en: 'A few words in a row are easiest to remember. You can paste the password and keep it in a password manager. You can’t reuse your current password or your last five.',
          },
        ],
      },
      {
        id: 'signed-out',
        question: { pl: 'Dlaczego portal mnie wylogował?', en: 'Why did the portal sign me out?' },
        answer: [
          {
            pl: 'Po 15\u00a0minutach bez aktywności kończymy sesję, aby nikt inny nie skorzystał z\u00a0Twojego konta. Dwie minuty wcześniej pytamy, czy chcesz pracować dalej. Jedna sesja trwa najwyżej 8\u00a0godzin.',
            en: 'After 15\u00a0minutes without activity, we end your session so that nobody else can use your account. Two minutes before that, we ask whether you want to keep working. A session lasts 8\u00a0hours at most.',
          },
          {
            pl: 'Po ponownym zalogowaniu wrócisz na tę samą stronę.',
            en: 'When you sign in again, you’ll come back to the same page.',
          },
        ],
      },
    ],
  },
  {
    id: 'codes',
    title: { pl: 'Kody SMS', en: 'Text-message codes' },
    questions: [
      {
        id: 'code-not-received',
        question: {
          pl: 'Kod SMS nie dotarł. Co sprawdzić?',
          en: 'I didn’t get the text-message code. What should I check?',
        },
        answer: [
          {
            pl: 'Kod zwykle przychodzi w\u00a0ciągu minuty, czasem po 5\u00a0minutach. Sprawdź zasięg i\u00a0to, czy ostatnie cyfry numeru na ekranie są Twoje.',
            en: 'The code usually arrives within a minute, sometimes after 5\u00a0minutes. Check your signal, and that the last digits of the number on the screen are yours.',
          },
          {
            pl: 'Po minucie możesz wysłać nowy kod. Poprzedni przestaje wtedy działać. Po trzech wiadomościach trzeba poczekać 15\u00a0minut: jeśli nadal nic nie przyszło, zadzwoń do nas.',
            en: 'You can send a new code after a minute. The previous one then stops working. After three messages you have to wait 15\u00a0minutes: if nothing has arrived, call us.',
          },
        ],
      },
      {
        id: 'code-refused',
        question: { pl: 'Dlaczego kod się nie zgadza?', en: 'Why doesn’t my code match?' },
        answer: [
          {
            pl: 'Najczęściej dlatego, że pochodzi ze starszej wiadomości. Każda wiadomość ma numer: wpisz kod z\u00a0tej, której numer widzisz na ekranie. Kod działa 10\u00a0minut, a\u00a0po 5\u00a0błędnych próbach trzeba zacząć od nowa.',
            en: 'Usually because it comes from an older message. Every message has a number: enter the code from the one shown on the screen. A code works for 10\u00a0minutes, and after 5\u00a0wrong attempts you have to start again.',
          },
          {
            pl: 'Kod do logowania nie zadziała przy innej czynności. W\u00a0SMS-ie jest napisane, do czego służy kod.',
            en: 'A code for signing in doesn’t work for anything else. The text message says what the code is for.',
          },
        ],
      },
      {
        id: 'why-another-code',
        question: {
          pl: 'Dlaczego portal prosi o\u00a0kod jeszcze raz, mimo że jestem w\u00a0portalu?',
          en: 'Why do I need another code when I’m already signed in?',
        },
        answer: [
          {
            pl: 'Czynności, których nie można łatwo cofnąć, na przykład połączenie z\u00a0aplikacją, potwierdzasz osobnym kodem. Dzięki temu nikt nie wykona ich na Twoim odblokowanym komputerze.',
            en: 'You confirm actions that can’t easily be undone, such as connecting to the app, with a separate code. That way nobody can do them on your unlocked computer.',
          },
        ],
      },
      {
        id: 'lost-number',
        question: {
          pl: 'Nie mam już tego numeru telefonu. Jak się zalogować?',
          en: 'I no longer have that phone number. How do I sign in?',
        },
        answer: [
          {
            pl: 'Zaloguj się kluczem dostępu, jeśli go masz. Jeśli nie, zadzwoń do nas: bez kodu SMS nie zalogujesz się do portalu, a\u00a0numer zmienimy po sprawdzeniu Twojej tożsamości. Certyfikaty działają przez cały ten czas.',
            en: 'Sign in with a passkey, if you have one. If not, call us: you can’t sign in without a text-message code, and we’ll change the number once we’ve checked who you are. Your certificates keep working all the while.',
          },
        ],
      },
    ],
  },
  {
    id: 'certificates',
    title: { pl: 'Certyfikaty i\u00a0umowy', en: 'Certificates and agreements' },
    questions: [
      {
        id: 'after-expiry',
        question: {
          pl: 'Certyfikat wygasł. Czy dokumenty podpisane wcześniej są ważne?',
          en: 'My certificate has expired. Are documents I signed before still valid?',
        },
        answer: [
          {
            pl: 'Tak. Liczy się to, że certyfikat był ważny w\u00a0chwili podpisania. Wygasłym certyfikatem nie złożysz już nowych podpisów. Wcześniejsze pozostają ważne.',
            en: 'Yes. What counts is that the certificate was valid when you signed. You can’t make new signatures with an expired certificate. Earlier ones stay valid.',
          },
          {
            pl: 'Chwilę podpisania najpewniej potwierdza kwalifikowany znacznik czasu w\u00a0dokumencie.',
            en: 'The best proof of when you signed is a qualified timestamp in the document.',
          },
        ],
      },
      {
        id: 'agreement',
        question: { pl: 'Skąd pobrać umowę?', en: 'Where do I download my agreement?' },
        answer: [
          {
            pl: 'Otwórz „Certyfikaty”, znajdź swój podpis i\u00a0wybierz „Pobierz umowę”. To plik PDF. Na umowę do nowego podpisu trzeba czasem poczekać kilka minut.',
            en: 'Open “Certificates”, find your signature and choose “Download agreement”. It’s a PDF file. The agreement for a new signature may take a few minutes to be ready.',
          },
        ],
      },
      {
        id: 'masked-number',
        question: {
          pl: 'Dlaczego zamiast numeru PESEL widzę kropki?',
          en: 'Why do I see dots instead of my PESEL number?',
        },
        answer: [
          {
            pl: 'Aby nikt nie odczytał go przez ramię ani ze zrzutu ekranu. Aby zobaczyć cały numer, naciśnij oko obok niego. Sam certyfikat zawiera cały numer i\u00a0zobaczy go każdy, kto dostanie podpisany dokument.',
            en: 'So that nobody can read it over your shoulder or from a screenshot. To see the whole number, press the eye next to it. The certificate itself contains the whole number, so anyone who receives a signed document can see it.',
          },
        ],
      },
      {
        id: 'lost-device',
        question: {
          pl: 'Karta albo telefon z\u00a0podpisem zaginęły. Co zrobić?',
          en: 'I’ve lost the card or phone with my signature. What should I do?',
        },
        answer: [
          {
            pl: 'Od razu zawieś certyfikat: na ekranie „Start” wybierz „Zawieś lub unieważnij certyfikat” albo zadzwoń do nas. Zawieszenie można cofnąć, unieważnienia nie.',
            en: 'Suspend the certificate right away: on “Home”, choose “Suspend or revoke a certificate”, or call us. A suspension can be lifted; a revocation can’t.',
          },
        ],
      },
    ],
  },
  {
    id: 'app',
    title: { pl: 'Aplikacja mobilna', en: 'The mobile app' },
    questions: [
      {
        id: 'pair-app',
        question: {
          pl: 'Jak połączyć podpis z\u00a0aplikacją mobilną?',
          en: 'How do I connect my signature to the mobile app?',
        },
        answer: [
          {
            pl: 'Otwórz „Certyfikaty”, przy podpisie w\u00a0aplikacji wybierz „Połącz z\u00a0aplikacją” i\u00a0potwierdź to kodem SMS. Zeskanuj kod QR aplikacją i\u00a0dokończ zgodnie ze wskazówkami obok kodu. Kod QR widać najwyżej 5\u00a0minut, potem możesz poprosić o\u00a0nowy.',
            en: 'Open “Certificates”, find your signature in the app, choose “Connect to the app” and confirm with a text-message code. Scan the QR code with the app and follow the steps next to it. The QR code is shown for 5\u00a0minutes at most; after that you can ask for a new one.',
          },
          {
            pl: 'Jeśli aplikacja pokazuje sześć cyfr, zmieniają się one co 30\u00a0sekund. To nie błąd: każdy kod działa tylko raz.',
            en: 'If the app shows six digits, they change every 30\u00a0seconds. That’s normal: each code works only once.',
          },
        ],
      },
      {
        id: 'same-phone',
        question: {
          pl: 'Mam portal i\u00a0aplikację na tym samym telefonie. Jak zeskanować kod?',
          en: 'The portal and the app are on the same phone. How do I scan the code?',
        },
        answer: [
          {
            pl: 'Nie musisz. Na telefonie nad kodem QR jest zwykle przycisk „Otwórz w\u00a0aplikacji”. Jeśli go nie ma albo nic się nie otwiera, skopiuj tekst spod kodu i\u00a0wklej go w\u00a0aplikacji.',
            en: 'You don’t have to. On a phone there’s usually a button, “Open in the app”, above the QR code. If there isn’t one, or nothing opens, copy the text below the code and paste it into the app.',
          },
        ],
      },
      {
        id: 'new-phone',
        question: {
          pl: 'Mam nowy telefon. Jak przenieść podpis?',
          en: 'I have a new phone. How do I move my signature?',
        },
        answer: [
          {
            pl: 'Zainstaluj aplikację na nowym telefonie i\u00a0połącz ją z\u00a0podpisem tak jak za pierwszym razem. Potem usuń podpis z\u00a0aplikacji na starym telefonie.',
            en: 'Install the app on the new phone and connect it as you did the first time. Then remove the signature from the app on the old phone.',
          },
        ],
      },
    ],
  },
  {
    id: 'renewal',
    title: { pl: 'Odnowienie', en: 'Renewal' },
    questions: [
      {
        id: 'when-to-renew',
        question: { pl: 'Kiedy odnowić podpis?', en: 'When should I renew my signature?' },
        answer: [
          {
            pl: 'Od 90\u00a0dni przed wygaśnięciem. Najlepiej zacznij co najmniej 7\u00a0dni wcześniej, aby zdążyć z\u00a0dokumentami. Przypomnimy Ci e-mailem.',
            en: 'From 90\u00a0days before it expires. It’s best to start at least 7\u00a0days before, to leave time for the documents. We’ll remind you by e-mail.',
          },
        ],
      },
      {
        id: 'code-is-not-renewal',
        question: {
          pl: 'Mam kod odnowienia. Czy podpis jest już odnowiony?',
          en: 'I have a renewal code. Has my signature been renewed?',
        },
        answer: [
          {
            pl: 'Jeszcze nie. Kod potwierdza tylko opłatę. Wpisz go na ekranie „Start” lub na liście podpisów i\u00a0przejdź cztery kroki. Odnowienie kończy się, gdy podpiszesz dokumenty i\u00a0wydamy nowy certyfikat.',
            en: 'Not yet. The code only confirms that you’ve paid. Enter it on “Home” or in the list of signatures and go through the four steps. The renewal is complete once you’ve signed the documents and we’ve issued the new certificate.',
          },
        ],
      },
      {
        id: 'expired-renewal',
        question: { pl: 'Certyfikat wygasł. Czy mogę go odnowić?', en: 'My certificate has expired. Can I renew it?' },
        answer: [
          {
            pl: 'Nie. Odnowienie potwierdzasz podpisem, który musi być jeszcze ważny. Kup nowy podpis i\u00a0ponownie potwierdź tożsamość. Link do sklepu jest na ekranie „Start”.',
            en: 'No. You confirm a renewal with your signature, so it must still be valid. Buy a new signature and confirm your identity again. The link to the shop is on “Home”.',
          },
        ],
      },
    ],
  },
  {
    id: 'blocking',
    title: { pl: 'Blokada konta i\u00a0bezpieczeństwo', en: 'Blocked account and security' },
    questions: [
      {
        id: 'blocked-account',
        question: {
          pl: 'Moje konto jest zablokowane. Czy mój podpis działa?',
          en: 'My account is blocked. Does my signature still work?',
        },
        answer: [
          {
            pl: 'Tak. Blokada dotyczy tylko portalu, a\u00a0certyfikaty działają bez zmian. Konto blokujemy po 10\u00a0błędnych hasłach w\u00a0ciągu doby. Kluczem dostępu i\u00a0na urządzeniu, na którym się już logujesz, wejdziesz mimo to.',
            en: 'Yes. Only the portal is blocked; your certificates work as before. We block an account after 10\u00a0wrong passwords within a day. You can still sign in with a passkey, or on a device you already use.',
          },
          {
            pl: 'Aby je odblokować, wybierz „Nie pamiętasz hasła?” i\u00a0ustaw nowe. Jeśli to nie Ty wpisujesz błędne hasła, zadzwoń do nas.',
            en: 'To unblock it, set a new password with “Forgot password?”. If someone else is entering the wrong passwords, call us.',
          },
        ],
      },
      {
        id: 'suspicious-message',
        question: {
          pl: 'Przyszedł kod SMS, choć nic nie robię w\u00a0portalu. Co to znaczy?',
          en: 'I got a text-message code, but I’m not doing anything in the portal. What does it mean?',
        },
        answer: [
          {
            pl: 'Ktoś zna Twoje hasło i\u00a0próbuje się zalogować. Nie podawaj nikomu kodu, także osobie, która przedstawia się jako nasz pracownik. Zmień hasło i\u00a0zadzwoń do nas.',
            en: 'Someone knows your password and is trying to sign in. Don’t give the code to anyone, even if they say they work for us. Change your password and call us.',
          },
        ],
      },
    ],
  },
]
