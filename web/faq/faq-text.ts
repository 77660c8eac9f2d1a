import type { Text } from '../../contract/enums.ts'

/** One question. `id` is its deep link and the same in both languages, so that the language switch keeps the position. */
export type Question = { id: string; question: Text; answer: readonly Text[] }
export type Topic = { id: string; title: Text; questions: readonly Question[] }

export const topics: readonly Topic[] = [
  {
    id: 'sign-in',
    title: { pl: 'Logowanie i\u00a0hasło', en: 'Logging in and your password' },
    questions: [
      {
        id: 'login-or-email',
        question: {
          pl: 'Czym się zalogować: loginem czy e-mailem?',
          en: 'What do I log in with: my login or my e-mail?',
        },
        answer: [
          {
            pl: 'Jednym i\u00a0drugim. Login jest w\u00a0wiadomości z\u00a0zaproszeniem i\u00a0w\u00a0umowie. Jeśli go nie pamiętasz, wpisz adres e-mail podany przy zawieraniu umowy.',
            en: 'Either. Your login is in the invitation e-mail and in your agreement. If you do not remember it, enter the e-mail address given when the agreement was made.',
          },
          {
            pl: 'Wielkość liter w\u00a0loginie i\u00a0e-mailu nie ma znaczenia. W\u00a0haśle ma.',
            en: 'Capital letters make no difference in the login or e-mail. In the password they do.',
          },
        ],
      },
      {
        id: 'forgot-password',
        question: { pl: 'Nie pamiętam hasła. Co zrobić?', en: 'I do not remember my password. What do I do?' },
        answer: [
          {
            pl: 'Na stronie logowania wybierz „Nie pamiętasz hasła?” i\u00a0wpisz swój adres e-mail. Wyślemy link do ustawienia nowego hasła.',
            en: 'On the login page choose “Forgot password?” and enter your e-mail address. We will send a link for setting a new password.',
          },
          {
            pl: 'Link działa 30 minut i\u00a0tylko raz. Jeśli poprosisz o\u00a0kilka linków, użyj dowolnego: pozostałe przestaną wtedy działać.',
            en: 'The link works for 30 minutes and only once. If you ask for several links, use any of them: the others stop working then.',
          },
          {
            pl: 'Nie masz już dostępu do tej skrzynki? Zadzwoń do nas. Potwierdzimy Twoją tożsamość i\u00a0zmienimy adres.',
            en: 'You can no longer open that mailbox? Call us. We will check who you are and change the address.',
          },
        ],
      },
      {
        id: 'good-password',
        question: { pl: 'Jakie hasło portal przyjmie?', en: 'Which password does the portal accept?' },
        answer: [
          {
            pl: 'Co najmniej 13 znaków, a\u00a0wśród nich wielka litera, mała litera, cyfra i\u00a0znak specjalny, na przykład kropka, myślnik albo wykrzyknik.',
            en: 'At least 13 characters, among them a capital letter, a small letter, a digit and a special character, such as a full stop, a dash or an exclamation mark.',
          },
          {
            pl: 'Najłatwiej zapamiętać kilka słów obok siebie. Hasło możesz wkleić i\u00a0zapisać w\u00a0menedżerze haseł. Obecne i\u00a0pięć poprzednich haseł nie może wrócić.',
            en: 'A few words side by side are easiest to remember. You can paste the password and keep it in a password manager. The current and the last five passwords cannot come back.',
          },
        ],
      },
      {
        id: 'signed-out',
        question: { pl: 'Dlaczego portal mnie wylogował?', en: 'Why did the portal log me out?' },
        answer: [
          {
            pl: 'Po 15 minutach bez aktywności kończymy sesję, żeby nikt inny nie skorzystał z\u00a0Twojego konta. Dwie minuty wcześniej pytamy, czy chcesz pracować dalej. Jedna sesja trwa najwyżej 8 godzin.',
            en: 'After 15 minutes without activity we end the session, so that nobody else can use your account. Two minutes before, we ask whether you want to go on. One session lasts 8 hours at most.',
          },
          {
            pl: 'Po ponownym zalogowaniu wrócisz na tę samą stronę.',
            en: 'When you log in again, you come back to the same page.',
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
          en: 'The text-message code has not come. What should I check?',
        },
        answer: [
          {
            pl: 'Kod zwykle przychodzi w\u00a0mniej niż minutę, czasem po 5 minutach. Sprawdź zasięg i\u00a0to, czy ostatnie cyfry numeru na ekranie są Twoje.',
            en: 'The code usually comes in less than a minute, sometimes after 5 minutes. Check the signal, and whether the last digits of the number on the screen are yours.',
          },
          {
            pl: 'Po minucie możesz wysłać nowy kod. Poprzedni przestaje wtedy działać. Po trzech wiadomościach jest 15 minut przerwy: zadzwoń do nas, jeśli nadal nic nie przyszło.',
            en: 'After a minute you can send a new code. The one before then stops working. After three messages there is a break of 15 minutes: call us if nothing has come.',
          },
        ],
      },
      {
        id: 'code-refused',
        question: { pl: 'Kod się nie zgadza. Dlaczego?', en: 'The code does not match. Why?' },
        answer: [
          {
            pl: 'Najczęściej dlatego, że pochodzi ze starszej wiadomości. Każda wiadomość ma numer: wpisz kod z\u00a0tej, którą podaje ekran. Kod działa 10 minut, a\u00a0po 5 błędnych wpisach trzeba zacząć od nowa.',
            en: 'Most often because it comes from an older message. Every message has a number: enter the code from the one that the screen names. A code works for 10 minutes, and after 5 wrong entries you have to start again.',
          },
          {
            pl: 'Kod z\u00a0logowania nie zadziała przy innej czynności. Treść SMS-a mówi, do czego służy kod.',
            en: 'A code for logging in does not work for anything else. The text message says what its code is for.',
          },
        ],
      },
      {
        id: 'why-another-code',
        question: {
          pl: 'Dlaczego portal prosi o\u00a0kod jeszcze raz, skoro jestem po zalogowaniu?',
          en: 'Why am I asked for a code again after logging in?',
        },
        answer: [
          {
            pl: 'Czynności, których nie da się łatwo cofnąć, jak pokazanie kodu QR, potwierdzasz osobnym kodem. Dzięki temu nikt nie zrobi tego przy Twoim odblokowanym komputerze.',
            en: 'Acts that cannot easily be undone, such as showing the QR code, are confirmed with a code of their own. So nobody can do them at your unlocked computer.',
          },
        ],
      },
      {
        id: 'lost-number',
        question: {
          pl: 'Nie mam już tego numeru telefonu. Jak się zalogować?',
          en: 'I no longer have that phone number. How do I log in?',
        },
        answer: [
          {
            pl: 'Zaloguj się kluczem dostępu, jeśli go masz. Jeśli nie, zadzwoń do nas: bez kodu SMS nie zalogujesz się do portalu, a\u00a0numer zmienimy po sprawdzeniu Twojej tożsamości. Certyfikaty działają przez cały ten czas.',
            en: 'Log in with a passkey, if you have one. If not, call us: you cannot log in without a text-message code, and we will change the number once we have checked who you are. Your certificates keep working all the while.',
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
          pl: 'Certyfikat się skończył. Czy dokumenty podpisane wcześniej są ważne?',
          en: 'My certificate has ended. Are documents signed before still valid?',
        },
        answer: [
          {
            pl: 'Tak. Liczy się to, że certyfikat był ważny w\u00a0chwili podpisania. Po końcu ważności nie złożysz nim tylko nowych podpisów.',
            en: 'Yes. What counts is that the certificate was valid at the moment of signing. After its end you only cannot make new signatures with it.',
          },
          {
            pl: 'Chwilę podpisania najpewniej potwierdza kwalifikowany znacznik czasu w\u00a0dokumencie.',
            en: 'The moment of signing is best proven by a qualified timestamp in the document.',
          },
        ],
      },
      {
        id: 'agreement',
        question: { pl: 'Skąd pobrać umowę?', en: 'Where do I download my agreement?' },
        answer: [
          {
            pl: 'Otwórz „Certyfikaty”, znajdź swój podpis i\u00a0wybierz „Pobierz umowę”. To plik PDF. Umowa do nowego podpisu bywa gotowa po kilku minutach.',
            en: 'Open “Certificates”, find your signature and choose “Download agreement”. It is a PDF file. The agreement of a new signature may take a few minutes to be ready.',
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
            pl: 'Żeby nikt nie odczytał go przez ramię ani ze zrzutu ekranu. Cały numer pokażesz, naciskając oko obok niego. Sam certyfikat zawiera cały numer i\u00a0zobaczy go każdy, kto dostanie podpisany dokument.',
            en: 'So that nobody reads it over your shoulder or from a screenshot. Press the eye next to it to see the whole number. The certificate itself contains the whole number, and everyone who receives a signed document can see it.',
          },
        ],
      },
      {
        id: 'lost-device',
        question: {
          pl: 'Karta albo telefon z\u00a0podpisem zaginęły. Co zrobić?',
          en: 'My card or phone with the signature is lost. What do I do?',
        },
        answer: [
          {
            pl: 'Od razu zawieś certyfikat: na ekranie „Start” wybierz „Zawieś lub unieważnij certyfikat” albo zadzwoń do nas. Zawieszenie można cofnąć, unieważnienia nie.',
            en: 'Suspend the certificate at once: on “Home” choose “Suspend or revoke a certificate”, or call us. A suspension can be lifted, a revocation cannot.',
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
          en: 'How do I connect my signature with the mobile app?',
        },
        answer: [
          {
            pl: 'Otwórz „Certyfikaty”, przy podpisie w\u00a0aplikacji wybierz „Pokaż kod QR” i\u00a0potwierdź to kodem SMS. Zeskanuj kod aplikacją i\u00a0dokończ zgodnie z\u00a0tym, co jest obok kodu. Kod QR widać najwyżej 5 minut, potem możesz poprosić o\u00a0nowy.',
            en: 'Open “Certificates”, choose “Show QR code” at the signature in the app and confirm with a text-message code. Scan the code with the app and finish as it says next to the code. The QR code shows for 5 minutes at most; after that you can ask for a new one.',
          },
          {
            pl: 'Jeśli aplikacja pokazuje sześć cyfr, zmieniają się one co 30 sekund. To nie błąd: każde z\u00a0nich działają tylko raz.',
            en: 'If the app shows six digits, they change every 30 seconds. That is not a fault: each of them works only once.',
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
            pl: 'Nie trzeba. Na telefonie nad kodem QR jest zwykle przycisk „Otwórz w\u00a0aplikacji”. Jeśli go nie ma albo nic się nie otwiera, skopiuj tekst spod kodu i\u00a0wklej go w\u00a0aplikacji.',
            en: 'You do not have to. On a phone there is usually the button “Open in the app” above the QR code. If there is none or nothing opens, copy the text below the code and paste it into the app.',
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
            en: 'Install the app on the new phone and connect it just as the first time. Then remove the signature from the app on the old phone.',
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
            pl: 'Od 90 dni przed końcem ważności. Najlepiej zacznij co najmniej 7 dni wcześniej, żeby zdążyć z\u00a0dokumentami. Przypomnimy Ci e-mailem.',
            en: 'From 90 days before it ends. Best start at least 7 days before, to have time for the documents. We will remind you by e-mail.',
          },
        ],
      },
      {
        id: 'code-is-not-renewal',
        question: {
          pl: 'Mam kod odnowienia. Czy podpis jest już odnowiony?',
          en: 'I have a renewal code. Is my signature renewed now?',
        },
        answer: [
          {
            pl: 'Jeszcze nie. Kod to dopiero zapłata. Wpisz go na ekranie „Start” lub na liście podpisów i\u00a0przejdź cztery kroki. Odnowienie kończy się, gdy podpiszesz dokumenty i\u00a0wydamy nowy certyfikat.',
            en: 'Not yet. The code is only the payment. Enter it on “Home” or in the list of signatures and go through four steps. The renewal is finished once you have signed the documents and we have issued the new certificate.',
          },
        ],
      },
      {
        id: 'expired-renewal',
        question: { pl: 'Certyfikat wygasł. Czy mogę go odnowić?', en: 'My certificate has expired. Can I renew it?' },
        answer: [
          {
            pl: 'Nie. Odnowienie potwierdzasz podpisem, który musi być jeszcze ważny. Kup nowy podpis i\u00a0potwierdź tożsamość ponownie. Link do sklepu jest na ekranie „Start”.',
            en: 'No. A renewal is confirmed with your signature, which must still be valid. Buy a new signature and confirm your identity again. The link to the shop is on “Home”.',
          },
        ],
      },
    ],
  },
  {
    id: 'blocking',
    title: { pl: 'Blokada konta i\u00a0bezpieczeństwo', en: 'Blocked account and safety' },
    questions: [
      {
        id: 'blocked-account',
        question: {
          pl: 'Moje konto jest zablokowane. Czy mój podpis działa?',
          en: 'My account is blocked. Does my signature work?',
        },
        answer: [
          {
            pl: 'Tak. Blokada dotyczy tylko portalu, a\u00a0certyfikaty działają bez zmian. Konto blokuje się po 10 błędnych hasłach w\u00a0ciągu doby. Na urządzeniu, na którym już się logujesz, i\u00a0kluczem dostępu wejdziesz mimo to.',
            en: 'Yes. Only the portal is blocked; your certificates work as before. An account is blocked after 10 wrong passwords within a day. On a device that you log in on already, and with a passkey, you get in all the same.',
          },
          {
            pl: 'Aby je odblokować, ustaw nowe hasło przez „Nie pamiętasz hasła?”. Jeśli to nie Ty wpisujesz błędne hasła, zadzwoń do nas.',
            en: 'To unblock it, set a new password with “Forgot password?”. If it is not you who enters wrong passwords, call us.',
          },
        ],
      },
      {
        id: 'suspicious-message',
        question: {
          pl: 'Przyszedł SMS z\u00a0kodem, choć nic nie robię w\u00a0portalu. Co to znaczy?',
          en: 'A text message with a code has come although I am doing nothing in the portal. What does it mean?',
        },
        answer: [
          {
            pl: 'Ktoś zna Twoje hasło i\u00a0próbuje się zalogować. Nie podawaj nikomu kodu, także osobie, która przedstawia się jako nasz pracownik. Zmień hasło i\u00a0zadzwoń do nas.',
            en: 'Somebody knows your password and is trying to log in. Give the code to nobody, not even to a person who claims to work for us. Change your password and call us.',
          },
        ],
      },
    ],
  },
]
