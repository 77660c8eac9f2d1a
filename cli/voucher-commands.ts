import { createReadStream } from 'node:fs'
import { Option } from 'commander'
import { limits } from '../contract/limits.ts'
import {
  CodeOrder,
  getProviderCase,
  getVoucherCode,
  listProviderCases,
  putVoucherCodes,
} from '../contract/provider/provider-vouchers.ts'
import { CaseStatus } from '../contract/vouchers.ts'
import { isBlankLine, readLines } from '../server/platform/http/ndjson.ts'
import { needs, printList, type AddCommands, type CommandContext } from './command.ts'
import { unusableReasonOf, CliError, exitCodes, usageError } from './environment.ts'
import { explainUnknown } from './portal-calls.ts'

export const addVoucherCommands: AddCommands = (program, context) => {
  const { portal, printResult } = context

  const codes = program.command('codes').commandsGroup(needs.portal)
  codes
    .command('make <file>')
    .description('create voucher and renewal codes from NDJSON, one order per line, and print them as NDJSON')
    .addHelpText(
      'after',
      `\nEach line is an order in the form of PUT /provider/v1/voucher-codes: {"id": "order-2881-1", "kind": "voucher", …}
A known id keeps its code, so a file can be given again.`,
    )
    .action((file) => makeCodes(context, file))
  codes
    .command('show <code>')
    .description('show a code, by your own id, and whether it was used')
    .action(async (code) => {
      printResult(await portal().call(getVoucherCode, { params: { code } }).catch(explainUnknown('code', code)))
    })

  const cases = program.command('cases').commandsGroup(needs.portal)
  cases
    .command('list')
    .description('list the cases that vouchers have opened')
    .addOption(new Option('--status <status>', 'only cases with this status').choices(CaseStatus.options))
    .option('--unknown', 'only cases whose reported state the portal does not know')
    .action(async ({ status, unknown }) => {
      const query = { status, known: unknown ? ('false' as const) : undefined }
      const read = (cursor?: string) => portal().call(listProviderCases, { query: { ...query, cursor } })
      await printList(context, read, ['case', 'createdAt', 'status', 'process', 'customer', 'providerStatus'])
    })
  cases
    .command('show <case>')
    .description('show a case, by its number')
    .action(async (number) => {
      const call = portal().call(getProviderCase, { params: { case: number } })
      printResult(await call.catch(explainUnknown('case', number)))
    })
}

/** Reads the orders of a file, one code per line. All are checked before any code is created, since codes are worth money. */
async function readOrders(file: string): Promise<CodeOrder[]> {
  const orders: CodeOrder[] = []
  try {
    for await (const { number, bytes } of readLines(createReadStream(file), limits.http.jsonBytes))
      if (!bytes || !isBlankLine(bytes)) orders.push(readOrder(number, bytes))
  } catch (error) {
    throw error instanceof CliError ? error : usageError(`${file} cannot be read: ${unusableReasonOf(error)}.`)
  }
  return orders
}

function readOrder(number: number, bytes: Buffer | undefined): CodeOrder {
  try {
    return CodeOrder.parse(JSON.parse(bytes?.toString('utf8') ?? ''))
  } catch {
    throw new CliError(`Line ${number} is not an order for a code. Nothing was created.`)
  }
}

async function makeCodes(context: CommandContext, file: string) {
  const calls = context.portal()
  const orders = await readOrders(file)
  if (new Set(orders.map(({ id }) => id)).size < orders.length)
    throw new CliError('Two lines have the same id. Nothing was created.')
  for (let from = 0; from < orders.length; from += limits.voucher.maxCodes) {
    const codes = orders.slice(from, from + limits.voucher.maxCodes)
    const made = await calls.call(putVoucherCodes, { body: { codes } })
    for (const code of made.codes) context.print(`${JSON.stringify(code)}\n`)
    for (const id of made.unknown)
      context.note(`${id}: the portal does not know its customer or signature; no code was created.\n`)
    if (made.unknown.length) context.exitCode = exitCodes.refused
  }
}
