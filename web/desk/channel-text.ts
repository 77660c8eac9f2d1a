import type { Text } from '../../contract/enums.ts'

const texts: Record<string, Text> = {
  mail: { pl: 'E-maile', en: 'E-mails' },
  sms: { pl: 'SMS-y', en: 'Text messages' },
  webhook: { pl: 'Zdarzenia do webhooków', en: 'Events to webhooks' },
  'password-link': { pl: 'Linki do hasła', en: 'Password links' },
  registration: { pl: 'Rejestracje', en: 'Registrations' },
  'seal-invitation': { pl: 'Zaproszenia do pieczęci', en: 'Invitations to seals' },
  'customer-invitation': { pl: 'Zaproszenia klientów', en: 'Invitations of customers' },
  'agreement-signature': { pl: 'Podpisy umów', en: 'Signatures of agreements' },
  'data-export': { pl: 'Kopie danych', en: 'Copies of data' },
  'app-activation': { pl: 'Aktywacje aplikacji', en: 'Activations of apps' },
  'certificate-status': { pl: 'Statusy certyfikatów', en: 'Certificate statuses' },
  'lost-phone': { pl: 'Linki po utracie telefonu', en: 'Links after a lost phone' },
}

/** A channel of the outbox; one without a text by its name. */
export const channelText = (t: (text: Text) => string, channel: string): string => {
  const text = texts[channel]
  return text ? t(text) : channel
}
