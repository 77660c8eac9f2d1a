import {
  blockCustomer,
  getCustomer,
  getMaskedCustomer,
  inviteCustomer,
  listCustomers,
  searchCustomers,
  searchMaskedCustomers,
  unblockCustomer,
} from '../contract/provider/provider-api.ts'
import { printItems, type CommandContext, type Command } from './command.ts'
import { importFile } from './customer-import.ts'
import { plainText } from './plain-text.ts'
import { allItems, RefusalError } from './portal-calls.ts'
import { exitCodes, CliError } from './cli-error.ts'

const explain = (customer: string) => (error: unknown) => {
  if (error instanceof RefusalError && error.code === 'not-found')
    throw new CliError(`The portal knows no customer ${customer}.`)
  if (error instanceof RefusalError && error.code === 'already-active')
    throw new CliError(`${customer} has already set a password, so there is no invitation to send.`)
  throw error
}

/** With masked numbers, unless whole ones are asked for: a terminal and its history keep what they show. */
async function showCustomer({ operands, has, portal, printResult }: CommandContext): Promise<number> {
  const [customer = ''] = operands
  const endpoint = has('unmasked') ? getCustomer : getMaskedCustomer
  const known = await portal().call(endpoint, { params: { customer } }).catch(explain(customer))
  printResult(plainText({ customer, ...known }), { customer, ...known })
  return exitCodes.done
}

/** Changes a customer and prints the new state. */
const change =
  (endpoint: typeof blockCustomer | typeof unblockCustomer | typeof inviteCustomer) =>
  async ({ operands, portal, printResult }: CommandContext) => {
    const [customer = ''] = operands
    const { login, state } = await portal().call(endpoint, { params: { customer } }).catch(explain(customer))
    printResult(plainText({ customer, login, state }), { customer, login, state })
    return exitCodes.done
  }

const searchedBy = ['email', 'login', 'phone', 'identifier'] as const

/** Prints all pages of a search, a customer on each line; 1 if there is none. */
async function findCustomers(context: CommandContext): Promise<number> {
  const { valuesOf, has, portal } = context
  const given = searchedBy.flatMap((name) => valuesOf(name).map((value) => [name, value] as const))
  if (given.length !== 1)
    throw new CliError(`Give one of ${searchedBy.map((name) => `--${name}`).join(', ')}.`, exitCodes.misused)
  const isMasked = !has('unmasked')
  if (isMasked && given[0]![0] === 'identifier')
    throw new CliError('--identifier needs --unmasked: a masked search could be used to guess it.', exitCodes.misused)
  const calls = portal()
  const customers = allItems((cursor?: string) =>
    calls.call(isMasked ? searchMaskedCustomers : searchCustomers, { body: { ...Object.fromEntries(given), cursor } }),
  )
  const found = await printItems(context, customers, (item) => [
    item.customer ?? '(registered)',
    item.login,
    item.email,
    item.phone,
    item.state,
    `${item.firstName} ${item.surname}`,
  ])
  return found ? exitCodes.done : exitCodes.refused
}

/** All customers, one on each line, without personal data. */
async function listAll(context: CommandContext): Promise<number> {
  const calls = context.portal()
  const customers = allItems((cursor?: string) => calls.call(listCustomers, { query: { cursor } }))
  await printItems(context, customers, ({ customer, account, state, createdAt }) => [
    customer,
    account,
    state,
    createdAt,
  ])
  return exitCodes.done
}

const unmasked = { summary: 'with whole numbers; needs the scope customers:read' }

export const customerCommands: readonly Command[] = [
  {
    name: 'customers import',
    operands: ['FILE'],
    summary: 'create and update customers from NDJSON, one customer per line',
    details: `Each line is a customer in the form of the provider API, with your own id: {"customer": "c-17", "login": …}
Unchanged customers are left as they are, so a file can be imported again. Refused lines are written to
FILE.refused.ndjson with their numbers and reasons; all others are imported. After an interruption the same command
continues where it stopped.`,
    options: { restart: { summary: 'start again at the first line' } },
    needs: 'portal',
    run: importFile,
  },
  {
    name: 'customers show',
    operands: ['CUSTOMER'],
    summary: 'show a customer, by your own id, with masked numbers',
    options: { unmasked },
    needs: 'portal',
    run: showCustomer,
  },
  {
    name: 'customers find',
    summary: 'find customers by e-mail, login, phone or identifier; every search is in the audit trail',
    options: {
      unmasked,
      email: { valueName: 'EMAIL', summary: 'their e-mail address' },
      login: { valueName: 'LOGIN', summary: 'their login' },
      phone: { valueName: 'PHONE', summary: 'their number with the country code, such as +48601234567' },
      identifier: { valueName: 'IDENTIFIER', summary: 'as in a certificate: PNOPL-44051401458; with --unmasked only' },
    },
    needs: 'portal',
    run: findCustomers,
  },
  {
    name: 'customers list',
    summary: 'list all customers: your ids and their states, without personal data',
    needs: 'portal',
    run: listAll,
  },
  {
    name: 'customers invite',
    operands: ['CUSTOMER'],
    summary: 'send a new invitation to a customer who has not set a password yet',
    needs: 'portal',
    run: change(inviteCustomer),
  },
  {
    name: 'customers block',
    operands: ['CUSTOMER'],
    summary: 'block an account and end its sessions; the customer is notified by e-mail',
    needs: 'portal',
    run: change(blockCustomer),
  },
  {
    name: 'customers unblock',
    operands: ['CUSTOMER'],
    summary: 'unblock an account, which keeps its password',
    needs: 'portal',
    run: change(unblockCustomer),
  },
]
