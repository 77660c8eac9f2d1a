import { limits } from '../../contract/limits.ts'
import type { Topic } from './topic.ts'

/** Documents and files, and their signatures. */
export const documentTopics: readonly Topic[] = [
  {
    id: 'documents',
    title: { pl: 'Dokumenty', en: 'Documents' },
    answers: {
      'sign-document': [
        {
          features: ['signing'],
          pl: 'Z\u00a0podpisem w\u00a0aplikacji mobilnej otwórz stronę „Dokumenty”, wybierz „Przeczytaj i\u00a0podpisz”, otwórz dokument kodem z\u00a0e-maila, przeczytaj go i\u00a0potwierdź podpis kodem SMS.',
          en: 'With a signature in the mobile app, go to “Documents”, choose “Read and sign”, open the document with the code from the e-mail, read it, and confirm your signature with a text-message code.',
        },
        {
          pl: 'Z\u00a0podpisem na karcie lub w\u00a0pliku pobierz ze strony „Dokumenty” plik PDF, podpisz go swoim programem w\u00a0formacie PAdES i\u00a0prześlij z\u00a0powrotem. Zanim dokument do nas trafi, portal sprawdzi podpis i\u00a0pokaże wynik.',
          en: 'With a signature on a card or in a file, download the document from “Documents”, sign it with your software in the PAdES format and upload it. Before it reaches us, the portal checks the signature and shows you the result.',
        },
      ],
      'document-code': [
        {
          pl: 'Wysyłamy go e-mailem, gdy pobierasz albo otwierasz dokument. Ma 16\u00a0znaków. Wielkość liter, spacje i\u00a0myślniki nie mają znaczenia. Kod zostaje w\u00a0Twojej przeglądarce: nigdzie go nie wysyłamy.',
          en: 'We e-mail it when you download or open the document. It has 16\u00a0characters; upper or lower case, spaces and dashes don’t matter. The code stays in your browser: we don’t send it anywhere.',
        },
        {
          pl: `Nie dotarł? Sprawdź folder spam. Ten sam kod możesz wysłać jeszcze raz po minucie, do ${limits.documents.codes.limit}\u00a0razy w\u00a0ciągu doby.`,
          en: `Didn’t get it? Check your spam folder. You can ask for the same code again after a minute, up to ${limits.documents.codes.limit}\u00a0times within a day.`,
        },
      ],
      'document-not-ready': [
        {
          pl: 'Jeśli dokument jest jeszcze przygotowywany, poczekaj chwilę i\u00a0sprawdź ponownie. Zwykle trwa to kilka minut. Jeśli plik dokumentu jest niedostępny, zadzwoń do nas: trzeba go odtworzyć.',
          en: 'If the document is still being prepared, wait a moment and check again. It usually takes a few minutes. If its file isn’t available, call us: it has to be restored.',
        },
      ],
      'file-refused': [
        {
          pl: `Przyjmujemy plik PDF do ${limits.http.pdfBytes / 1_048_576}\u00a0MB: dokument pobrany z\u00a0tej samej sprawy, podpisany przez Ciebie w\u00a0formacie PAdES ważnym podpisem kwalifikowanym i\u00a0poza tym niezmieniony. Zdjęcie, skan, wydruk do PDF ani plik z\u00a0innej sprawy nie wystarczą.`,
          en: `We accept a PDF file of up to ${limits.http.pdfBytes / 1_048_576}\u00a0MB: the document downloaded from the same case, signed by you in the PAdES format with a valid qualified signature, and otherwise unchanged. A photo, a scan, a print to PDF or a file from another case isn’t enough.`,
        },
        {
          pl: 'Najczęściej pomaga pobranie dokumentu jeszcze raz i\u00a0podpisanie go bez żadnych innych zmian, także bez zapisywania w\u00a0innym programie. Nie szyfruj pliku własnym hasłem. Jeśli plik zawiera złośliwe oprogramowanie, sprawdź najpierw komputer programem antywirusowym.',
          en: 'It usually helps to download the document again and sign it without changing anything else, and without saving it in another program. Don’t encrypt the file with a password of your own. If malware was found in the file, check your computer with antivirus software first.',
        },
        {
          pl: `Wybrany plik czeka na Twoje potwierdzenie ${limits.documents.staged / 60}\u00a0minut. Potem wybierz go jeszcze raz.`,
          en: `The file you’ve chosen waits ${limits.documents.staged / 60}\u00a0minutes for you to confirm it. After that, choose it again.`,
        },
      ],
      'after-upload': [
        {
          pl: 'Przesłania nie można cofnąć. Sprawdzamy dokument i\u00a0wysyłamy wynik e-mailem. Jeśli wszystko się zgadza, podpisujemy go z\u00a0naszej strony, a\u00a0dokument z\u00a0podpisami obu stron pobierzesz z\u00a0listy.',
          en: 'An upload can’t be undone. We check the document and e-mail you the result. If everything’s right, we sign it too, and you can download the document with both signatures from the list.',
        },
        {
          pl: 'Jeśli nie przyjmiemy pliku, sprawa ma status „Odrzucono”, a\u00a0przy niej podajemy powód i\u00a0co zrobić dalej.',
          en: 'If we don’t accept the file, the case has the status “Rejected” and says why, and what to do next.',
        },
      ],
      'check-file': [
        {
          pl: 'Na dole strony wybierz „Sprawdź podpisany plik” i\u00a0wskaż plik PDF. Zobaczysz, kto i\u00a0kiedy go podpisał, czy ktoś go potem zmienił i\u00a0czy certyfikat był ważny. Nie musisz się logować.',
          en: 'At the bottom of the page, choose “Check a signed file” and pick a PDF file. You’ll see who signed it and when, whether anyone changed it afterwards, and whether the certificate was valid. You don’t need to sign in.',
        },
        {
          pl: 'Plik nie opuszcza Twojego urządzenia: sprawdza go przeglądarka. Do portalu trafiają tylko certyfikaty podpisów, abyśmy mogli zapytać wystawców, czy nie są unieważnione.',
          en: 'The file doesn’t leave your device: your browser checks it. Only the certificates of its signatures reach the portal, so that we can ask their issuers whether they’ve been revoked.',
        },
      ],
      'sign-files': [
        {
          pl: 'W\u00a0menu wybierz „Podpisz pliki” i\u00a0wskaż do 20 plików PDF. Podpiszesz je wszystkie jednym kodem SMS. Potem zapisz wynik, bo portal go nie ma.',
          en: 'In the menu, choose “Sign files” and pick up to 20 PDF files. You sign all of them with one text-message code. Then save the result, because the portal doesn’t have it.',
        },
        {
          features: ['signatures'],
          pl: 'Użyj swojego podpisu w\u00a0aplikacji mobilnej.',
          en: 'Use your signature in the mobile app.',
        },
        {
          features: ['seals'],
          pl: 'Pliki firmy możesz opatrzyć jej pieczęcią.',
          en: 'You can put your organisation’s seal on its files.',
        },
        {
          pl: 'Pliki nie opuszczają Twojego urządzenia. Portal dostaje tylko ich skróty, z\u00a0których nie da się odczytać treści, i\u00a0certyfikaty podpisów, aby sprawdzić, czy nie są unieważnione.',
          en: 'The files don’t leave your device. We only receive a fingerprint of each file, which reveals nothing about its content, and the certificates of any signatures in it, to check that they haven’t been revoked.',
        },
      ],
      'signing-failed': [
        {
          pl: `Nic nie przepadło: zacznij podpisywanie od\u00a0nowa. Na potwierdzenie w\u00a0usłudze podpisu masz najwyżej ${limits.signing.life / 60}\u00a0minut, a\u00a0w\u00a0aplikacji zwykle krócej. Potem, i\u00a0po zmianie dokumentu lub certyfikatu, poprzedni kod już nie działa.`,
          en: `Nothing’s lost: start signing again. You have at most ${limits.signing.life / 60}\u00a0minutes to confirm with the signing service, and usually less in its app. After that, or when the document or the certificate has changed, the earlier code no longer works.`,
        },
        {
          pl: 'Sprawdź, czy certyfikat nie wygasł i\u00a0nie jest zawieszony. Jeśli usługa podpisu odmawia, zadzwoń do nas.',
          en: 'Check that your certificate hasn’t expired and isn’t suspended. If the signing service refuses, call us.',
        },
        {
          features: ['documents'],
          pl: 'Dokument ze strony „Dokumenty” możesz też pobrać, podpisać innym podpisem kwalifikowanym i\u00a0przesłać.',
          en: 'You can also download a document from “Documents”, sign it with another qualified signature and upload it.',
        },
      ],
    },
  },
]

