import { limits } from '../../contract/limits.ts'
import type { Topic } from './topic.ts'

/** Signing in, and what it needs. */
export const accountTopics: readonly Topic[] = [
  {
    id: 'sign-in',
    title: { pl: 'Logowanie i\u00a0hasło', en: 'Signing in and your password' },
    answers: {
      'sign-in-refused': [
        {
          pl: 'Sprawdź, czy to login do tego portalu i\u00a0czy klawisz Caps Lock jest wyłączony. Hasło możesz pokazać ikoną oka w\u00a0polu. Dla bezpieczeństwa nie piszemy, czy nie zgadza się login, czy hasło.',
          en: 'Check that it’s your username for this portal and that Caps Lock is off. The eye in the field shows your password. To keep accounts safe, we don’t say whether it’s the username or the password that’s wrong.',
        },
        {
          pl: `Nie pamiętasz hasła? Ustaw nowe, zamiast zgadywać: po ${limits.signIn.pause.limit} błędnych hasłach trzeba poczekać ${limits.signIn.pause.window / 60}\u00a0minut, a\u00a0po ${limits.signIn.block.limit} w\u00a0ciągu doby konto się blokuje.`,
          en: `Forgotten your password? Set a new one instead of guessing: after ${limits.signIn.pause.limit} wrong passwords you have to wait ${limits.signIn.pause.window / 60}\u00a0minutes, and after ${limits.signIn.block.limit} within a day the account is blocked.`,
        },
      ],
      'login-or-email': [
        {
          pl: 'Jednym albo drugim. Login znajdziesz w\u00a0wiadomości z\u00a0zaproszeniem. Jeśli konto założono na stronie portalu, loginem jest adres e-mail.',
          en: 'Either one. Your username is in the invitation e-mail. If you created the account yourself, your e-mail address is your username.',
        },
        {
          pl: 'Wielkość liter w\u00a0loginie i\u00a0e-mailu nie ma znaczenia. W\u00a0haśle ma.',
          en: 'Upper and lower case don’t matter in the username or e-mail address. They do in the password.',
        },
      ],
      'forgot-password': [
        {
          pl: 'Na stronie logowania wybierz „Nie pamiętasz hasła?” i\u00a0wpisz swój adres e-mail. Wyślemy link do ustawienia nowego hasła.',
          en: 'On the sign-in page, choose “Forgot password?” and enter your e-mail address. We’ll send you a link to set a new password.',
        },
        {
          pl: `Link działa ${limits.link.reset / 60}\u00a0minut i\u00a0tylko raz. Jeśli poprosisz o\u00a0kilka linków, użyj najnowszego: pozostałe przestaną wtedy działać.`,
          en: `You can use the link once. It expires in ${limits.link.reset / 60}\u00a0minutes. If you ask for several links, use the newest one: the others will then stop working.`,
        },
        {
          pl: 'Nie masz już dostępu do tej skrzynki? Zadzwoń do nas. Potwierdzimy Twoją tożsamość i\u00a0zmienimy adres.',
          en: 'Lost access to that mailbox? Call us. We’ll verify your identity and change the address.',
        },
      ],
      'link-not-working': [
        {
          pl: `Każdy link działa tylko raz i\u00a0przez określony czas: do nowego hasła ${limits.link.reset / 60}\u00a0minut, z\u00a0zaproszenia ${limits.link.invitation / 86_400}\u00a0dni. Z\u00a0zaproszeń działa tylko najnowsze. Gdy ustawisz hasło, pozostałe linki przestają działać. Linki do nowego hasła przestają działać także po zalogowaniu.`,
          en: `You can use every link once, and only for a limited time: a link for a new password for ${limits.link.reset / 60}\u00a0minutes, one in an invitation for ${limits.link.invitation / 86_400}\u00a0days. Only the newest invitation works. Once you’ve set your password, the other links stop working. Links for a new password also stop working once you sign in.`,
        },
        {
          features: ['registration'],
          pl: `Link do założenia konta działa ${limits.link.registration / 3600}\u00a0godziny.`,
          en: `A link for a new account works for ${limits.link.registration / 3600}\u00a0hours.`,
        },
        {
          pl: 'Poproś o\u00a0nowy link: przyciskiem na tej stronie, na którą prowadzi link, albo na stronie logowania przez „Nie pamiętasz hasła?”. Jeśli program pocztowy podzielił adres na dwa wiersze, skopiuj go w\u00a0całości.',
          en: 'Ask for a new link: with the button on the page that the link opens, or with “Forgot password?” on the sign-in page. If your e-mail app broke the address into two lines, copy all of it.',
        },
      ],
      'email-not-received': [
        {
          pl: 'Sprawdź folder spam. Sprawdź też, czy podajesz adres, na który jest założone konto. Link do nowego hasła wysyłamy tylko na ten adres. Dla bezpieczeństwa nie podajemy, czy konto istnieje.',
          en: 'Check your spam folder. Also check that you’re entering the address of your account. We only send links for a new password to that address. To keep accounts safe, we don’t say whether an account exists.',
        },
        {
          pl: `O\u00a0link do nowego hasła możesz prosić kilka razy. Po ${limits.reset.perAccount.limit} wiadomościach w\u00a0ciągu godziny kolejną wysyłamy najwcześniej po ${limits.reset.spaced.window / 60}\u00a0minutach. Jeśli niedawno zmieniliśmy Twój adres e-mail lub numer telefonu, przez pewien czas, zwykle 24\u00a0godziny, nie wysyłamy linków do nowego hasła. W\u00a0wiadomości podamy wtedy, od kiedy możesz o\u00a0nie poprosić.`,
          en: `You can ask for a link for a new password several times. After ${limits.reset.perAccount.limit} e-mails within an hour, we send the next one after ${limits.reset.spaced.window / 60}\u00a0minutes at the earliest. If we’ve recently changed your e-mail address or phone number, we don’t send links for a new password for some time, usually 24\u00a0hours. Our e-mail then says when you can ask for one.`,
        },
        { pl: 'Nadal nic? Zadzwoń do nas.', en: 'Still nothing? Call us.' },
      ],
      'good-password': [
        {
          pl: `Co najmniej ${limits.password.min}\u00a0znaków, a\u00a0wśród nich wielka litera, mała litera, cyfra i\u00a0znak specjalny, na przykład kropka, myślnik albo wykrzyknik.`,
          en: `At least ${limits.password.min}\u00a0characters, with an upper-case letter, a lower-case letter, a digit and a special character, such as a full stop, a dash or an exclamation mark.`,
        },
        {
          pl: `Najłatwiej zapamiętać kilka słów. Hasło możesz wkleić i\u00a0zapisać w\u00a0menedżerze haseł. Nie ustawisz ponownie obecnego ani ${limits.password.remembered} poprzednich haseł, hasła z\u00a0Twoich danych ani takiego, które już kiedyś wyciekło.`,
          en: `A few words in a row are easiest to remember. You can paste the password and keep it in a password manager. You can’t reuse your current password or your last ${limits.password.remembered}, and you can’t use one made of your own details or one known from a leak.`,
        },
      ],
      'too-many-attempts': [
        {
          pl: 'W\u00a0komunikacie podajemy, po jakim czasie można spróbować ponownie. Limit chroni Twoje konto przed zgadywaniem haseł i\u00a0kodów. Odświeżanie strony go nie skraca.',
          en: 'The message says how long you have to wait. The limit protects your account from people who guess passwords and codes. Refreshing the page doesn’t shorten the wait.',
        },
        {
          pl: `Po ${limits.signIn.pause.limit} błędnych hasłach przerwa trwa ${limits.signIn.pause.window / 60}\u00a0minut. Kody SMS do czynności jednego rodzaju można błędnie wpisać ${limits.code.wrongPerPurpose.limit}\u00a0razy w\u00a0ciągu doby. Jeśli to pilne, zadzwoń do nas.`,
          en: `After ${limits.signIn.pause.limit} wrong passwords, the wait is ${limits.signIn.pause.window / 60}\u00a0minutes. Within a day, you can enter ${limits.code.wrongPerPurpose.limit} wrong text-message codes for one kind of action. If it’s urgent, call us.`,
        },
        {
          pl: 'Komunikat „Za dużo zapytań naraz” oznacza, że z\u00a0Twojej sieci przyszło ich zbyt wiele w\u00a0krótkim czasie, na przykład z\u00a0kilku otwartych kart. Poczekaj minutę i\u00a0spróbuj ponownie.',
          en: '“Too many requests at once” means that too many came from your network in a short time, such as from several open tabs. Wait a minute and try again.',
        },
      ],
      'bot-check': [
        {
          pl: 'Aby formularze wypełniali ludzie, a\u00a0nie programy, które na przykład zgadują hasła. Sprawdzenie odbywa się zwykle samo, zanim wyślesz formularz.',
          en: 'So that people fill in the forms, and not programs that guess passwords, for example. The check usually runs by itself before the form is sent.',
        },
        {
          pl: 'Jeśli się nie udaje, odśwież stronę, zaktualizuj przeglądarkę i\u00a0wyłącz na tej stronie dodatki, które blokują skrypty. Jeśli to nie pomoże, zadzwoń do nas.',
          en: 'If it fails, refresh the page, update your browser, and switch off add-ons that block scripts on this page. If that doesn’t help, call us.',
        },
      ],
      'signed-out': [
        {
          pl: `Po pewnym czasie bez aktywności, zwykle po ${limits.session.idle / 60}\u00a0minutach, kończymy sesję, aby nikt inny nie skorzystał z\u00a0Twojego konta. Na ${limits.session.warning / 60}\u00a0minuty przed końcem pytamy, czy chcesz pracować dalej. Jedna sesja trwa zwykle najwyżej ${limits.session.absolute / 3600}\u00a0godzin. Po ponownym zalogowaniu wrócisz na tę samą stronę.`,
          en: `After some time without activity, usually ${limits.session.idle / 60}\u00a0minutes, we end your session so that nobody else can use your account. Before that, with ${limits.session.warning / 60}\u00a0minutes left, we ask whether you want to keep working. A session usually lasts ${limits.session.absolute / 3600}\u00a0hours at most. When you sign in again, you’ll come back to the same page.`,
        },
        {
          pl: 'Sesję kończy też zmiana hasła, wylogowanie w\u00a0innej karcie i\u00a0zakończenie sesji na stronie „Bezpieczeństwo”.',
          en: 'Your session also ends when you change your password, sign out in another tab or end it in “Security”.',
        },
      ],
    },
  },
  {
    id: 'passkeys',
    title: { pl: 'Klucze dostępu', en: 'Passkeys' },
    answers: {
      'what-is-a-passkey': [
        {
          pl: 'Klucz dostępu zastępuje hasło i\u00a0kod SMS. Logowanie potwierdzasz odciskiem palca, twarzą albo PIN-em swojego telefonu lub komputera. Tych danych nigdy nie dostajemy: zostają w\u00a0urządzeniu.',
          en: 'A passkey replaces your password and the text-message code. You sign in with your fingerprint, your face or the PIN of your phone or computer. We never get these: they stay on your device.',
        },
        {
          pl: 'Klucz działa tylko w\u00a0prawdziwym portalu, więc nie przechwyci go fałszywa strona. Hasło i\u00a0kody SMS działają nadal.',
          en: 'A passkey only works on the real portal, so a fake site can’t steal it. Your password and text-message codes keep working.',
        },
      ],
      'add-passkey': [
        {
          pl: `Zaloguj się, otwórz „Bezpieczeństwo” i\u00a0wybierz „Dodaj klucz dostępu”. Potwierdź to kodem SMS albo kluczem, który już masz, a\u00a0potem na urządzeniu. Możesz mieć do ${limits.passkeys.maxCount} kluczy, po jednym na każdym urządzeniu. Gdy masz ich tyle, usuń jeden, zanim dodasz nowy.`,
          en: `Sign in, open “Security” and choose “Add passkey”. Confirm with a text-message code or a passkey you already have, and then on your device. You can have up to ${limits.passkeys.maxCount} passkeys, one on each device. Once you have that many, remove one before you add another.`,
        },
        {
          pl: 'Jeśli widzisz komunikat, że klucz jest już dodany, to urządzenie ma już klucz do Twojego konta: możesz się nim zalogować.',
          en: 'If the portal says that you’ve already added the passkey, this device has a passkey for your account: you can sign in with it.',
        },
      ],
      'passkey-refused': [
        {
          pl: 'Upewnij się, że na urządzeniu jest włączona blokada ekranu i\u00a0że klucz nie został usunięty na stronie „Bezpieczeństwo”. Przy logowaniu na komputerze kluczem z\u00a0telefonu oba urządzenia muszą mieć włączony Bluetooth i\u00a0być blisko siebie.',
          en: 'Make sure that your device has a screen lock, and that the passkey hasn’t been removed in “Security”. To sign in on a computer with a passkey on your phone, keep both close to each other with Bluetooth on.',
        },
        {
          pl: 'Zawsze możesz zalogować się hasłem i\u00a0kodem SMS, a\u00a0potem dodać klucz od\u00a0nowa.',
          en: 'You can always sign in with your password and a text-message code, and then add the passkey again.',
        },
      ],
      'lost-passkey': [
        {
          pl: 'Zaloguj się hasłem i\u00a0kodem SMS albo innym kluczem, otwórz „Bezpieczeństwo” i\u00a0usuń ten klucz. Od razu przestanie działać. Zmiana hasła nie usuwa kluczy.',
          en: 'Sign in with your password and a text-message code, or with another passkey, open “Security” and remove that passkey. It stops working immediately. Changing your password doesn’t remove passkeys.',
        },
        {
          pl: 'Na tej samej stronie wyloguj urządzenie, jeśli jest na liście aktywnych sesji. Jeśli zginął też telefon, na który wysyłamy kody, zadzwoń do nas.',
          en: 'On the same page, sign the device out if it’s in the list of active sessions. If you’ve also lost the phone that gets your codes, call us.',
        },
      ],
    },
  },
  {
    id: 'codes',
    title: { pl: 'Kody SMS', en: 'Text-message codes' },
    answers: {
      'code-not-received': [
        {
          pl: 'Kod zwykle przychodzi w\u00a0ciągu minuty, czasem po 5\u00a0minutach. Sprawdź zasięg. Sprawdź też, czy ostatnie cyfry numeru na ekranie są Twoje.',
          en: 'The code usually arrives within a minute, sometimes after 5\u00a0minutes. Check your signal. Also check that the last digits of the number on the screen are yours.',
        },
        {
          pl: `Po minucie możesz wysłać nowy kod. Poprzedni przestaje wtedy działać. Po ${limits.code.sends}\u00a0wiadomościach trzeba poczekać ${limits.code.pauseAfterSends / 60}\u00a0minut: jeśli nadal nic nie przyszło, zadzwoń do nas.`,
          en: `You can ask for a new code after a minute. The previous one then stops working. After ${limits.code.sends}\u00a0messages you have to wait ${limits.code.pauseAfterSends / 60}\u00a0minutes: if nothing has arrived, call us.`,
        },
        {
          features: ['passkeys'],
          pl: 'Masz klucz dostępu? Użyj go zamiast kodu.',
          en: 'Do you have a passkey? Use it instead of the code.',
        },
      ],
      'code-refused': [
        {
          pl: `Najczęściej dlatego, że pochodzi ze starszej wiadomości. Każda wiadomość ma numer: wpisz kod z\u00a0tej, której numer widzisz na ekranie. Kod działa ${limits.code.life / 60}\u00a0minut, a\u00a0po ${limits.code.entries} błędnych próbach trzeba zacząć od\u00a0nowa.`,
          en: `Usually because it comes from an older message. Every message has a number: enter the code from the one shown on the screen. A code works for ${limits.code.life / 60}\u00a0minutes, and after ${limits.code.entries} wrong attempts you have to start again.`,
        },
        {
          pl: 'Kod do logowania nie zadziała przy innej czynności. W\u00a0SMS-ie jest napisane, do czego służy kod.',
          en: 'A code for signing in doesn’t work for anything else. The text message says what the code is for.',
        },
      ],
      'why-another-code': [
        {
          pl: 'Czynności, których nie można łatwo cofnąć, potwierdzasz osobnym kodem. Dzięki temu nikt nie wykona ich na Twoim odblokowanym komputerze.',
          en: 'You confirm actions that can’t easily be undone with a separate code. That way nobody can do them on your unlocked computer.',
        },
        {
          features: ['signing'],
          pl: 'Każde podpisanie potwierdzasz nowym kodem.',
          en: 'Each time you sign, you confirm with a new code.',
        },
        {
          features: ['signatures', 'seals'],
          pl: 'Osobny kod jest też potrzebny do połączenia z\u00a0aplikacją.',
          en: 'Connecting to the app needs a separate code too.',
        },
      ],
    },
  },
  {
    id: 'phone',
    title: { pl: 'Numer telefonu', en: 'Phone number' },
    answers: {
      'change-number': [
        {
          pl: 'Otwórz „Moje dane” i\u00a0wybierz „Zmień numer telefonu”. Przygotuj dokument tożsamości, dostęp do poczty e-mail i\u00a0oba telefony. Po kolei potwierdzisz kod wysłany na dotychczasowy numer, numer dokumentu, kod z\u00a0e-maila i\u00a0kod wysłany na nowy numer.',
          en: 'Open “My data” and choose “Change phone number”. You’ll need your identity document, access to your e-mail and both phones. First you confirm a code sent to your current number, then the number of your document. Next come a code from an e-mail and a code sent to the new number.',
        },
        {
          features: ['passkeys'],
          pl: 'Zamiast kodu wysłanego na dotychczasowy numer możesz użyć klucza dostępu, także wtedy, gdy nie masz już tego numeru.',
          en: 'You can use a passkey instead of the code sent to your current number, even if you no longer have that number.',
        },
        {
          pl: 'Dotychczasowy numer działa do końca zmiany. Potem wyślemy potwierdzenie e-mailem i\u00a0na stary numer, a\u00a0inne urządzenia zostaną wylogowane.',
          en: 'Your current number works until the change is complete. We then confirm it by e-mail and to the old number, and your other devices are signed out.',
        },
        {
          pl: 'Jeśli nie mamy danych Twojego dokumentu albo nie możesz potwierdzić pierwszego kroku, zadzwoń do nas.',
          en: 'If we don’t have the details of your document, or you can’t confirm the first step, call us.',
        },
      ],
      'number-change-refused': [
        {
          pl: 'Wpisz serię i\u00a0numer dokumentu, którego ostatnie znaki widzisz na ekranie: tego, który znamy z\u00a0umowy. Jeśli masz już nowy dokument, a\u00a0nie znamy jego danych, zadzwoń do nas. Kod z\u00a0e-maila weź z\u00a0ostatniej wiadomości.',
          en: 'Enter the number of the document whose last characters are shown on the screen: the one we know from your agreement. If you have a new document and we don’t know its details yet, call us. Take the e-mail code from the latest message.',
        },
        {
          pl: `Błędne numery i\u00a0kody liczą się razem. Po ${limits.phoneChange.wrong.limit} błędnych próbach zmiana numeru jest zablokowana na ${limits.phoneChange.wrong.window / 3600}\u00a0godziny, a\u00a0dotychczasowy numer działa bez zmian. Blokada chroni Twoje konto i\u00a0nie można jej skrócić. Jeśli to pilne, zadzwoń do nas.`,
          en: `Wrong numbers and wrong codes count towards the same limit. After ${limits.phoneChange.wrong.limit} wrong attempts you can’t change the number for ${limits.phoneChange.wrong.window / 3600}\u00a0hours, and your current number works as before. The block protects your account and can’t be shortened. If it’s urgent, call us.`,
        },
      ],
      'lost-number': [
        {
          features: ['status-requests'],
          pl: 'Ktoś inny może mieć ten telefon? Najpierw zawieś certyfikaty: na stronie logowania wybierz „Nie pamiętasz hasła?”, a\u00a0potem „Zawieś certyfikaty”.',
          en: 'Could someone else have the phone? Suspend your certificates first: on the sign-in page choose “Forgot password?” and then “Suspend your certificates”.',
        },
        {
          features: ['passkeys'],
          pl: 'Zaloguj się kluczem dostępu, jeśli go masz.',
          en: 'Sign in with a passkey, if you have one.',
        },
        {
          pl: 'Bez kodu SMS nie zalogujesz się hasłem. Zadzwoń do nas, a\u00a0numer zmienimy po sprawdzeniu Twojej tożsamości. Certyfikaty działają przez cały ten czas.',
          en: 'You can’t sign in with your password without a text-message code. Call us, and we’ll change the number once we’ve verified your identity. Your certificates keep working throughout.',
        },
      ],
      'number-not-confirmed': [
        {
          pl: 'Aby kody do Twojego konta nie trafiały do kogoś innego. Numer potwierdzasz raz, kodem SMS, po ustawieniu hasła albo przy następnym logowaniu.',
          en: 'So that the codes for your account don’t go to someone else. You confirm the number once, with a text-message code, after setting your password or when you next sign in.',
        },
        {
          pl: `Na niepotwierdzony numer wysyłamy najwyżej ${limits.phoneConfirmation.sends.limit}\u00a0SMS-y. Jeśli numer jest błędny, popraw go na tej samej stronie. Jeśli jest dobry, a\u00a0kod nie dotarł, zadzwoń do nas: potwierdzimy numer inaczej.`,
          en: `We send at most ${limits.phoneConfirmation.sends.limit} text messages to a number that isn’t confirmed. If the number is wrong, correct it on the same page. If it’s right and the code hasn’t arrived, call us and we’ll confirm it another way.`,
        },
      ],
      'foreign-number': [
        {
          pl: 'Tak, jeśli wysyłamy SMS-y do tego kraju. Numer wpisz z\u00a0kierunkowym, na przykład +49. Jeśli portal go nie przyjmuje, zadzwoń do nas.',
          en: 'Yes, if we send text messages to that country. Enter the number with its country code, such as +49. If the portal doesn’t accept it, call us.',
        },
      ],
    },
  },
  {
    id: 'blocking',
    title: { pl: 'Blokada konta i\u00a0bezpieczeństwo', en: 'Blocked account and security' },
    answers: {
      'blocked-account': [
        {
          pl: `Tak. Blokada dotyczy tylko portalu, a\u00a0certyfikaty działają bez zmian. Konto blokujemy po ${limits.signIn.block.limit} błędnych hasłach w\u00a0ciągu doby. Na urządzeniu, z\u00a0którego już korzystasz, zwykle nadal się zalogujesz: ma osobny limit prób.`,
          en: `Yes. Only the portal is blocked; your certificates work as before. We block an account after ${limits.signIn.block.limit} wrong passwords within a day. You can usually still sign in on a device you already use: its attempts are counted separately.`,
        },
        {
          features: ['passkeys'],
          pl: 'Klucz dostępu działa też podczas takiej blokady.',
          en: 'A passkey still works during such a block.',
        },
        {
          pl: 'Aby je odblokować, wybierz „Nie pamiętasz hasła?” i\u00a0ustaw nowe. Jeśli to nie Ty wpisujesz błędne hasła, zadzwoń do nas.',
          en: 'To unblock it, set a new password with “Forgot password?”. If someone else is entering the wrong passwords, call us.',
        },
      ],
      'activity-history': [
        {
          pl: 'W\u00a0historii aktywności na stronie „Bezpieczeństwo”. Są w\u00a0niej logowania, zmiany hasła i\u00a0danych oraz to, co działo się z\u00a0Twoimi certyfikatami i\u00a0dokumentami, z\u00a0datą i\u00a0urządzeniem. Możesz wybrać rodzaj zdarzeń i\u00a0dni, a\u00a0historię pobrać jako plik CSV lub JSON.',
          en: 'In the activity history in “Security”. It shows when you signed in, changes to your password and details, and what happened to your certificates and documents, with the date and the device. You can choose a type and a range of days, and download the history as a CSV or JSON file.',
        },
        {
          pl: 'Czegoś nie rozpoznajesz? Na tej samej stronie zakończ obce sesje, potem zmień hasło i\u00a0zadzwoń do nas.',
          en: 'Don’t recognise something? End unknown sessions on the same page, then change your password and call us.',
        },
      ],
      'data-copy': [
        {
          pl: 'Na stronie „Bezpieczeństwo” wybierz „Przygotuj kopię danych” i\u00a0potwierdź to kodem SMS. Gdy kopia będzie gotowa, napiszemy do Ciebie. Pobierzesz ją jako PDF do czytania i\u00a0JSON dla programów.',
          en: 'In “Security”, choose “Prepare a copy” and confirm with a text-message code. We’ll e-mail you when the copy is ready. You can download it as a PDF to read and as JSON for software.',
        },
        {
          pl: `Pliki usuwamy po ${limits.dataExport.fileLife / 3600}\u00a0godzinach. Jeśli ich nie pobierzesz, przygotuj nową kopię. Możesz to zrobić do ${limits.dataExport.requests.limit}\u00a0razy w\u00a0ciągu doby.`,
          en: `We remove the files after ${limits.dataExport.fileLife / 3600}\u00a0hours. If you haven’t downloaded them by then, prepare a new copy. You can do that up to ${limits.dataExport.requests.limit}\u00a0times within a day.`,
        },
      ],
      'suspicious-message': [
        {
          pl: 'Jeśli to kod do logowania, ktoś zna Twoje hasło: zmień je i\u00a0zadzwoń do nas. Jeśli SMS mówi o\u00a0czymś innym, ktoś mógł pomylić numer. Nie podawaj kodu nikomu, także osobie, która przedstawia się jako nasz pracownik.',
          en: 'If the code is for signing in, someone knows your password: change it and call us. If the message is about something else, someone may have mistyped a number. Don’t give the code to anyone, even if they say they work for us.',
        },
      ],
    },
  },
]
