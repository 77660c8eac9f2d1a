import { readSession } from '../../contract/account.ts'
import { makeCalendarAddress, readCalendar } from '../../contract/calendar.ts'
import { readConsents } from '../../contract/consents.ts'
import type { Reply } from '../../contract/endpoint.ts'
import type { Locale } from '../../contract/enums.ts'
import { consentKinds } from '../../contract/legal/consent-statements.ts'
import { wordingOf } from '../../contract/legal/wordings.ts'
import type { CodeSent } from '../../contract/one-time-code.ts'
import { readMyData } from '../../contract/personal-data.ts'
import {
  enterDocumentNumber,
  enterEmailCode,
  enterPhoneCode,
  phoneChangeSteps,
  readPhoneChange,
  type PhoneChangeStep,
} from '../../contract/phone-change.ts'
import { readReminders } from '../../contract/signatures.ts'
import { demonstrationBrand } from '../../server/platform/brand/brand.ts'
import { changeReply, codeSent, fetchInstead, intercept, refuse, reply } from '../testing/fake-replies.ts'
import { statesOf, type Step, click, fill, waitFor } from './screen-state.ts'

const rows = '.my-data .rows'
const clickReveal = click('.my-data .rows .button--icon >> nth=-1')

const newPhone = '+48600200355'
const maskedPhone = '+48 ••• ••• 355'

/** Fakes a change of the number that has reached a step. */
const phoneChangeAt = (step: PhoneChangeStep, over: Partial<CodeSent> = {}) =>
  reply(readPhoneChange, () => ({
    isPossible: true,
    blockedUntil: null,
    change: {
      step,
      newPhone: step === 'sms' ? newPhone : null,
      sent: {
        email: codeSent({ channel: 'email', to: 'm•••@k•••.example' }),
        sms: codeSent({ to: maskedPhone, ...over }),
        document: null,
        number: null,
      }[step],
    },
  }))

const enterInTask = (text: string): Step[] => [
  waitFor('.task form button[type=submit]:enabled'),
  fill('.task input', text),
  click('.task form button[type=submit]'),
]

/** Fakes the end of a phone change: from the last code on, the contact details have the new number too. */
const changePhone: Step = (scene) =>
  intercept(enterPhoneCode, async (route) => {
    const session = await fetchInstead(route, readSession)
    await reply(readPhoneChange, { isPossible: true, blockedUntil: null, change: null })(scene)
    await changeReply(readMyData, (data) => ({ ...data, phone: newPhone, maskedPhone }))(scene)
    await route.fulfill({ json: { phone: maskedPhone, session } satisfies Reply<typeof enterPhoneCode> })
  })(scene)

const myData = statesOf('my-data', { customer: 'malgorzata' })({
  known: { shows: rows },
  'long-names': { customer: 'wilhelmina', shows: rows },
  'document-expired': { customer: 'ewa', shows: rows },
  'no-document': { customer: 'nowy', shows: rows },
  revealed: { steps: clickReveal, shows: '.my-data [aria-pressed=true]' },
  ...Object.fromEntries(
    phoneChangeSteps.map((step) => [`phone-${step}`, { before: phoneChangeAt(step), shows: '.task form' }]),
  ),
  'phone-back': { before: phoneChangeAt('number'), steps: click('.task .button--quiet') },
  'phone-document-wrong': {
    before: [phoneChangeAt('document'), refuse(enterDocumentNumber, 'document-number-wrong', { entriesLeft: 2 })],
    steps: enterInTask('ABC123456'),
    shows: '.task [aria-invalid=true]',
  },
  'phone-email-wrong': {
    before: [phoneChangeAt('email'), refuse(enterEmailCode, 'email-code-wrong', { entriesLeft: 2 })],
    steps: enterInTask('481072'),
    shows: '.code-field--error',
  },
  // Sent ten minutes before, so another one can be sent at once.
  'phone-expired': {
    before: phoneChangeAt('sms', { expiresAt: '2026-11-21T09:00:00.000Z', resendAt: '2026-11-21T08:51:00.000Z' }),
    shows: '.task .code-resend .button--primary',
  },
  'phone-blocked': {
    before: reply(readPhoneChange, { isPossible: true, change: null, blockedUntil: '2026-11-22T09:42:00.000Z' }),
    shows: '.notice--error',
  },
  'phone-changed': {
    before: [phoneChangeAt('sms'), changePhone],
    steps: [...enterInTask('481072'), waitFor('.task--done'), click('.task--done .button >> nth=-1')],
  },
})

const consentList = '[aria-labelledby=consents-title] .consent-list'

/** Fakes all consents as a customer who registered sees them; those of the demonstration were entered by the provider. */
const fakeConsents = (locale: Locale) =>
  reply(readConsents, {
    items: consentKinds.map((kind) => ({
      kind,
      given: true,
      at: '2026-11-03T14:05:00.000Z',
      wording: wordingOf(kind, locale, demonstrationBrand),
    })),
    reported: [],
  })

const consents = statesOf('my-data', { customer: 'oliver' })({
  'nothing-given': { shows: consentList },
  'nothing-recorded': { before: reply(readConsents, { items: [], reported: [] }), shows: consentList },
  given: { before: (scene) => fakeConsents(scene.locale)(scene), shows: consentList },
  wording: { steps: click(`${consentList} .button`), shows: 'dialog[open] h3' },
  'reminders-off': { before: reply(readReminders, { isEarly: false }), shows: '.badge--muted' },
})

const calendarCard = '[aria-labelledby=calendar-title]'
const since = reply(readCalendar, { since: '2026-11-21T13:05:00.000Z' })

/** Fakes the calendar address, which the page shows from its creation on. */
const makeAddress: Step = (scene) =>
  intercept(makeCalendarAddress, async (route) => {
    await since(scene)
    const address = `https://portal.example/api/calendar/${'q3V0b2xvZ2lhLXRlc3Q'.padEnd(43, 'x')}/expiry.ics`
    await route.fulfill({ json: { address } satisfies Reply<typeof makeCalendarAddress> })
  })(scene)

const calendar = statesOf('my-data', { customer: 'oliver' })({
  'calendar-made': { before: makeAddress, steps: click(`${calendarCard} .button`), shows: `${calendarCard} .notice` },
  'calendar-since': { before: since, steps: waitFor('.consent-list .button'), shows: `${calendarCard} time` },
  'calendar-replace': { before: since, steps: click(`${calendarCard} .button`), shows: 'dialog[open]' },
  'calendar-revoke': { before: since, steps: click(`${calendarCard} .button--quiet`), shows: 'dialog[open]' },
})

export const states = [...myData, ...consents, ...calendar]
