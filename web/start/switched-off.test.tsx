import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import { neededBy, type Feature } from '../../contract/features.ts'
import { samplePageConfig } from '../../contract/testing/sample-page-config.ts'
import { lede } from '../account/login-screen.tsx'
import { SetUpSummaries } from '../account/set-up-summaries.tsx'
import { configure, isOff } from '../app/config.ts'
import { LocaleProvider } from '../app/locale.tsx'
import { DecisionResult } from '../desk/case-decision.tsx'
import { caseWaitText } from '../desk/case-text.ts'
import { ProductsCard } from '../desk/desk-products.tsx'
import { obstacleText } from '../desk/obstacle-text.ts'
import { releasesLede } from '../desk/releases-screen.tsx'
import { codeUses } from '../desk/vouchers-screen.tsx'
import { topicsWithout } from '../faq/faq-text.ts'
import { TooManyCodesNotice } from '../renewal/entries-spent.tsx'
import { StatusRequestLine } from '../status-requests/status-button.tsx'

configure(samplePageConfig)
afterEach(() => configure(samplePageConfig))

/** Returns the text that is read, without tags. */
const shown = (children: ReactNode) =>
  renderToStaticMarkup(<LocaleProvider locale="en">{children}</LocaleProvider>).replace(/<[^>]+>/g, '')

const when = '2026-11-24T10:00:00.000Z'
const invited = {
  firstName: 'Anna',
  secondName: null,
  surname: 'Nowak',
  email: 'anna@example.test',
  phone: '+48 ••• ••• 417',
  signatures: { total: 0, first: [] },
  seals: [],
  identification: null,
}
const obstacles = [
  { kind: 'blocked', by: 'wrong-passwords', since: when },
  { kind: 'sms-refused', cause: 'sms-stopped' },
  { kind: 'sms-refused', cause: 'sms-country-refused' },
  { kind: 'limit', limit: 'codes-pause', until: when },
] as const

/** Returns all questions and answers, in both languages. */
const faq = () =>
  topicsWithout(isOff)
    .flatMap(({ questions }) => questions.flatMap(({ question, answer }) => [question, ...answer]))
    .flatMap(({ pl, en }) => [pl, en])
    .join('\n')

const statusChangeRequested = () => shown(<StatusRequestLine request={{ change: 'suspend', deadline: when }} />)

/**
 * For each text of the desk on what helps with a case: the feature without which it does not help, the words that name the feature, and the
 * arguments of `waitText`.
 */
const waits: [Feature, RegExp, ...Parameters<typeof caseWaitText>][] = [
  ['renewal', /home page/, 'renewal', 'renewal-choices'],
  ['renewal', /e-mail/, 'renewal', 'identity-check'],
  ['renewal', /new code/, 'renewal', 'signing-service'],
  ['signatures', /list of signatures/, 'renewal', 'renewal-app'],
  ['documents', /“Documents” page/, 'document', 'document-signature'],
  ['documents', /“Documents” page/, 'document', 'document-upload'],
  ['documents', /download/, 'document', 'document-end'],
]

const none = { items: [], hasMore: false }
const invitation = {
  id: 'a2f1f0b1-4b0f-4e0e-9d8e-3f5f0f2c9a11',
  filed: 'seal-1',
  product: 'app',
  role: 'user',
  invitedAt: when,
  expiresAt: when,
  isExpired: false,
  isSuperfluous: false,
} as const
const products = {
  certificates: none,
  seals: none,
  invitations: { items: [invitation], hasMore: false },
  renewals: none,
  documents: none,
  vouchers: none,
  statusRequests: none,
  timestamps: none,
}