/** Timestamps and vouchers. */
export const serviceTopics: readonly Topic[] = [
  {
    id: 'timestamps',
    title: { pl: 'Znaczniki czasu', en: 'Timestamps' },
    answers: {
      'what-is-a-timestamp': [
        {
          pl: 'Kwalifikowany znacznik czasu potwierdza, że dokument istniał w\u00a0tej postaci w\u00a0danej chwili. Dzięki niemu podpis można sprawdzić także po wygaśnięciu certyfikatu.',
          en: 'A qualified timestamp proves that a document existed in this form at a given moment. With it, a signature can be checked even after its certificate has expired.',
        },
      ],
      'connect-timestamps': [
        {
          pl: 'Na stronie „Znacznik czasu” wybierz przy koncie „Podłącz program” i\u00a0przepisz adres serwera oraz login do ustawień programu, który podpisuje dokumenty. Program musi obsługiwać protokół RFC 3161. Hasło konta znaczników jest inne niż hasło do portalu.',
          en: 'On the Timestamps page, choose “Connect software” on the account, and copy the server address and the username into the settings of the software you sign documents with. It has to support RFC 3161. The password of a timestamp account isn’t your password for the portal.',
        },
      ],
      'timestamps-rejected': [
        {
          pl: 'Najczęściej skończyły się znaczniki, pakiet wygasł albo program ma stare hasło. Stan konta pokazuje strona „Znacznik czasu”. Nowy pakiet działa od początku swojej ważności, zwykle od razu, a\u00a0pakiet miesięczny odnawia się co miesiąc w\u00a0tym samym dniu.',
          en: 'Usually because there are no timestamps left, the package has expired, or the software is using an old password. The Timestamps page shows the state of the account. A new package works from the start of its validity, usually immediately, and a monthly one refills on the same day each month.',
        },
        {
          pl: `Napiszemy do Ciebie, gdy zostanie ${limits.timestamps.lowPercent}% znaczników, gdy się skończą, i\u00a0przed wygaśnięciem pakietu.`,
          en: `We’ll e-mail you when ${limits.timestamps.lowPercent}% of the timestamps are left, when there are none left, and before a package expires.`,
        },
      ],
      'timestamp-packages': [
        {
          pl: 'Najpierw z\u00a0miesięcznego, potem z\u00a0jednorazowych, od tego, który wygasa najwcześniej, a\u00a0na końcu z\u00a0pakietu bez limitu. W\u00a0pakietach konta na stronie „Znacznik czasu” zobaczysz, z\u00a0którego korzystasz teraz.',
          en: 'A monthly one first, then one-time packages, beginning with the one that expires first, and an unlimited one last. On the Timestamps page, the account’s packages show which one you’re using now.',
        },
      ],
      'timestamp-password': [
        {
          pl: `Na stronie „Znacznik czasu” wybierz przy koncie „Zmień hasło”. Potrzeba co najmniej ${limits.timestamps.password.min}\u00a0znaków, wielkiej litery i\u00a0cyfry. Nowe hasło działa od razu, więc zaktualizuj je też w\u00a0swoich programach: do tego czasu serwer będzie odrzucał ich żądania.`,
          en: `On the Timestamps page, choose “Change password” on the account. You need at least ${limits.timestamps.password.min}\u00a0characters, an upper-case letter and a digit. The new password works immediately, so update it in your software too: until then, its requests will be rejected.`,
        },
        {
          pl: 'Konto, do którego program loguje się certyfikatem, nie ma hasła. Jeśli portal nie może zmienić hasła konta, zadzwoń do nas.',
          en: 'An account that your software signs in to with a certificate has no password. If the portal can’t change the password of an account, call us.',
        },
      ],
    },
  },
  {
    id: 'vouchers',
    title: { pl: 'Kupione kody', en: 'Codes you’ve bought' },
    answers: {
      'use-voucher': [
        {
          pl: 'Na stronie „Start”, w\u00a0polu „Kod voucher”. Kod ma 16\u00a0znaków. Wielkość liter, spacje i\u00a0myślniki nie mają znaczenia.',
          en: 'On “Home”, in the field “Voucher code”. The code has 16\u00a0characters; upper or lower case, spaces and dashes don’t matter.',
        },
        {
          features: ['renewal'],
          pl: 'Tam też wpiszesz kod odnowienia: przeprowadzimy Cię przez kolejne kroki.',
          en: 'You can enter a renewal code there too, and we’ll guide you through the next steps.',
        },
      ],
      'voucher-refused': [
        {
          features: ['vouchers'],
          pl: 'Kod voucher wpisujesz na stronie „Start”, w\u00a0polu „Kod voucher”.',
          en: 'A voucher code goes into the field “Voucher code” on “Home”.',
        },
        {
          features: ['renewal'],
          pl: 'Kod odnowienia wpiszesz na liście podpisów.',
          en: 'Enter a renewal code in the list of signatures.',
        },
        {
          pl: 'Porównaj kod z\u00a0wiadomością, w\u00a0której go masz. Każdy kod działa tylko raz i\u00a0może mieć termin ważności. Kod SMS to inny kod: w\u00a0tym polu nie zadziała.',
          en: 'Compare the code with the message you got it in. A code works only once and may expire. A text-message code is a different code: it doesn’t work in this field.',
        },
        {
          features: ['documents'],
          pl: 'Kod do dokumentu też tu nie zadziała.',
          en: 'A document code doesn’t work here either.',
        },
        {
          pl: `Po ${limits.voucher.wrongPerAccount.limit} błędnych kodach pole jest zablokowane na ${limits.voucher.wrongPerAccount.window / 3600}\u00a0godziny. Jeśli kod jest dobry, a\u00a0portal go nie przyjmuje, zadzwoń do nas.`,
          en: `After ${limits.voucher.wrongPerAccount.limit} wrong codes, the field is blocked for ${limits.voucher.wrongPerAccount.window / 3600}\u00a0hours. If the code is right and the portal doesn’t accept it, call us.`,
        },
      ],
      'after-voucher': [
        {
          pl: 'Otwieramy sprawę, na przykład wniosek o\u00a0certyfikat, i\u00a0wysyłamy potwierdzenie e-mailem. Jej status sprawdzisz na stronie „Moje sprawy”. Gdy będziemy czegoś od Ciebie potrzebować, napiszemy.',
          en: 'We open a case, such as an application for a certificate, and e-mail you a confirmation. You can follow it in “My cases”. We’ll e-mail you if we need anything from you.',
        },
      ],
    },
  },
]

