import { blockCustomer, getCustomer, inviteCustomer, unblockCustomer } from '../contract/provider-api.ts'
import type { Asked, Command } from './command.ts'
import { importFile } from './customer-import.ts'
import { plainLines } from './plain-lines.ts'
import { Refusal } from './portal-calls.ts'
import { exitCodes, Told } from './told.ts'

type OneCustomer = typeof getCustomer | typeof blockCustomer | typeof unblockCustomer | typeof inviteCustomer

/** Asks one thing of one customer, and says what the portal knows of them then. */
const ask = (endpoint: OneCustomer) => async (asked: Asked) => {
  const customer = asked.operands[0]!
  try {
    const state = await asked.portal().call(endpoint, { params: { customer } })
    asked.say(plainLines({ customer, ...state }), { customer, ...state })
    return exitCodes.done
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not-found')
      throw new Told(`The portal knows no customer ${customer}.`)
    if (error instanceof Refusal && error.code === 'already-active')
      throw new Told(`${customer} has set a password already, so there is nothing to invite to.`)
    throw error
  }
}

export const customerCommands: readonly Command[] = [
  {
    words: 'customers import',
    operands: ['FILE'],
    says: 'create and update customers from NDJSON, a customer a line',
    more: `A line is a customer as the provider API takes one, with your own id: {"customer": "c-17", "login": …}
What is there already and says the same is left as it is, so a file can be imported again. Lines that are refused are
written to FILE.refused.ndjson with their numbers and reasons; all others count. Broken off, it goes on where it was.`,
    options: { restart: { says: 'begin again at the first line, whatever was done of the file before' } },
    needs: 'portal',
    run: importFile,
  },
  {
    words: 'customers show',
    operands: ['CUSTOMER'],
    says: 'what the portal knows of a customer, by your own id',
    needs: 'portal',
    run: ask(getCustomer),
  },
  {
    words: 'customers invite',
    operands: ['CUSTOMER'],
    says: 'send a new invitation to a customer who has not set a password yet',
    needs: 'portal',
    run: ask(inviteCustomer),
  },
  {
    words: 'customers block',
    operands: ['CUSTOMER'],
    says: 'block an account and end its sessions; the customer is told by e-mail',
    needs: 'portal',
    run: ask(blockCustomer),
  },
  {
    words: 'customers unblock',
    operands: ['CUSTOMER'],
    says: 'open a blocked account for its present password',
    needs: 'portal',
    run: ask(unblockCustomer),
  },
]
