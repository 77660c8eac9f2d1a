import * as z from 'zod/mini'
import { limits } from '../../../../contract/limits.ts'
import { isPhoneCountry } from '../../../../contract/rules/phone.ts'
import { parseSender } from '../../brand/brand.ts'
import * as schemas from './key-schemas.ts'

const mailServer = schemas
  .urlWith('smtp:', 'smtps:')
  .check(z.refine((value) => !/^smtps?:\/*(?:[?#]|$)/.test(value), 'has no host'))

/** The usual countries of a Polish provider's customers: the European Economic Area and its neighbours. */
const nearCountries =
  'PL AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO PT RO SE SI SK UA'

/** The mail server and the SMS gateway, with the limits on SMS. */
export const messageKeys = {
  SMTP_URL: {
    about:
      'The mail server. `smtps://` begins with TLS; `smtp://` uses STARTTLS where the server offers it, and with `?requireTLS=true` sends nothing without it.',
    type: '`smtps://` or `smtp://` address',
    schema: mailServer,
    otherwise: 'required in production',
    example: 'smtp://portal@mail.provider.example:587?requireTLS=true',
    secret: 8,
    isReal: schemas.always,
  },
  MAIL_FROM: {
    about: 'The sender of mails.',
    type: 'e-mail address, or `Name <address>`',
    schema: schemas.textThat(
      (value) => parseSender(value) !== undefined,
      'is neither an e-mail address nor Name <address>',
    ),
    needed: { with: 'SMTP_URL', why: 'the sender of mails, such as portal@provider.example' },
    example: 'portal@provider.example',
  },
  SMS_GATEWAY: {
    about: 'The kind of the [SMS gateway](integrate.md#sms-gateway).',
    type: '`generic`, `smsapi`, or in the demonstration `message-box`',
    schema: schemas.choice('generic', 'smsapi', 'message-box'),
    otherwise: '`generic`',
    example: 'smsapi',
    isReal: (value) => value !== 'message-box',
  },
  SMS_URL: {
    about: 'Its address.',
    ...schemas.serviceKey,
    otherwise: 'needed for `generic`',
    example: 'https://sms.provider.example/send',
  },
  SMS_TOKEN: {
    about: 'The token for it.',
    ...schemas.secretKey,
    otherwise: 'needed with a gateway',
  },
  SMS_FROM: {
    about: 'The name of the sender.',
    ...schemas.nameKey,
    otherwise: 'the gateway’s own',
    example: 'Provider',
  },
  SMS_SENDING: {
    about: '`off` stops every SMS at once.',
    ...schemas.onOffKey,
    standard: 'on',
    example: 'off',
  },
  SMS_COUNTRIES: {
    about: 'Countries to whose numbers SMS are sent.',
    type: 'list of two letters each',
    schema: schemas.listOf(isPhoneCountry, 'not a country’s two letters', (word) => word.toUpperCase()),
    standard: nearCountries,
    otherwise: 'the EEA, Switzerland, the United Kingdom, Ukraine',
    example: 'PL, DE',
  },
  SMS_PER_NUMBER: {
    about: `SMS in 24 hours to one number whose code nobody has entered, for unknown devices; known devices have as many of their own. With entered codes, ${limits.code.sendsWithEntered} times as many.`,
    ...schemas.countKey,
    standard: String(limits.code.sendsPerRecipient.limit),
    example: '10',
  },
  SMS_PER_ADDRESS: {
    about:
      'SMS in 24 hours asked for from one network address, for unknown devices and new numbers, whose code nobody has entered.',
    ...schemas.countKey,
    standard: String(limits.code.sendsPerAddress.limit),
    example: '30',
  },
  SMS_PER_RANGE: {
    about:
      'SMS in 24 hours to the numbers that share the country’s code and three digits; a fifth of it more to those that nobody has confirmed.',
    ...schemas.countKey,
    standard: String(limits.code.sendsPerRange),
    example: '2000',
  },
} as const satisfies Record<string, schemas.ConfigurationKey>
