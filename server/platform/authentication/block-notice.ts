import type { Locale } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import { inLocale, pages } from '../../../contract/pages.ts'
import { chargeAttempt, type RateLimit } from '../rate-limits/rate-limits.ts'
import type { Tx } from '../database/database.ts'
import { renderMail } from '../messages/mail-template.ts'
import { enqueue } from '../messages/outbox.ts'
import type { Portal } from '../portal.ts'
import type { Settings } from '../settings.ts'

/** Why an account was blocked. */
export type BlockReason = 'wrong-passwords' | 'provider'

/** The owner gets one notice per reason and day, or blocking would be a way to flood a mailbox (R17). */
const blockNotices: RateLimit = { name: 'block-notice', limit: 1, window: limits.signIn.block.window }

type Owner = { id: string; email: string; locale: Locale }

/** Notifies the owner of a block, in the same transaction (AUT-4). */
export async function notifyOfBlock(tx: Tx, { keys, settings }: Portal, owner: Owner, reason: BlockReason) {
  const { id, email, locale } = owner
  if (!(await chargeAttempt(tx, keys, blockNotices, id, reason)).ok) return
  await enqueue(tx, keys, { channel: 'mail', to: email, ...blockMail(settings, locale, reason) })
}

function blockMail({ brand, publicUrl }: Settings, locale: Locale, reason: BlockReason) {
  const { product, company, phone } = brand
  const texts = {
    pl: {
      subject: `${product}: konto zostało zablokowane`,
      what: {
        'wrong-passwords': 'Ktoś zbyt wiele razy wpisał złe hasło do Twojego konta, więc je zablokowaliśmy.',
        provider: `Na polecenie ${company} zablokowaliśmy Twoje konto i\u00a0zakończyliśmy wszystkie sesje. Powodem nie były złe hasła.`,
      },
      solution: {
        'wrong-passwords':
          'Na urządzeniu, na którym już się logujesz, i\u00a0kluczem dostępu wejdziesz jak zwykle. Na innym ustaw nowe hasło: podaj swój e-mail, a\u00a0wyślemy Ci link.',
        provider: 'Aby wejść na konto, ustaw nowe hasło: podaj swój e-mail, a\u00a0wyślemy Ci link.',
      },
      label: 'Ustaw nowe hasło',
      note: {
        'wrong-passwords': `Jeśli to nie Twoje próby, wystarczy nowe hasło: bez kodu z\u00a0SMS nikt nie wejdzie na konto. Pytania? Zadzwoń: ${phone}.`,
        provider: `Blokada dotyczy konta w\u00a0portalu, nie Twoich certyfikatów. Chcesz poznać powód? Zadzwoń: ${phone}.`,
      },
    },
    en: {
      subject: `${product}: your account was blocked`,
      what: {
        'wrong-passwords': 'Someone entered a wrong password for your account too many times, so we blocked it.',
        provider: `At the request of ${company} we blocked your account and ended every session. Wrong passwords were not the reason.`,
      },
      solution: {
        'wrong-passwords':
          'On a device that you log in on already, and with a passkey, you get in as usual. On any other, set a new password: enter your e-mail, and we will send you a link.',
        provider: 'To get back in, set a new password: enter your e-mail, and we will send you a link.',
      },
      label: 'Set new password',
      note: {
        'wrong-passwords': `If it was not you, a new password is enough: nobody enters the account without the code from a text message. Questions? Call ${phone}.`,
        provider: `The block is on your account in the portal, not on your certificates. Would you like to know why? Call ${phone}.`,
      },
    },
  }[locale]
  return renderMail(locale, brand, {
    subject: texts.subject,
    paragraphs: [texts.what[reason], texts.solution[reason]],
    action: { label: texts.label, url: publicUrl + inLocale(locale, pages.passwordReset.path) },
    note: texts.note[reason],
  })
}
