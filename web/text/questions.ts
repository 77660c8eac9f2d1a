import type { Text } from '../../contract/enums.ts'
import type { Feature } from '../../contract/features.ts'

export type FeatureText = Text & {
  /** The features of which one has to be on for it to be shown; without them it always is. */
  features?: readonly Feature[]
}

/** The questions of the FAQ. An id is the question's deep link (`/faq#forgot-password`), the same in both languages. */
const all = {
  'sign-in-refused': { pl: 'Nie mogę się zalogować. Co sprawdzić?', en: 'I can’t sign in. What should I check?' },
  'login-or-email': {
    pl: 'Czym się zalogować: loginem czy e-mailem?',
    en: 'Do I sign in with my username or my e-mail?',
  },
  'forgot-password': { pl: 'Nie pamiętam hasła. Co zrobić?', en: 'I’ve forgotten my password. What should I do?' },
  'link-not-working': {
    pl: 'Link z\u00a0e-maila nie działa. Dlaczego?',
    en: 'The link in the e-mail doesn’t work. Why?',
  },
  'email-not-received': {
    pl: 'Wiadomość e-mail nie dotarła. Co sprawdzić?',
    en: 'I didn’t get the e-mail. What should I check?',
  },
  'good-password': { pl: 'Jakie hasło mogę ustawić?', en: 'What kind of password do I need?' },
  'too-many-attempts': { pl: 'Jak długo trzeba czekać na kolejną próbę?', en: 'How long before I can try again?' },
  'bot-check': {
    pl: 'Dlaczego portal sprawdza, czy nie jestem robotem?',
    en: 'Why does the portal check that I’m not a robot?',
  },
  'signed-out': { pl: 'Dlaczego portal mnie wylogował?', en: 'Why did the portal sign me out?' },
  'what-is-a-passkey': { pl: 'Co to jest klucz dostępu?', en: 'What is a passkey?', features: ['passkeys'] },
  'add-passkey': { pl: 'Jak dodać klucz dostępu?', en: 'How do I add a passkey?', features: ['passkeys'] },
  'passkey-refused': {
    pl: 'Klucz dostępu nie działa. Co zrobić?',
    en: 'My passkey doesn’t work. What can I do?',
    features: ['passkeys'],
  },
  'lost-passkey': {
    pl: 'Nie mam już urządzenia z\u00a0kluczem dostępu. Co zrobić?',
    en: 'I no longer have the device with my passkey. What should I do?',
    features: ['passkeys'],
  },
  'code-not-received': {
    pl: 'Kod SMS nie dotarł. Co sprawdzić?',
    en: 'I didn’t get the text-message code. What should I check?',
  },
  'code-refused': { pl: 'Dlaczego kod SMS nie działa?', en: 'Why doesn’t my text-message code work?' },
  'why-another-code': { pl: 'Dlaczego portal znowu prosi o\u00a0kod?', en: 'Why do I need another code?' },
  'change-number': {
    pl: 'Jak zmienić numer telefonu?',
    en: 'How do I change my phone number?',
    features: ['phone-change'],
  },
  'number-change-refused': {
    pl: 'Nie mogę zmienić numeru telefonu. Co sprawdzić?',
    en: 'I can’t change my phone number. What should I check?',
    features: ['phone-change'],
  },
  'lost-number': {
    pl: 'Nie mam już tego numeru telefonu. Jak się zalogować?',
    en: 'I no longer have that phone number. How do I sign in?',
  },
  'number-not-confirmed': {
    pl: 'Dlaczego muszę potwierdzić numer telefonu?',
    en: 'Why do I have to confirm my phone number?',
  },
  'foreign-number': { pl: 'Czy mogę użyć zagranicznego numeru?', en: 'Can I use a foreign number?' },
  'after-expiry': {
    pl: 'Certyfikat wygasł. Czy moje podpisy są ważne?',
    en: 'My certificate has expired. Are my signatures still valid?',
  },
  agreement: { pl: 'Skąd pobrać umowę?', en: 'Where do I download my agreement?', features: ['signatures', 'seals'] },
  'masked-number': {
    pl: 'Dlaczego zamiast numeru PESEL widzę kropki?',
    en: 'Why do I see dots instead of my PESEL number?',
  },
  'lost-device': {
    pl: 'Karta albo telefon z\u00a0podpisem zaginęły. Co zrobić?',
    en: 'I’ve lost the card or phone with my signature. What should I do?',
  },
  'pair-app': {
    pl: 'Jak połączyć podpis z\u00a0aplikacją?',
    en: 'How do I connect my signature to the app?',
    features: ['signatures', 'seals'],
  },
  'same-phone': {
    pl: 'Jak zeskanować kod, gdy mam jeden telefon?',
    en: 'How do I scan the code with only one phone?',
    features: ['signatures', 'seals'],
  },
  'new-phone': {
    pl: 'Mam nowy telefon. Jak przenieść podpis?',
    en: 'I have a new phone. How do I move my signature?',
    features: ['signatures', 'seals'],
  },
  'when-to-renew': { pl: 'Kiedy odnowić podpis?', en: 'When should I renew my signature?', features: ['renewal'] },
  'code-is-not-renewal': {
    pl: 'Mam kod odnowienia. Czy podpis jest już odnowiony?',
    en: 'I have a renewal code. Has my signature been renewed?',
    features: ['renewal'],
  },
  'renewal-refused': {
    pl: 'Dlaczego nie mogę teraz odnowić podpisu?',
    en: 'Why can’t I renew my signature now?',
    features: ['renewal'],
  },
  'expired-renewal': {
    pl: 'Certyfikat wygasł. Czy mogę go odnowić?',
    en: 'My certificate has expired. Can I renew it?',
    features: ['renewal'],
  },
  'sign-document': {
    pl: 'Jak podpisać otrzymany dokument?',
    en: 'How do I sign a document I’ve received?',
    features: ['documents'],
  },
  'document-code': {
    pl: 'Skąd wziąć kod do dokumentu?',
    en: 'Where do I find the document code?',
    features: ['documents'],
  },
  'document-not-ready': {
    pl: 'Dlaczego nie mogę pobrać dokumentu?',
    en: 'Why can’t I download the document?',
    features: ['documents'],
  },
  'file-refused': {
    pl: 'Portal nie przyjmuje mojego pliku. Dlaczego?',
    en: 'The portal doesn’t accept my file. Why?',
    features: ['documents'],
  },
  'after-upload': {
    pl: 'Co się dzieje po przesłaniu dokumentu?',
    en: 'What happens after I upload a document?',
    features: ['documents'],
  },
  'check-file': {
    pl: 'Jak sprawdzić podpis w\u00a0pliku PDF?',
    en: 'How do I check a signature in a PDF file?',
    features: ['file-check'],
  },
  'sign-files': {
    pl: 'Jak podpisać własne pliki PDF?',
    en: 'How do I sign my own PDF files?',
    features: ['file-signing'],
  },
  'signing-failed': {
    pl: 'Co zrobić, gdy nie udało się podpisać?',
    en: 'What can I do if signing failed?',
    features: ['signing'],
  },
  'seal-or-signature': {
    pl: 'Czym pieczęć różni się od podpisu?',
    en: 'How is a seal different from a signature?',
    features: ['seals'],
  },
  'seal-access': {
    pl: 'Jak dać komuś dostęp do pieczęci?',
    en: 'How do I give someone access to a seal?',
    features: ['seals'],
  },
  'seal-invitation': {
    pl: 'Mam zaproszenie do pieczęci. Jak aktywować dostęp?',
    en: 'I’ve been invited to use a seal. How do I activate my access?',
    features: ['seals'],
  },
  'seal-administrator': {
    pl: 'Dlaczego nie mogę usunąć administratora pieczęci?',
    en: 'Why can’t I remove an administrator of a seal?',
    features: ['seals'],
  },
  'seal-privacy': {
    pl: 'Czy administrator widzi moje dokumenty?',
    en: 'Can the administrator see my documents?',
    features: ['seals'],
  },
  'what-is-a-timestamp': { pl: 'Po co mi znacznik czasu?', en: 'What is a timestamp for?', features: ['timestamps'] },
  'connect-timestamps': {
    pl: 'Jak podłączyć program do znaczników?',
    en: 'How do I connect my software to timestamps?',
    features: ['timestamps'],
  },
  'timestamps-rejected': {
    pl: 'Dlaczego serwer znaczników odrzuca żądania?',
    en: 'Why are my timestamp requests rejected?',
    features: ['timestamps'],
  },
  'timestamp-packages': {
    pl: 'Z\u00a0którego pakietu korzystam najpierw?',
    en: 'Which package is used first?',
    features: ['timestamps'],
  },
  'timestamp-password': {
    pl: 'Jak zmienić hasło konta znaczników czasu?',
    en: 'How do I change the password of a timestamp account?',
    features: ['timestamps'],
  },
  'use-voucher': { pl: 'Gdzie wpisać kod voucher?', en: 'Where do I enter a voucher code?', features: ['vouchers'] },
  'voucher-refused': {
    pl: 'Dlaczego kupiony kod nie działa?',
    en: 'Why doesn’t the code I bought work?',
    features: ['vouchers', 'renewal'],
  },
  'after-voucher': {
    pl: 'Co się dzieje po wpisaniu kodu voucher?',
    en: 'What happens after I enter a voucher code?',
    features: ['vouchers'],
  },
  'blocked-account': {
    pl: 'Moje konto jest zablokowane. Czy mój podpis działa?',
    en: 'My account is blocked. Does my signature still work?',
  },
  'suspicious-message': {
    pl: 'Przyszedł kod SMS, o\u00a0który nie proszę. Co to znaczy?',
    en: 'I got a text-message code I didn’t ask for. What does it mean?',
  },
  'activity-history': {
    pl: 'Gdzie sprawdzę, co działo się na moim koncie?',
    en: 'Where can I see what’s happened in my account?',
  },
  'data-copy': {
    pl: 'Jak pobrać kopię moich danych?',
    en: 'How do I get a copy of my data?',
    features: ['data-export'],
  },
  'no-network': {
    pl: 'Co zobaczę w\u00a0portalu bez internetu?',
    en: 'What can I see in the portal without the internet?',
    features: ['offline'],
  },
  'install-portal': { pl: 'Jak zainstalować portal jako aplikację?', en: 'How do I install the portal as an app?' },
  'portal-unavailable': {
    pl: 'Część portalu jest niedostępna. Czy mój podpis działa?',
    en: 'Part of the portal is unavailable. Does my signature still work?',
  },
  'page-out-of-date': { pl: 'Dlaczego strona jest nieaktualna?', en: 'Why does it say the page is out of date?' },
} satisfies Record<string, FeatureText>

export type QuestionId = keyof typeof all
export const questions: Record<QuestionId, FeatureText> = all

/** Checks whether a question, or a part of its answer, is shown with the features that are on. */
export const isOffered = ({ features }: FeatureText, isOff: (feature: Feature) => boolean) =>
  !features || features.some((feature) => !isOff(feature))
