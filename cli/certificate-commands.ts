import { Option } from 'commander'
import { getSeal, listProviderSeals } from '../contract/provider/provider-seals.ts'
import { getSignature, listProviderSignatures } from '../contract/provider/provider-signatures.ts'
import { listTimestampAccounts, TimestampAccountStatus } from '../contract/provider/provider-timestamps.ts'
import { SealProduct } from '../contract/seals.ts'
import { CertificateStatus, Period } from '../contract/signatures-and-seals.ts'
import { SignatureProduct } from '../contract/signatures.ts'
import { needs, printList, type AddCommands, type CommandContext, plainText } from './command.ts'
import { explainUnknown } from './portal-calls.ts'

const customerFilter = ['--customer <customer>', 'only those of this customer, by your own id'] as const
const statusFilter = new Option('--status <status>', 'only those with this status').choices(CertificateStatus.options)
const periodFilter = new Option('--period <period>', 'only those with this period').choices(Period.options)
const productFilter = <const P extends readonly string[]>(products: P) =>
  new Option('--product <product>', 'only this product').choices(products)

const columns = ['status', 'product', 'period', 'validFrom', 'validTo', 'name'] as const

export const addCertificateCommands: AddCommands = (program, context) => {
  const { portal } = context

  const signatures = program.command('signatures').commandsGroup(needs.portal)
  signatures
    .command('list')
    .description('list signatures, by customer, status, product and period')
    .option(...customerFilter)
    .addOption(statusFilter)
    .addOption(productFilter(SignatureProduct.options))
    .addOption(periodFilter)
    .action(async (filters) => {
      const read = (cursor?: string) => portal().call(listProviderSignatures, { query: { ...filters, cursor } })
      await printList(context, read, ['signature', 'customer', ...columns])
    })
  signatures
    .command('show <signature>')
    .description('show a signature, by your own id: its product, period and status')
    .action(async (signature) => {
      const state = await portal()
        .call(getSignature, { params: { signature } })
        .catch(explainUnknown('signature', signature))
      printCertificateState(context, { signature, ...state })
    })

  const seals = program.command('seals').commandsGroup(needs.portal)
  seals
    .command('list')
    .description('list seals, by customer who may use them, status, product and period')
    .option(...customerFilter)
    .addOption(statusFilter)
    .addOption(productFilter(SealProduct.options))
    .addOption(periodFilter)
    .action(async (filters) => {
      const read = (cursor?: string) => portal().call(listProviderSeals, { query: { ...filters, cursor } })
      await printList(context, read, ['seal', 'organisationIdentifier', ...columns])
    })
  seals
    .command('show <seal>')
    .description('show a seal, by your own id: its product, period, status and PSD2 roles')
    .action(async (seal) => {
      const state = await portal().call(getSeal, { params: { seal } }).catch(explainUnknown('seal', seal))
      printCertificateState(context, { seal, ...state })
    })

  program
    .command('timestamp-accounts')
    .commandsGroup(needs.portal)
    .command('list')
    .description('list timestamp accounts, by customer and status')
    .option(...customerFilter)
    .addOption(new Option('--status <status>', 'only those with this status').choices(TimestampAccountStatus.options))
    .action(async (filters) => {
      const read = (cursor?: string) => portal().call(listTimestampAccounts, { query: { ...filters, cursor } })
      await printList(context, read, ['account', 'customer', 'status', 'authentication', 'login', 'serverUrl'])
    })
}

/** Prints the state of a certificate; the certificates themselves are in the JSON only. */
function printCertificateState(
  { printResult }: CommandContext,
  state: { certificate: string; chain: string[]; [other: string]: unknown },
) {
  const { certificate: _, chain: __, ...shown } = state
  printResult(state, plainText(shown))
}
