import { listActivity, listSessions, type ActiveSession } from '../../contract/activity.ts'
import { downloadDataExport, readDataExport, requestDataExport, type DataExport } from '../../contract/data-export.ts'
import { listPasskeys } from '../../contract/passkeys.ts'
import { refuse, reply } from '../testing/fake-replies.ts'
import { statesOf, type Step, click, waitFor } from './screen-state.ts'

const session = (last: number, device: ActiveSession['device'], address: string | null, country: string | null) => ({
  id: `6f1c1f5e-0000-4000-8000-00000000000${last}`,
  isOwn: last === 3,
  device,
  address,
  country,
  startedAt: '2026-11-21T07:05:00.000Z',
  usedAt: '2026-11-21T09:41:00.000Z',
})

/** Passkeys, which a browser without a device cannot have, and sessions on several devices. */
export const severalPasskeysAndSessions: Step[] = [
  reply(listPasskeys, {
    items: [
      {
        id: '6f1c1f5e-0000-4000-8000-000000000001',
        name: 'Laptop',
        addedAt: '2026-09-03T08:05:00.000Z',
        usedAt: '2026-11-20T13:05:00.000Z',
      },
      {
        id: '6f1c1f5e-0000-4000-8000-000000000002',
        name: 'Telefon służbowy w\u00a0kancelarii Brzęczyszczykiewicz-Świętochłowska',
        addedAt: '2026-11-03T14:05:00.000Z',
        usedAt: null,
      },
    ],
  }),
  reply(listSessions, {
    items: [
      session(3, { browser: 'chrome', system: 'windows' }, '198.51.100.7', 'PL'),
      session(4, { browser: 'safari', system: 'ios' }, '2001:db8:85a3::8a2e:370:7334', 'DE'),
      session(5, { browser: null, system: null }, null, null),
    ],
  }),
]

const lists: Step[] = [
  waitFor('[aria-labelledby=passkeys-title] li'),
  waitFor('[aria-labelledby=sessions-title] li'),
  waitFor('.activity tbody'),
]
const withSeveral = { before: severalPasskeysAndSessions, steps: lists }

const clickIn = (list: 'passkeys' | 'sessions', button: number): Step[] => [
  ...lists,
  click(`[aria-labelledby=${list}-title] li button >> nth=${button}`),
]

const filterActivity: Step[] = [
  // On a phone they are folded.
  async ({ page }) => {
    const open = page.locator('.activity__open')
    if (await open.isVisible()) await open.click()
  },
  ({ page }) => page.locator('.activity select[name=kind]').selectOption('documents'),
  click('.activity__tools [type=submit]'),
]

const ready: DataExport = {
  state: 'ready',
  madeAt: '2026-11-21T09:42:00.000Z',
  expiresAt: '2026-11-22T09:42:00.000Z',
  sizes: { json: 48_213, pdf: 126_480 },
}
const making: DataExport = { state: 'making', requestedAt: '2026-11-21T09:41:00.000Z' }
const none: DataExport = { state: 'none' }

/** The file expires between the page and the download. */
const expiringExport: Step[] = [
  (scene) => {
    const states = [ready]
    return reply(readDataExport, () => states.shift() ?? none)(scene)
  },
  refuse(downloadDataExport, 'state-passed', { current: 'none' }),
]

const seeExport = (selector: string): Step[] => [
  waitFor(selector),
  ({ page }) => page.locator('.export').scrollIntoViewIfNeeded(),
]

/** States of the security page; no data export is really made for the pictures. */
export const states = statesOf('security', { customer: 'oliver' })({
  page: { steps: lists.slice(1) },
  several: withSeveral,
  'rename-passkey': { ...withSeveral, steps: clickIn('passkeys', 0), shows: 'dialog input[name=name]' },
  'remove-passkey': { ...withSeveral, steps: clickIn('passkeys', 1), shows: 'dialog [data-safe]' },
  'end-session': { ...withSeveral, steps: clickIn('sessions', 0), shows: 'dialog [data-safe]' },
  'nothing-found': { steps: filterActivity, shows: '.activity .empty' },
  'history-failed': { before: refuse(listActivity, 'unavailable'), shows: '.activity .notice .button' },
  'export-making': { before: reply(readDataExport, making), steps: seeExport('.export button') },
  'export-ready': { before: reply(readDataExport, ready), steps: seeExport('.export .save-button') },
  'export-missed': {
    before: expiringExport,
    steps: [click('.export .save-button button'), ...seeExport('.export .button')],
  },
  'export-refused': {
    before: [reply(readDataExport, none), refuse(requestDataExport, 'too-many-attempts', { retryAfter: 40_000 })],
    steps: [click('.export .button'), ...seeExport('.export .error')],
  },
})
