import * as z from 'zod/mini'
import { limits } from '../../../../contract/limits.ts'
import * as schemas from './key-schemas.ts'

/**
 * Checks that `{ip}` is after the origin of an address: elsewhere, as in the host's name, a visitor's address would choose who is asked
 * (R81).
 */
function hasIpAfterOrigin(value: string) {
  const host = value.split('{ip}', 1).join('')
  return !URL.canParse(value) || (value.includes('{ip}') && URL.parse(host)?.origin === new URL(value).origin)
}

/** The check for robots, sessions, and limits on what visitors do. */
export const visitorKeys = {
  BOT_CHECK: {
    about: 'The check for robots: the built-in one, or a hosted one.',
    type: '`altcha`, `turnstile`, `hcaptcha` or `recaptcha`',
    schema: schemas.choice('altcha', 'turnstile', 'hcaptcha', 'recaptcha'),
    standard: 'altcha',
    example: 'turnstile',
    isReal: (value) => value !== 'altcha',
  },
  BOT_CHECK_SITE_KEY: {
    about: 'The public key of the hosted check.',
    ...schemas.nameKey,
    otherwise: 'needed for a hosted check',
    example: '0x4AAAAAAA…',
  },
  BOT_CHECK_SECRET: {
    about: 'Its secret.',
    ...schemas.secretKey,
    otherwise: 'needed for a hosted check',
  },
  COUNTRY_LOOKUP_URL: {
    about:
      'A service that returns the country of a network address, for the entry of phone numbers. The address replaces `{ip}`; the answer begins with `1;PL`.',
    ...schemas.serviceKey,
    schema: schemas.webUrl.check(z.refine(hasIpAfterOrigin, 'has no {ip} in its path or query')),
    otherwise: 'no service',
    example: 'https://country.provider.example/?ip={ip}',
  },
  SESSION_IDLE_SECONDS: {
    about: 'The idle time after which a session ends.',
    type: '180 to 604800',
    schema: schemas.wholeNumber(180, 604_800),
    standard: String(limits.session.idle),
    example: '600',
  },
  SESSION_ABSOLUTE_SECONDS: {
    about: 'The time after which a session ends in any case.',
    type: '180 to 604800, not below the one before',
    schema: schemas.wholeNumber(180, 604_800),
    standard: String(limits.session.absolute),
    example: '14400',
  },
  RESET_DELAY_HOURS: {
    about:
      'How long no password link is sent after the provider has [changed](provider.md#another-e-mail-address-or-phone-number) a customer’s e-mail address or phone number.',
    type: '0 to 720',
    schema: schemas.wholeNumber(0, 720),
    standard: '24',
    example: '48',
  },
  REQUESTS_PER_SECOND: {
    about: `Requests of one network address to one node, files not counted; ${limits.requests.burst} seconds’ worth may come at once.`,
    ...schemas.countKey,
    standard: String(limits.requests.perSecond),
    example: '300',
  },
  SEAL_USERS: {
    about: 'Users that one seal can have at a time, removed ones not counted.',
    ...schemas.countKey,
    standard: String(limits.seal.maxUsers),
    example: '200',
  },
} as const satisfies Record<string, schemas.ConfigurationKey>