/** For each feature: places that name it and that no page of the demonstration shows. */
const places: [Feature, string, RegExp, () => string][] = [
  ...obstacles.map((obstacle): (typeof places)[number] => [
    'passkeys',
    `the desk, ${Object.values(obstacle).slice(0, 2).join(' ')}`,
    /passkey/i,
    () => obstacleText('en', obstacle).help,
  ]),
  ['vouchers', 'too many wrong codes', /voucher/i, () => shown(<TooManyCodesNotice until={when} />)],
  ['signatures', 'set-up', /order a signature/, () => shown(<SetUpSummaries login="anna" invited={invited} />)],
  ['signing', 'a certificate that is being stopped', /you can’t sign with this certificate/, statusChangeRequested],
  ['renewal', 'a certificate that is being stopped', /renew it/, statusChangeRequested],
  ['registration', 'the FAQ', /założenia konta|zakładały|new account|create accounts/, faq],
  ['signing', 'the FAQ', /każde podpisanie|podpisanie umowy|each time you sign|signing an agreement/i, faq],
  ['renewal', 'the FAQ', /kod\S* odnowienia|podpisanie umowy|renewal|signing an agreement/i, faq],
  ['seals', 'the FAQ', /pieczę|\bseals?\b/i, faq],
  ...waits.map(([feature, name, ...wait]): (typeof places)[number] => [
    feature,
    `the desk, ${wait[1]}`,
    name,
    () => caseWaitText(...wait).help.en,
  ]),
  [
    'renewal',
    'the desk, a decision',
    /customer gets/,
    () => shown(<DecisionResult kind="renewal" decision="confirmed" />),
  ],
  [
    'documents',
    'the desk, a decision',
    /customer gets/,
    () => shown(<DecisionResult kind="document" decision="refused" />),
  ],
  [
    'registration',
    'the desk, a registration',
    /form/,
    () => obstacleText('en', { kind: 'unconfirmed-registration' }).help,
  ],
  [
    'seals',
    'the desk, an invitation',
    /Send again/,
    () => shown(<ProductsCard customer={{ account: 'a', products }} session={{ roles: ['agent'] }} />),
  ],
  ['vouchers', 'the desk, new codes', /certificate/, () => JSON.stringify(codeUses('en'))],
  ['renewal', 'the desk, new codes', /renewal/, () => JSON.stringify(codeUses('en'))],
  ['software', 'the desk, programs', /page Software/, () => releasesLede().en],
  ['documents', 'the FAQ', /kod\S* do dokumentu|document code/i, faq],
]

test.each(places)('ERR-5 with %s off it is not named: %s', (feature, _, name, read) => {
  expect(read()).toMatch(name)
  configure({ ...samplePageConfig, off: [feature, ...neededBy(feature)] })
  expect(read()).not.toMatch(name)
})

test('ERR-5 STP-8 a certificate that is being stopped says what it is not used for, of what is on', () => {
  const without = (...off: Feature[]) => {
    configure({ ...samplePageConfig, off })
    return statusChangeRequested().split('. ').at(-1)
  }
  expect(without()).toBe('From now on, you can’t sign with this certificate here, renew it or connect it to the app.')
  expect(without('documents', 'file-signing')).toBe(
    'From now on, you can’t renew this certificate or connect it to the app.',
  )
  expect(without('renewal')).toBe('From now on, you can’t sign with this certificate here or connect it to the app.')
  expect(without('signing', 'renewal', 'file-signing')).toBe(
    'From now on, you can’t connect this certificate to the app.',
  )
})

test('ERR-5 the login page says what the portal is for, of what is on', () => {
  const without = (...off: Feature[]) => {
    configure({ ...samplePageConfig, off })
    return Object.values(lede())
  }
  expect(without()).toEqual([
    'Zarządzaj podpisami, pieczęciami i\u00a0znacznikami czasu.',
    'Manage your signatures, seals and timestamps.',
  ])
  expect(without('seals')).toEqual([
    'Zarządzaj podpisami i\u00a0znacznikami czasu.',
    'Manage your signatures and timestamps.',
  ])
  expect(without('seals', 'timestamps')).toEqual(['Zarządzaj podpisami.', 'Manage your signatures.'])
  expect(without('signatures', 'seals', 'timestamps')).toEqual(['Zarządzaj swoim kontem.', 'Manage your account.'])
})
