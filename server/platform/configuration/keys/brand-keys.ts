import * as z from 'zod/mini'
import { features, isFeature, neededBy, type Feature } from '../../../../contract/features.ts'
import * as schemas from './key-schemas.ts'
import { editDistance } from './key-schemas.ts'

const featureNames = Object.keys(features)

/**
 * Checks whether a name is nearly that of a feature: such a typing error would leave the feature on. Any other name may be a newer
 * version's (OPS-13).
 */
export const isMistypedFeature = (name: string) =>
  !isFeature(name) && featureNames.some((feature) => editDistance(name.slice(0, 60), feature) <= 2)

const featuresOff = z.pipe(
  schemas.listOf((name) => !isMistypedFeature(name), `not a feature; features are ${featureNames.join(', ')}`),
  z.transform((names, context) => {
    const off = names.filter(isFeature)
    for (const feature of off)
      for (const dependent of neededBy(feature).filter((needing) => !off.includes(needing)))
        context.issues.push({
          code: 'custom',
          message: `has ${feature} but not ${dependent}, which needs it`,
          input: names,
        })
    return off
  }),
) as unknown as z.ZodMiniType<Feature[], string>

/** The brand, the security contact, and features that are switched off. */
export const brandKeys = {
  BRAND_FILE: {
    about: 'Names, links, colours and texts of your own, see [below](#a-look-of-your-own).',
    type: schemas.filePathType,
    schema: schemas.text,
    otherwise: 'required in production',
    example: '/etc/sygnet/brand.json',
  },
  SECURITY_CONTACT: {
    about: 'Where weaknesses are reported; with it the portal serves `/.well-known/security.txt` (RFC 9116).',
    type: 'list of `mailto:`, `https://` or `tel:` addresses',
    schema: schemas.listOf(
      (word) => /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+[\d-]+)$/.test(word),
      'not an address such as mailto:security@provider.example',
    ),
    standard: '',
    otherwise: 'none',
    example: 'mailto:security@provider.example',
  },
  SECURITY_POLICY_URL: {
    about: 'The page that says how you deal with weaknesses.',
    type: '`https://` address',
    schema: schemas.urlWith('https:'),
    otherwise: 'none',
    example: 'https://provider.example/security-policy',
  },
  FEATURES_OFF: {
    about: 'Features that are switched off, see [below](#features-that-are-off).',
    type: 'list of features',
    schema: featuresOff,
    standard: '',
    example: 'vouchers, software',
  },
  API_REFERENCE: {
    about: 'Whether anyone can read the page `/api-reference` and the OpenAPI documents, which contain no data.',
    ...schemas.onOffKey,
    standard: 'on',
    example: 'off',
  },
  ASSETS_URL: {
    about: 'The path at which browsers fetch the built files.',
    type: 'path that begins and ends with `/`',
    // Our own origin only: the policy of pages lets in nobody else's scripts (R64).
    schema: schemas.textThat(
      (value) => /^\/(?:[\w-]+\/)+$/.test(value),
      'must be a path that begins and ends with /, such as /assets/',
    ),
    standard: '/assets/',
    example: '/portal/assets/',
  },
} as const satisfies Record<string, schemas.ConfigurationKey>
