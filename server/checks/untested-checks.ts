import type { Configuration } from '../platform/configuration/configuration.ts'
import { notTested, type Check } from './check.ts'

/** Services that are configured but have no call without an effect, so that nobody takes them for tested. */
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
      isConfigured: appActivation.by === 'service' && appActivation.url !== undefined,
      text: 'APP_ACTIVATION_URL has no call without an effect: activate an app of your own.',
    },
    {
      name: 'passwords',
      isConfigured: timestampPasswordUrl !== undefined,
      text: 'TIMESTAMP_PASSWORD_URL has no call without an effect: change the password of a timestamp account of your own.',
    },
    {
      name: 'certificate status',
      isConfigured: caStatusUrl !== undefined,
      text: 'CA_STATUS_URL has no call without an effect: suspend a certificate of your own, and end the suspension.',
    },
    {
      name: 'country lookup',
      isConfigured: countryLookupUrl !== undefined,
      text: 'COUNTRY_LOOKUP_URL is asked about addresses of visitors only: see whether phone fields begin with your country.',
    },
    {
      name: 'traces',
      isConfigured: tracesUrl !== undefined,
      text: 'TRACES_URL takes traces only: see whether the collector has some after the start.',
    },
  ].flatMap(({ name, isConfigured, text }) => (isConfigured ? { name, run: async () => notTested(text) } : []))
