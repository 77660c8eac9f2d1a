import { sql } from 'kysely'
import type { Locale } from '../contract/enums.ts'
import { limits } from '../contract/limits.ts'
import { record } from './audit.ts'
import { spend, type Budget } from './budgets.ts'
import { canonicalLogin } from './canonical.ts'
import type { Tx } from './db.ts'
import type { Keys } from './keys.ts'
import { linkAddress, makeLink, type LinkPurpose } from './links.ts'
import { momentIn } from './mail-moments.ts'
import { renderMail } from './mail-template.ts'
import { enqueue, enqueueBulk } from './outbox.ts'
import type { Portal, Settings } from './portal.ts'
import { renewConfirmation } from './registration-link.ts'
import { sendInvitationAgain } from './seal-invitations.ts'

type Recipient = { id: string; login: string; email: string; locale: Locale }

/**
 * Makes a link that sets a password, and queues its mail. `bulk`: one of many that go out at once. `keepsOlder`: links from
 * before work on.
 */
export async function sendPasswordLink(
  tx: Tx,
  { keys, settings }: Portal,
  account: Recipient,
  purpose: LinkPurpose,
  { bulk = false, keepsOlder = false } = {},
): Promise<void> {
  const { token, expiresAt } = await makeLink(tx, account.id, purpose, { keepsOlder })
  const mail = passwordLinkMail(settings, account.locale, purpose, { login: account.login, token })
  const message = { channel: 'mail', to: account.email, ...mail } as const
  await (bulk ? enqueueBulk(tx, keys, [message], expiresAt) : enqueue(tx, keys, message, expiresAt))
}

/** `knownTo`: the account that the device is known to. `registration`: whose link is to be sent again, when nobody has confirmed it yet. */
export type LinkRequest = {
  email: string
  address: string
  wanted: boolean
  knownTo?: string | undefined
  registration?: string | undefined
}

const byStrangers: Budget = { name: 'reset-strangers', ...limits.reset.byStrangers }
const spaced: Budget = { name: 'reset-spaced', ...limits.reset.spaced }

/**
 * A mailbox can be filled only so far by one place (`wanted`) and by all strangers together. What they are refused leaves a link in it that
 * works for another ten minutes, or whoever asks from the owner's own network would keep the owner out (R119).
 */
const payMail = async (tx: Tx, keys: Keys, accountId: string, { wanted, knownTo }: LinkRequest): Promise<boolean> =>
  (wanted && (accountId === knownTo || (await spend(tx, keys, byStrangers, accountId)).ok)) ||
  (await spend(tx, keys, spaced, accountId)).ok

/**
 * What the outbox does with a request for a reset link: if the account exists, its owner gets one. `wanted` is false
 * when the account has had its share from there; the request took the same way all the same (R29). Links from before work until one
 * is used, or anyone could end the owner's by asking again and again (R119).
 */
export async function answerLinkRequest(portal: Portal, request: LinkRequest): Promise<void> {
  const { email, address, wanted, registration } = request
  await portal.db.transaction().execute(async (tx) => {
    const account = await tx
      .selectFrom('accounts')
      .select(['id', 'login', 'email', 'locale', 'password_hash', 'resets_from'])
      .select(sql<boolean>`coalesce(resets_from > portal_now(), false)`.as('waits'))
      .where('email_key', '=', canonicalLogin(email))
      // A change by the provider that is under way is waited for: its delay counts, and no link goes to the address before (R116).
      .forNoKeyUpdate()
      .executeTakeFirst()
    const sent = account && (await payMail(tx, portal.keys, account.id, request))
    await record(tx, {
      act: 'password-reset-requested',
      accountId: account?.id ?? null,
      actor: 'customer',
      address,
      details: { sent: Boolean(sent && !account.waits) },
    })
    if (account?.waits) {
      // The provider has just changed how the account is reached; its owner was notified and has this time to call (R116).
      if (sent) await enqueue(tx, portal.keys, resetLater(portal.settings, account, account.resets_from!))
      return
    }
    // A customer who never set a password gets the invitation again.
    if (sent)
      await sendPasswordLink(tx, portal, account, account.password_hash ? 'reset' : 'set-up', { keepsOlder: true })
    else if (!account && registration && wanted && !(await sendInvitationAgain(tx, portal, registration)))
      await renewConfirmation(tx, portal, registration)
  })
}

