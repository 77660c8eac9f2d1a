import * as api from '../contract/provider/provider-customers.ts'
import { needs, printList, type AddCommands, type CommandContext } from './command.ts'
import { importFile } from './customer-import.ts'
import { exitCodes, usageError } from './environment.ts'
import { explain } from './portal-calls.ts'

const unmaskedOption = ['--unmasked', 'with whole numbers; needs the scope customers:read'] as const

export const addCustomerCommands: AddCommands = (program, context) => {
  const { portal, printResult } = context
  const customers = program.command('customers').commandsGroup(needs.portal)
  customers
    .command('import <file>')
    .description('create and update customers from NDJSON, one customer per line')
    .option('--restart', 'start again at the first line')
    .addHelpText(
      'after',
      `\nEach line is a customer in the form of the provider API, with your own id: {"customer": "c-17", "login": …}
Unchanged customers are left as they are, so a file can be imported again. Refused lines are written to
FILE.refused.ndjson with their numbers and reasons; all others are imported. After an interruption the same command
continues where it stopped.`,
    )
    .action((file, { restart }) => importFile(context, file, restart ?? false))
  customers
    .command('show <customer>')
    .description('show a customer, by your own id, with masked numbers')
    .option(...unmaskedOption)
    .action(async (customer, { unmasked }) => {
      // Masked by default: a terminal and its history keep what they show.
      const endpoint = unmasked ? api.getCustomer : api.getMaskedCustomer
      const known = await portal().call(endpoint, { params: { customer } }).catch(explainCustomer(customer))
      printResult({ customer, ...known })
    })
  customers
    .command('find')
    .description('find customers by e-mail, login, phone or identifier; every search is in the audit trail')
    .option(...unmaskedOption)
    .option('--email <email>', 'their e-mail address')
    .option('--login <login>', 'their login')
    .option('--phone <phone>', 'their number with the country code, such as +48601234567')
    .option('--identifier <identifier>', 'as in a certificate: PNOPL-44051401458; with --unmasked only')
    .action(({ unmasked, ...by }) => findCustomers(context, by, unmasked ?? false))
  customers
    .command('list')
    .description('list all customers: your ids and their states, without personal data')
    .action(async () => {
      const read = (cursor?: string) => portal().call(api.listCustomers, { query: { cursor } })
      await printList(context, read, ['customer', 'account', 'state', 'createdAt'])
    })
  for (const [name, endpoint, summary] of [
    ['invite', api.inviteCustomer, 'send a new invitation to a customer who has not set a password yet'],
    ['block', api.blockCustomer, 'block an account and end its sessions; the customer is notified by e-mail'],
    ['unblock', api.unblockCustomer, 'unblock an account, which keeps its password'],
  ] as const)
    customers
      .command(`${name} <customer>`)
      .description(summary)
      .action(async (customer) => {
        const call = portal().call<typeof endpoint>(endpoint, { params: { customer } })
        const { login, state } = await call.catch(explainCustomer(customer))
        printResult({ customer, login, state })
      })
}

const explainCustomer = (customer: string) =>
  explain({
    'not-found': `The portal knows no customer ${customer}.`,
    'already-active': `${customer} has already set a password, so there is no invitation to send.`,
  })

/** Prints all pages of a search, a customer on each line; 1 if there is none. */
async function findCustomers(context: CommandContext, by: Record<string, string>, unmasked: boolean) {
  if (Object.keys(by).length !== 1) throw usageError('Give one of --email, --login, --phone, --identifier.')
  if (by['identifier'] && !unmasked)
    throw usageError('--identifier needs --unmasked: a masked search could be used to guess it.')
  const endpoint = unmasked ? api.searchCustomers : api.searchMaskedCustomers
  const read = (cursor?: string) => context.portal().call(endpoint, { body: { ...by, cursor } })
  const found = await printList(context, read, ['customer', 'login', 'email', 'phone', 'state', 'firstName', 'surname'])
  if (!found) context.exitCode = exitCodes.refused
}
