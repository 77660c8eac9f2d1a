import * as z from 'zod/mini'
import { signingAlgorithms } from '../../../../pki/asn1/signature-algorithm.ts'
import * as schemas from './key-schemas.ts'

const pathIn = (value: string) => (URL.canParse(value) ? new URL(value).pathname : '/x')

const algorithmNames = [...signingAlgorithms.keys()]

/** Trust in signatures, storage and scans of documents, and the services that sign them. */
export const documentKeys = {
  SIGNATURE_ANCHORS_FILE: {
    about:
      'The authorities whose signatures on documents are accepted, and trusted where anyone checks a file at `/check`.',
    ...schemas.certificatesKey,
    otherwise: '[required](#features-that-are-off) in production',
    example: '/etc/sygnet/anchors.pem',
  },
  TRUSTED_LISTS_URL: {
    about:
      'The list of the [EU trusted lists](operate.md#trusted-lists), whose authorities are accepted in addition to those of `SIGNATURE_ANCHORS_FILE`.',
    ...schemas.serviceKey,
    otherwise: 'none in production',
    example: 'https://ec.europa.eu/tools/lotl/eu-lotl.xml',
  },
  TRUSTED_LISTS_CERTIFICATES_FILE: {
    about:
      'The certificates that may sign the list of `TRUSTED_LISTS_URL`, as the Official Journal of the EU names them.',
    ...schemas.certificatesKey,
    needed: { with: 'TRUSTED_LISTS_URL', why: 'the certificates with which the list of lists is signed' },
    example: '/etc/sygnet/list-of-lists.pem',
  },
  TRUSTED_LISTS_COUNTRIES: {
    about: 'The countries whose lists are used: fewer are faster to judge by.',
    type: 'list of the codes of the lists',
    schema: schemas.listOf(
      (entry) => /^[A-Z]{2}$/.test(entry),
      'not the code of a list such as PL or EL',
      (entry) => entry.toUpperCase(),
    ),
    standard: '',
    otherwise: 'all',
    example: 'PL, DE, CZ',
  },
  SIGNATURE_DSS_URL: {
    about:
      'An [EU DSS](provider.md#documents-to-be-signed) that decides which signatures are trusted; while it does not answer, no signed document is accepted.',
    ...schemas.serviceKey,
    otherwise: 'no service',
    example: 'https://dss.provider.example',
  },
  REVOCATION_FETCH: {
    about:
      'Whether the portal asks authorities about certificates (OCSP, then CRL, at the addresses in them): for uploads without answers, for PAdES B-LT of what is signed in the portal, and for files at `/check`.',
    ...schemas.onOffKey,
    standard: 'on',
    example: 'off',
  },
  REVOCATION_HOSTS: {
    about: 'Hosts in your own network that certificates may name there. Without them only public addresses are called.',
    type: 'list of hosts, with a port where it is not the usual one',
    schema: schemas.hostList('ocsp.provider.example or 10.0.0.5:8080'),
    standard: '',
    otherwise: 'none',
    example: 'ocsp.provider.internal, 10.0.0.5:8080',
    isReal: schemas.always,
  },
  ARCHIVE_RENEWAL_DAYS: {
    about:
      'Days before the certificate of its archive timestamp ends at which a signed agreement gets another one (PAdES B-LTA).',
    type: 'number',
    schema: schemas.wholeNumber(1, 3650),
    standard: '180',
    example: '365',
  },
  ARCHIVE_RENEW_STAMPED_BEFORE: {
    about: '[Archive timestamps](operate.md#archive-timestamps) from before this day are renewed now.',
    type: 'day, as `2031-01-01`',
    schema: schemas.textThat(
      (value) => /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)),
      'is not a day such as 2031-01-01',
    ),
    otherwise: 'none',
    example: '2031-01-01',
  },
  S3_URL: {
    about: 'A bucket for documents, its name in the path.',
    ...schemas.serviceKey,
    schema: schemas.webUrl.check(
      z.refine((value) => /^\/./.test(pathIn(value)), 'has no name of a bucket in its path'),
    ),
    otherwise: 'documents are stored in `DATA_DIR`',
    example: 'https://s3.provider.example/portal',
  },
  S3_REGION: {
    about: 'Its region.',
    type: 'text',
    schema: schemas.text,
    standard: 'us-east-1',
    example: 'eu-central-1',
  },
  S3_ACCESS_KEY_ID: {
    about: 'The portal’s access key for it.',
    ...schemas.nameKey,
    needed: { with: 'S3_URL', why: 'the access key for S3_URL' },
    example: 'sygnet-portal',
  },
  S3_SECRET_ACCESS_KEY: {
    about: 'The secret for it.',
    ...schemas.secretKey,
    needed: { with: 'S3_URL', why: 'the secret for S3_URL' },
  },
  MALWARE_SCANNER: {
    about: 'clamd that scans uploads; while it does not answer, no upload is accepted.',
    type: 'path of its socket, or `host:port`',
    schema: schemas.text,
    otherwise: 'nothing is scanned',
    example: '/run/clamav/clamd.ctl',
    isReal: schemas.always,
  },
  CSC_URL: {
    about:
      'The [signing service](provider.md#signed-in-the-portal) that keeps the keys of cloud signatures, up to `/csc/v2`.',
    ...schemas.serviceKey,
    otherwise: '[required](#features-that-are-off) in production',
    example: 'https://sign.provider.example/csc/v2',
  },
  CSC_CLIENT_ID: {
    about: 'The portal’s client id at the signing service.',
    ...schemas.nameKey,
    needed: { with: 'CSC_URL', why: 'the client id at the signing service' },
    example: 'sygnet-portal',
  },
  CSC_CLIENT_SECRET: {
    about: 'The secret for it.',
    ...schemas.secretKey,
    needed: { with: 'CSC_URL', why: 'the client secret at the signing service' },
  },
  CSC_TOKEN_URL: {
    about: 'Where the portal gets its token.',
    ...schemas.serviceKey,
    otherwise: 'as `info` of the signing service says',
    example: 'https://login.provider.example/token',
  },
  CSC_AUTHORIZE_URL: {
    about: 'The page of the signing service at which customers authorise signatures (`oauth2code`).',
    ...schemas.serviceKey,
    otherwise: 'as `info` of the signing service says',
    example: 'https://login.provider.example/authorize',
  },
  CSC_ALGORITHMS: {
    about: `The algorithms that the portal asks the signing service for, in order of preference: ${algorithmNames.map((name) => `\`${name}\``).join(', ')}.`,
    type: 'list',
    schema: z.pipe(
      schemas.listOf((name) => algorithmNames.includes(name), `not one of ${algorithmNames.join(', ')}`),
      z.transform((names) => names.flatMap((name) => signingAlgorithms.get(name) ?? [])),
    ),
    otherwise: 'all, PKCS #1 v1.5 before PSS',
    example: 'rsa-pss-sha256,ecdsa-sha256',
  },
  TSA_URL: {
    about: 'The timestamp authority for what is signed in the portal.',
    ...schemas.serviceKey,
    otherwise: 'needed with `CSC_URL`',
    example: 'https://tsa.provider.example',
  },
  TSA_LOGIN: {
    about: 'The portal’s login there.',
    ...schemas.nameKey,
    otherwise: 'none',
    example: 'sygnet-portal',
  },
  TSA_PASSWORD: {
    about: 'Its password.',
    type: '8 characters or more',
    schema: schemas.text,
    needed: { with: 'TSA_LOGIN', why: 'the password of TSA_LOGIN' },
    secret: 8,
    isReal: schemas.always,
  },
} as const satisfies Record<string, schemas.ConfigurationKey>
