import { Period } from '../contract/enums.ts'
import { getSignature, listProviderSignatures } from '../contract/provider/provider-api.ts'
import { getSeal, listProviderSeals } from '../contract/provider/provider-seals.ts'
import { listTimestampAccounts, TimestampAccountStatus } from '../contract/provider/provider-timestamps.ts'
import { SealProduct } from '../contract/seals.ts'
import { CertificateStatus } from '../contract/signatures-and-seals.ts'
import { SignatureProduct } from '../contract/signatures.ts'
import { printItems, type CommandContext, type Command } from './command.ts'
import { plainText } from './plain-text.ts'
import { allItems, explainNotFound } from './portal-calls.ts'
import { exitCodes } from './cli-error.ts'

type Filed = { certificate: string; chain: string[] }

/** The certificates themselves are in the JSON only. */
const shorten = ({ certificate: _, chain: __, ...state }: Filed) => state

type Read = (portal: ReturnType<CommandContext['portal']>, id: string) => Promise<Filed>

const show =
  (name: 'signature' | 'seal', read: Read) =>
  async ({ operands: [id = ''], portal, printResult }: CommandContext): Promise<number> => {
    const state = await read(portal(), id).catch(explainNotFound(`The portal knows no ${name} ${id}.`))
    printResult(plainText({ [name]: id, ...shorten(state) }), { [name]: id, ...state })
    return exitCodes.done
  }

const customerFilter = { valueName: 'CUSTOMER', summary: 'only those of this customer, by your own id' }
const choiceOf = (values: readonly string[]) => `only those with one of these: ${values.join(', ')}`
const certificateFilters = (products: readonly string[]) => ({
  customer: customerFilter,
  status: { valueName: 'STATUS', summary: choiceOf(CertificateStatus.options) },
  product: { valueName: 'PRODUCT', summary: choiceOf(products) },
  period: { valueName: 'PERIOD', summary: choiceOf(Period.options) },
})

/** The filters of a command line, for the query of a list. */
const filtersOf = <P extends string>({ valuesOf, oneOf }: CommandContext, products: readonly P[]) => ({
  customer: valuesOf('customer')[0],
  status: oneOf('status', CertificateStatus.options),
  product: oneOf('product', products),
  period: oneOf('period', Period.options),
})

type Certificate = Record<'status' | 'product' | 'period' | 'validFrom' | 'validTo' | 'name', string>
const partsOf = ({ status, product, period, validFrom, validTo, name }: Certificate) => [
  status,
  product,
  period,
  validFrom,
  validTo,
  name,
]

async function listSignatures(context: CommandContext): Promise<number> {
  const filters = filtersOf(context, SignatureProduct.options)
  const calls = context.portal()
  const signatures = allItems((cursor?: string) =>
    calls.call(listProviderSignatures, { query: { ...filters, cursor } }),
  )
  await printItems(context, signatures, ({ signature, customer, ...certificate }) => [
    signature,
    customer,
    ...partsOf(certificate),
  ])
  return exitCodes.done
}

async function listSeals(context: CommandContext): Promise<number> {
  const filters = filtersOf(context, SealProduct.options)
  const calls = context.portal()
  const seals = allItems((cursor?: string) => calls.call(listProviderSeals, { query: { ...filters, cursor } }))
  await printItems(context, seals, ({ seal, organisationIdentifier, ...certificate }) => [
    seal,
    organisationIdentifier,
    ...partsOf(certificate),
  ])
  return exitCodes.done
}

async function listAccounts(context: CommandContext): Promise<number> {
  const filters = {
    customer: context.valuesOf('customer')[0],
    status: context.oneOf('status', TimestampAccountStatus.options),
  }
  const calls = context.portal()
  const accounts = allItems((cursor?: string) => calls.call(listTimestampAccounts, { query: { ...filters, cursor } }))
  await printItems(context, accounts, ({ account, customer, status, authentication, login, serverUrl }) => [
    account,
    customer,
    status,
    authentication,
    login,
    serverUrl,
  ])
  return exitCodes.done
}

export const certificateCommands: readonly Command[] = [
  {
    name: 'signatures list',
    summary: 'list signatures, by customer, status, product and period',
    options: certificateFilters(SignatureProduct.options),
    needs: 'portal',
    run: listSignatures,
  },
  {
    name: 'signatures show',
    operands: ['SIGNATURE'],
    summary: 'show a signature, by your own id: its product, period and status',
    needs: 'portal',
    run: show('signature', (portal, signature) => portal.call(getSignature, { params: { signature } })),
  },
  {
    name: 'seals list',
    summary: 'list seals, by customer who may use them, status, product and period',
    options: certificateFilters(SealProduct.options),
    needs: 'portal',
    run: listSeals,
  },
  {
    name: 'seals show',
    operands: ['SEAL'],
    summary: 'show a seal, by your own id: its product, period, status and PSD2 roles',
    needs: 'portal',
    run: show('seal', (portal, seal) => portal.call(getSeal, { params: { seal } })),
  },
  {
    name: 'timestamp-accounts list',
    summary: 'list timestamp accounts, by customer and status',
    options: {
      customer: customerFilter,
      status: { valueName: 'STATUS', summary: choiceOf(TimestampAccountStatus.options) },
    },
    needs: 'portal',
    run: listAccounts,
  },
]
