import { register } from '../../contract/registration.ts'
import { refuse } from '../testing/fake-replies.ts'
import { statesOf, type Step } from './screen-state.ts'
import { click, fill, press, see, submitButton } from './steps.ts'

const enter = ({ phone, email }: { phone: string; email: string }): Step[] => [
  see(submitButton),
  fill('input[name=email]', email),
  fill('input[name=firstName]', 'Żaneta'),
  fill('input[name=surname]', 'Kaźmierczak'),
  fill('input[type=tel]', phone),
]

const send: Step[] = [
  ...enter({ phone: '600 100 417', email: 'zaneta.kazmierczak@poczta.example' }),
  click('.check--all input'),
  press(/regulamin|the terms/, 'dialog[open]'),
  press(/zapoznanie|notice/, 'dialog[open]'),
  click(submitButton),
]

export const states = statesOf('register')({
  empty: {},
  /** Two wrong fields, and a domain with a typing error. */
  errors: {
    steps: [...enter({ phone: '600 1', email: 'zaneta.kazmierczak@gmial.com' }), click(submitButton)],
    shows: '.esum',
  },
  countries: { steps: [click('button.cc:enabled'), fill('[role=combobox]', 'nie')] },
  terms: { steps: [see(submitButton), click('.check a')], shows: 'dialog[open] h3' },
  'too-many': {
    before: refuse(register, 'too-many-attempts', { retryAfter: 2520 }),
    steps: send,
    shows: '.next, .note--err',
  },
  sent: { steps: send, shows: '.next, .note--err' },
})