/** The portal itself. */
export const portalTopics: readonly Topic[] = [
  {
    id: 'portal',
    title: { pl: 'Działanie portalu', en: 'The portal itself' },
    answers: {
      'portal-unavailable': [
        {
          pl: 'Tak. Twoje certyfikaty działają niezależnie od portalu. Spróbuj ponownie za kilka minut. Jeśli to nie pomoże albo nie możesz czekać, zadzwoń do nas i\u00a0podaj numer zgłoszenia, jeśli widać go na ekranie.',
          en: 'Yes. Your certificates work independently of the portal. Try again in a few minutes. If that doesn’t help, or if it’s urgent, call us, and give us the reference if one is shown on the screen.',
        },
        {
          pl: 'Jeśli portal nie ma miejsca na plik, wyślij go jeszcze raz za godzinę. Z\u00a0plikiem wszystko jest w\u00a0porządku.',
          en: 'If the portal has no room for a file, send it again in an hour. There’s nothing wrong with the file.',
        },
      ],
      'page-out-of-date': [
        {
          pl: 'Najczęściej coś zmieniło się w\u00a0innej karcie albo na innym urządzeniu, portal został zaktualizowany lub strona była długo otwarta. Odśwież ją i\u00a0zacznij czynność jeszcze raz. To, co zostało już zapisane, nie przepadło.',
          en: 'Usually something has changed in another tab or on another device, the portal has been updated, or the page has been open for a long time. Refresh it and start again. What’s already been saved isn’t lost.',
        },
      ],
      'no-network': [
        {
          pl: 'Offline zobaczysz menu, pytania i\u00a0odpowiedzi oraz listy, które portal ostatnio wczytał po Twoim zalogowaniu. Pasek u\u00a0góry podaje, z\u00a0kiedy są te dane. Zmienisz coś dopiero wtedy, gdy połączenie wróci: strona odświeży się sama.',
          en: 'Offline, you can see the menu, these questions and answers, and the lists that the portal last loaded while you were signed in. A bar at the top says when that was. To change anything, you need a connection: once it’s back, the page refreshes by itself.',
        },
        {
          pl: 'Dane zostają w\u00a0przeglądarce tylko do końca sesji. Gdy się wylogujesz, usuwamy je od razu. Jeśli przeglądarka oszczędza dane, portal niczego na taką chwilę nie zapisuje.',
          en: 'The data stays in your browser only until your session ends. When you sign out, we delete it right away. If your browser is set to save data, the portal stores nothing for such moments.',
        },
      ],
      'install-portal': [
        {
          pl: 'W\u00a0Chrome lub Edge na komputerze wybierz ikonę instalacji na końcu paska adresu, a\u00a0na telefonie z\u00a0Androidem „Dodaj do ekranu głównego” w\u00a0menu przeglądarki. Na iPhonie otwórz portal w\u00a0Safari, naciśnij „Udostępnij” i\u00a0wybierz „Do ekranu początkowego”.',
          en: 'In Chrome or Edge on a computer, choose the install icon at the end of the address bar; on an Android phone, “Add to Home screen” in the browser’s menu. On an iPhone, open the portal in Safari, tap “Share” and choose “Add to Home Screen”.',
        },
        {
          features: ['signatures', 'seals'],
          pl: 'To ten sam portal, ten sam login i\u00a0to samo hasło. Nie zastępuje aplikacji mobilnej do podpisywania.',
          en: 'It’s the same portal, with the same username and password. It doesn’t replace the mobile app for signing.',
        },
      ],
    },
  },
]
