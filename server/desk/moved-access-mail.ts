import type { Locale } from '../../contract/enums.ts'
import { productText } from '../../contract/product-text.ts'
import { endSentence } from '../../contract/rules/end-sentence.ts'
import { pageLink } from '../platform/messages/page-link.ts'
import { renderMail } from '../platform/messages/mail-template.ts'
import type { Settings } from '../platform/settings.ts'
import type { SealOfAccess } from './desk-move-store.ts'

/** `taken` for the former user of a seal, `given` for the new one, `moved` for its other Administrators. */
type News = 'taken' | 'given' | 'moved'

/** Tells that access to a seal was moved from one customer to another, so that nobody gives it away unnoticed (R243). */
export function movedAccessMail(
  settings: Settings,
  locale: Locale,
  { organisation, product, number, news }: Omit<SealOfAccess, 'administrators'> & { news: News },
) {
  const { brand, featuresOff } = settings
  const sealsOff = featuresOff.includes('seals')
  const text = {
    pl: {
      subject: 'zmiana dostępu do pieczęci',
      news: {
        taken:
          'Nie masz już dostępu do pieczęci kwalifikowanej, który przez pomyłkę był przypisany do Twojego konta. Przenieśliśmy go na właściwe konto.',
        given: 'Masz dostęp do pieczęci kwalifikowanej. Wcześniej przez pomyłkę był przypisany do innego konta.',
        moved: `Dostęp użytkownika nr ${number} do pieczęci kwalifikowanej przenieśliśmy na inne konto, bo był przypisany przez pomyłkę.${sealsOff ? '' : ' Jego dane znajdziesz na liście użytkowników.'}`,
      },
      seal: `Rodzaj: pieczęć ${productText[product].pl}. ${endSentence(`Organizacja: ${organisation}`)}`,
      label: 'Zobacz pieczęcie',
      note: `Jeśli to się nie zgadza, zadzwoń od razu: ${brand.phone}.`,
    },
    en: {
      subject: 'access to a seal has changed',
      news: {
        taken:
          'You no longer have access to a qualified seal, which was assigned to your account by mistake. We have moved it to the right account.',
        given: 'You have access to a qualified seal. It was assigned to another account by mistake before.',
        moved: `We have moved the access of user no. ${number} of a qualified seal to another account, because it was assigned by mistake.${sealsOff ? '' : ' You’ll find the details in the list of users.'}`,
      },
      seal: `Type: seal ${productText[product].en}. ${endSentence(`Organisation: ${organisation}`)}`,
      label: 'View seals',
      note: `If this isn’t right, call us right away: ${brand.phone}.`,
    },
  }[locale]
  return renderMail(locale, brand, {
    subject: text.subject,
    paragraphs: [text.news[news], text.seal],
    ...pageLink(settings, locale, 'seals', text.label),
    note: text.note,
  })
}
