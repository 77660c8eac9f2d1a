import type { Configuration } from '../platform/configuration/configuration.ts'
import { findingOfAddress, type Check } from './check.ts'

/** Services that are configured but have no call without an effect: of these, the address alone is tested. */
export const untestedChecks = ({
  appActivation,
  timestampPasswordUrl,
  caStatusUrl,
  countryLookupUrl,
  tracesUrl,
}: Configuration): Check[] =>
  [
    {
      name: 'app activation',
      key: 'APP_ACTIVATION_URL',
      url: appActivation.by === 'service' ? appActivation.url : undefined,
      text: 'has no call without an effect: activate an app of your own.',
    },
    {
      name: 'passwords',
      key: 'TIMESTAMP_PASSWORD_URL',
      url: timestampPasswordUrl,
      text: 'has no call without an effect: change the password of a timestamp account of your own.',
    },
    {
      name: 'certificate status',
      key: 'CA_STATUS_URL',
      url: caStatusUrl,
      text: 'has no call without an effect: suspend a certificate of your own, and end the suspension.',
    },
    {
      name: 'country lookup',
      key: 'COUNTRY_LOOKUP_URL',
      url: countryLookupUrl,
      text: 'is asked about addresses of visitors only: see whether phone fields begin with your country.',
    },
    {
      name: 'traces',
      key: 'TRACES_URL',
      url: tracesUrl,
      text: 'takes traces only: see whether the collector has some after the start.',
    },
  ].flatMap(({ name, key, url, text }) =>
    url === undefined ? [] : { name, run: () => findingOfAddress(key, url, `${key} ${text}`) },
  )
