import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import type { Feature } from '../contract/features.ts'
import { SetUpSummaries } from './account/set-up-summaries.tsx'
import { EntriesSpent } from './certificates/entries-spent.tsx'
import { config, configure } from './config.ts'
import { obstacleText } from './desk/obstacle-text.ts'
import { LocaleProvider } from './locale.tsx'

const allOn = config
afterEach(() => configure(allOn))

/** The text that is read, without tags. */
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

/** Of each feature: a place that names it where no page of the demonstration shows it. */
const places: [Feature, string, RegExp, () => string][] = [
  ...obstacles.map((obstacle): (typeof places)[number] => [
    'passkeys',
    `the desk, ${Object.values(obstacle).slice(0, 2).join(' ')}`,
    /passkey/i,
    () => obstacleText('en', obstacle).help,
  ]),
  ['vouchers', 'too many wrong codes', /voucher/i, () => shown(<EntriesSpent until={when} />)],
  ['signatures', 'set-up', /order a signature/, () => shown(<SetUpSummaries login="anna" invited={invited} />)],
]

test.each(places)('ERR-5 with %s off it is not named: %s', (feature, _, name, read) => {
  expect(read()).toMatch(name)
  configure({ ...allOn, off: [feature] })
  expect(read()).not.toMatch(name)
})
