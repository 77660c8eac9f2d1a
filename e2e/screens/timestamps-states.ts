import { changeTimestampPassword, listTimestampAccounts } from '../../contract/timestamps.ts'
import { refuse, reply } from '../testing/fake-replies.ts'
import { statesOf, type Step } from './screen-state.ts'
import { card, click, fill, retryButton, see } from './steps.ts'

const actions = ['packages', 'usage', 'connection', 'password'] as const

/** Opens the dialog of an action on the card of an account. */
const open = (action: (typeof actions)[number], account = 0): Step[] => [
  see(card),
  click(`main article >> nth=${account} >> .cert__act button >> nth=${actions.indexOf(action)}`),
]

const enterPassword = (newPassword: string, repeatPassword: string): Step[] => [
  ...open('password'),
  fill('dialog input[name=newPassword]', newPassword),
  fill('dialog input[name=repeatPassword]', repeatPassword),
  click('dialog button[type=submit]:enabled'),
]

export const states = statesOf('timestamps', { path: '/certificates/timestamps', customer: 'malgorzata' })({
  list: { shows: card },
  'running-out': { customer: 'zofia', shows: card },
  rows: { path: '/certificates/timestamps?state=low', customer: 'zofia', shows: '.crow' },
  none: { customer: 'oliver', shows: '.empty' },
  failed: { customer: 'oliver', before: refuse(listTimestampAccounts, 'unavailable'), shows: retryButton },
  packages: { steps: open('packages'), shows: 'dialog[open] .pack' },
  'packages-ending': { customer: 'zofia', steps: open('packages', 2), shows: 'dialog[open] .pack' },
  usage: { steps: open('usage'), shows: 'dialog[open] .usage' },
  'usage-table': { steps: [...open('usage'), click('.usage__table summary')] },
  connect: { steps: open('connection'), shows: 'dialog[open] .tsa__line' },
  'connect-signed': { steps: open('connection', 1), shows: 'dialog[open] .tsa__line' },
  password: { steps: open('password'), shows: 'dialog[open] input[name=newPassword]' },
  'password-errors': { steps: enterPassword('zakrotkie', 'inne'), shows: 'dialog [aria-invalid]' },
  'password-changed': {
    before: reply(changeTimestampPassword, undefined),
    steps: enterPassword('Znaczniki2027', 'Znaczniki2027'),
    shows: '.tsa__done',
  },
})
