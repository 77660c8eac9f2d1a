import type { Brand } from '../page-config.ts'
import type { LegalSection } from './legal-sections.ts'

/** The day from which this wording applies. Change it with every change of the wording. */
export const termsVersion = '2026-11-24'

export const termsSections = ({ company, product, email, phone, hours }: Brand): readonly LegalSection[] => [
  {
    title: { pl: 'Czym jest portal', en: 'What the portal is' },
    body: [
      {
        pl: `${product} to portal klientów, którym ${company} świadczy usługi zaufania: podpis kwalifikowany, pieczęć kwalifikowaną i\u00a0znacznik czasu. Portal służy do obsługi tych usług. Same usługi opisują umowy i\u00a0polityki, które ich dotyczą.`,
        en: `${product} is the portal for customers to whom ${company} provides trust services: the qualified signature, the qualified seal and the timestamp. The portal is for managing these services. The services themselves are described in their agreements and policies.`,
      },
      {
        pl: 'Korzystanie z\u00a0portalu jest bezpłatne. Potrzebna jest aktualna przeglądarka, dostęp do internetu i\u00a0telefon, który odbiera SMS-y.',
        en: 'Using the portal is free of charge. You need a current browser, access to the internet and a phone that receives text messages.',
      },
    ],
  },
  {
    title: { pl: 'Twoje konto', en: 'Your account' },
    body: [
      {
        pl: 'Konto jest przypisane do jednej osoby. Nie udostępniaj nikomu hasła, kodów SMS ani kodu QR. Nasi pracownicy nigdy o\u00a0nie nie proszą.',
        en: 'An account belongs to one person. Don’t share your password, text-message codes or QR code with anyone. Our staff will never ask for them.',
      },
      {
        pl: 'Jeśli podejrzewasz, że ktoś zna Twoje hasło albo telefon zaginął, zmień hasło i\u00a0zadzwoń do nas. Po wielu błędnych hasłach konto blokuje się samo, a\u00a0certyfikaty działają dalej.',
        en: 'If you think someone knows your password, or you’ve lost your phone, change your password and call us. After many wrong passwords your account is blocked; your certificates keep working.',
      },
    ],
  },
  {
    title: { pl: 'Czego nie wolno', en: 'What is not allowed' },
    body: [
      {
        pl: 'Nie wolno umieszczać w\u00a0portalu treści bezprawnych, omijać zabezpieczeń ani pobierać danych programem bez naszej zgody. Zgłoszenie podatności, którą znajdziesz, przyjmiemy z\u00a0wdzięcznością.',
        en: 'You may not put unlawful content into the portal, get round its protections, or collect data automatically without our consent. If you find a weakness, we’d be glad to hear about it.',
      },
    ],
  },
  {
    title: { pl: 'Dostępność portalu i\u00a0przerwy', en: 'Availability and breaks' },
    body: [
      {
        pl: 'Portal działa przez całą dobę. Prace, które wymagają przerwy, zapowiadamy z\u00a0wyprzedzeniem. Przerwa w\u00a0portalu nie wpływa na ważność certyfikatów ani na ich zawieszanie i\u00a0unieważnianie.',
        en: 'The portal is available around the clock. Planned maintenance is announced in advance. Downtime doesn’t affect the validity of certificates, or suspending and revoking them.',
      },
    ],
  },
  {
    title: { pl: 'Reklamacje', en: 'Complaints' },
    body: [
      {
        pl: `Reklamację wyślij na ${email} albo zgłoś telefonicznie: ${phone}, od poniedziałku do piątku, ${hours.from}–${hours.to}. Odpowiemy w\u00a0ciągu 14 dni. Konsument może też skorzystać z\u00a0pomocy rzecznika konsumentów.`,
        en: `Send a complaint to ${email} or make it by phone: ${phone}, Monday to Friday, ${hours.from}–${hours.to}. We’ll answer within 14 days. Consumers can also contact a consumer ombudsman.`,
      },
    ],
  },
  {
    title: { pl: 'Zmiany', en: 'Changes' },
    body: [
      {
        pl: 'O\u00a0zmianie warunków zawiadomimy e-mailem co najmniej 14 dni wcześniej. Jeśli jej nie akceptujesz, możesz zamknąć konto; umowy o\u00a0usługi zaufania trwają wtedy nadal.',
        en: 'We’ll e-mail you about any change to these terms at least 14 days in advance. If you don’t accept it, you can close your account; your agreements for trust services then continue.',
      },
    ],
  },
]