function resetLater({ brand }: Settings, { email, locale }: Recipient, from: Date) {
  const moment = momentIn(locale, from)
  const words = {
    pl: {
      subject: `${brand.product}: nowe hasło dopiero od ${moment}`,
      paragraphs: [
        'Ktoś – mamy nadzieję, że Ty – chce ustawić nowe hasło do Twojego konta.',
        `Niedawno zmieniły się dane kontaktowe konta, więc dla bezpieczeństwa link do nowego hasła wyślemy dopiero od ${moment}. Poproś o niego wtedy jeszcze raz.`,
        `Pamiętasz hasło? Zaloguj się już teraz. Pytania? Zadzwoń: ${brand.phone}.`,
      ],
    },
    en: {
      subject: `${brand.product}: a new password only from ${moment}`,
      paragraphs: [
        'Someone – we hope it is you – wants to set a new password for your account.',
        `The contact details of the account changed a short time ago, so to keep it safe we will send a link to a new password only from ${moment}. Ask for it again then.`,
        `Do you remember your password? You can log in now. Questions? Call ${brand.phone}.`,
      ],
    },
  }[locale]
  return { channel: 'mail', to: email, ...renderMail(locale, brand, words) } as const
}

/** A new customer who came with many others and is still to be invited. */
export type CustomerInvitation = { account: string }

/** What the outbox does with it: the link is made only now, so that its seven days begin when its mail goes out. */
export async function inviteNewCustomer(portal: Portal, { account: id }: CustomerInvitation): Promise<void> {
  await portal.db.transaction().execute(async (tx) => {
    const account = await tx
      .selectFrom('accounts')
      .select(['id', 'login', 'email', 'locale'])
      .where('id', '=', id)
      .where('password_hash', 'is', null)
      .where('blocked_at', 'is', null)
      .executeTakeFirst()
    if (account) await sendPasswordLink(tx, portal, account, 'set-up', { bulk: true })
  })
}

/** The mail with a link that sets a password: an invitation, or the answer to a forgotten one. */
function passwordLinkMail(
  settings: Settings,
  locale: Locale,
  purpose: LinkPurpose,
  { login, token }: { login: string; token: string },
) {
  const name = settings.brand.product
  const url = linkAddress(settings, locale, token)
  const words = {
    'set-up': {
      pl: {
        subject: `${name}: ustaw hasło do konta`,
        paragraphs: [
          `Twoje konto w\u00a0portalu ${name} jest gotowe. Login: ${login}.`,
          'Ustaw hasło, aby zobaczyć swoje podpisy i\u00a0umowy. Link działa 7 dni i\u00a0tylko raz.',
        ],
        label: 'Ustaw hasło',
        note: 'Jeśli nie spodziewasz się tej wiadomości, zadzwoń do nas. Bez hasła nikt nie wejdzie na konto.',
      },
      en: {
        subject: `${name}: set a password for your account`,
        paragraphs: [
          `Your account in the ${name} portal is ready. Login: ${login}.`,
          'Set a password to see your signatures and agreements. The link works for 7 days, and once only.',
        ],
        label: 'Set password',
        note: 'If you did not expect this message, call us. Nobody can enter the account without a password.',
      },
    },
    reset: {
      pl: {
        subject: `${name}: ustaw nowe hasło`,
        paragraphs: [
          'Ktoś – mamy nadzieję, że Ty – chce ustawić nowe hasło do Twojego konta.',
          'Link działa 30 minut i tylko raz. Po zmianie wylogujemy Cię ze wszystkich urządzeń.',
        ],
        label: 'Ustaw nowe hasło',
        note: 'Jeśli to nie Ty, nie rób nic: dotychczasowe hasło działa bez zmian.',
      },
      en: {
        subject: `${name}: set a new password`,
        paragraphs: [
          'Someone – we hope it is you – wants to set a new password for your account.',
          'The link works for 30 minutes, and once only. After the change we will sign you out of all devices.',
        ],
        label: 'Set new password',
        note: 'If it was not you, do nothing: your present password keeps working.',
      },
    },
  }[purpose][locale]
  return renderMail(locale, settings.brand, {
    subject: words.subject,
    paragraphs: words.paragraphs,
    action: { label: words.label, url },
    note: words.note,
  })
}
