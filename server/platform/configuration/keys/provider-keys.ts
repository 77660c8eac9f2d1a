import * as z from 'zod/mini'
import * as schemas from './key-schemas.ts'

const threeCodes = /^1_year=([\w.:/-]{1,64})[\s,]+2_year=([\w.:/-]{1,64})[\s,]+3_year=([\w.:/-]{1,64})$/

/** The codes of certificate templates: every period of a renewal has one, so that no order lacks it. */
const renewalTemplates = z.pipe(
  schemas.textThat((value) => threeCodes.test(value), 'is not like 1_year=QCS-1Y, 2_year=QCS-2Y, 3_year=QCS-3Y'),
  z.transform((value) => {
    const [, oneYear = '', twoYears = '', threeYears = ''] = threeCodes.exec(value) ?? []
    return { '1_year': oneYear, '2_year': twoYears, '3_year': threeYears }
  }),
)

/** Webhooks, the activation of signing apps, the password service of timestamp accounts, and the names of certificate templates. */
export const providerKeys = {
  WEBHOOK_HOSTS: {
    about: 'Hosts to which [webhooks](events.md#webhooks) may lead.',
    type: 'list of hosts, with a port where it is not 443',
    schema: schemas.hostList('events.provider.example or 10.0.0.5:8443'),
    standard: '',
    otherwise: 'none',
    example: 'events.provider.example, 10.0.0.5:8443',
    isReal: schemas.always,
  },
  APP_ACTIVATION: {
    about:
      'Who makes what a [signing app](provider.md#activation-of-signing-apps) scans: you, by the provider API; your signing service, which the portal asks over HTTP; or the portal.',
    type: '`provider`, `service` or `portal`',
    schema: schemas.choice('provider', 'service', 'portal'),
    otherwise: '`provider`',
    example: 'service',
  },
  APP_ACTIVATION_URL: {
    about: 'Where the portal asks for what an app scans.',
    ...schemas.serviceKey,
    otherwise: 'needed with `APP_ACTIVATION=service`',
    example: 'https://sign.provider.example/activations',
  },
  APP_ACTIVATION_TOKEN: {
    about: 'The token for it.',
    ...schemas.secretKey,
    otherwise: 'needed with `APP_ACTIVATION_URL`',
  },
  APP_ACTIVATION_KEY_FILE: {
    about: 'Your public key, for which the portal encrypts the secrets of apps.',
    type: `${schemas.filePathType} with an RSA key of 2048 bits or more as JWK (RFC 7517)`,
    schema: schemas.text,
    otherwise: 'needed with `APP_ACTIVATION=portal`',
    example: '/etc/sygnet/activation-key.json',
    isReal: schemas.always,
  },
  TIMESTAMP_PASSWORD_URL: {
    about:
      'Where [new passwords](provider.md#passwords-of-timestamp-accounts) of timestamp accounts go. Without it none is changed in the portal.',
    ...schemas.serviceKey,
    otherwise: 'none in production',
    example: 'https://tsa.provider.example/passwords',
  },
  TIMESTAMP_PASSWORD_TOKEN: {
    about: 'The token for it.',
    ...schemas.secretKey,
    needed: { with: 'TIMESTAMP_PASSWORD_URL', why: 'the token for TIMESTAMP_PASSWORD_URL' },
  },
  CA_STATUS_URL: {
    about:
      'Where [requests](provider.md#suspending-resuming-and-revoking) to suspend, resume or revoke a certificate go. Without it you take each from the provider API.',
    ...schemas.serviceKey,
    otherwise: 'none in production',
    example: 'https://ca.provider.example/status',
  },
  CA_STATUS_TOKEN: {
    about: 'The token for it.',
    ...schemas.secretKey,
    needed: { with: 'CA_STATUS_URL', why: 'the token for CA_STATUS_URL' },
  },
  RENEWAL_TEMPLATES: {
    about:
      'Your codes of the certificate templates for [renewed](provider.md#renewals) cloud signatures of 1, 2 and 3 years.',
    type: 'list of a code for each period, in this order',
    schema: renewalTemplates,
    otherwise: 'none in production',
    example: '1_year=QCS-1Y, 2_year=QCS-2Y, 3_year=QCS-3Y',
  },
} as const satisfies Record<string, schemas.ConfigurationKey>
