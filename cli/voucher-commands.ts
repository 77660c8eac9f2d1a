import { createReadStream } from 'node:fs'
import { limits } from '../contract/limits.ts'
import {
  CodeOrder,
  getProviderCase,
  getVoucherCode,
  listProviderCases,
  putVoucherCodes,
  type CodeState,
} from '../contract/provider/provider-vouchers.ts'
import { CaseStatus } from '../contract/vouchers.ts'
import { isBlank, linesOf } from '../server/platform/http/ndjson.ts'
import { printItems, type CommandContext, type Command } from './command.ts'
import { plainText } from './plain-text.ts'
import { allItems, explainNotFound } from './portal-calls.ts'
import { reasonOf } from './environment.ts'
import { exitCodes, CliError } from './cli-error.ts'

async function showCode({ operands: [code = ''], portal, printResult }: CommandContext): Promise<number> {
  const state = await portal()
    .call(getVoucherCode, { params: { code } })
    .catch(explainNotFound(`The portal knows no code ${code}.`))
  printResult(plainText(state), state)
  return exitCodes.done
}

/** Reads the orders of a file, one code per line. All are checked before any code is created, since codes are worth money. */
async function readOrders(file: string): Promise<CodeOrder[]> {
  const orders: CodeOrder[] = []
  try {
    for await (const { number, bytes } of linesOf(createReadStream(file), limits.http.jsonBytes)) {
      if (bytes && isBlank(bytes)) continue
      orders.push(readOrder(number, bytes))
    }
  } catch (error) {
    throw error instanceof CliError
      ? error
      : new CliError(`${file} cannot be read: ${reasonOf(error)}.`, exitCodes.misused)
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

async function makeCodes({ operands: [file = ''], portal, print, note }: CommandContext): Promise<number> {
  const calls = portal()
  const orders = await readOrders(file)
  if (new Set(orders.map(({ id }) => id)).size < orders.length)
    throw new CliError('Two lines have the same id. Nothing was created.')
  let unknown = 0
  for (let from = 0; from < orders.length; from += limits.voucher.codesAtOnce) {
    const codes = orders.slice(from, from + limits.voucher.codesAtOnce)
    const made = await calls.call(putVoucherCodes, { body: { codes } })
    for (const code of made.codes) print(`${JSON.stringify(code satisfies CodeState)}\n`)
    for (const id of made.unknown)
      note(`${id}: the portal does not know its customer or signature; no code was created.\n`)
    unknown += made.unknown.length
  }
  return unknown ? exitCodes.refused : exitCodes.done
}

async function listCases(context: CommandContext): Promise<number> {
  const status = context.oneOf('status', CaseStatus.options)
  const known = context.has('unknown') ? 'false' : undefined
  const calls = context.portal()
  const cases = allItems((cursor?: string) => calls.call(listProviderCases, { query: { status, known, cursor } }))
  await printItems(context, cases, (item) => [
    item.case,
    item.createdAt,
    item.status,
    item.process,
    item.customer ?? '(registered)',
    item.providerStatus ?? '',
  ])
  return exitCodes.done
}

async function showCase({ operands: [number = ''], portal, printResult }: CommandContext): Promise<number> {
  const state = await portal()
    .call(getProviderCase, { params: { case: number } })
    .catch(explainNotFound(`The portal knows no case ${number}.`))
  printResult(plainText(state), state)
  return exitCodes.done
}

export const voucherCommands: readonly Command[] = [
  {
    name: 'codes make',
    operands: ['FILE'],
    summary: 'create voucher and renewal codes from NDJSON, one order per line, and print them as NDJSON',
    details: `Each line is an order in the form of PUT /provider/v1/voucher-codes: {"id": "order-2881-1", "kind": "voucher", …}
A known id keeps its code, so a file can be given again.`,
    needs: 'portal',
    run: makeCodes,
  },
  {
    name: 'codes show',
    operands: ['CODE'],
    summary: 'show a code, by your own id, and whether it was used',
    needs: 'portal',
    run: showCode,
  },
  {
    name: 'cases list',
    summary: 'list the cases that vouchers have opened',
    options: {
      status: { valueName: 'STATUS', summary: `only cases with one of these states: ${CaseStatus.options.join(', ')}` },
      unknown: { summary: 'only cases whose reported state the portal does not know' },
    },
    needs: 'portal',
    run: listCases,
  },
  { name: 'cases show', operands: ['CASE'], summary: 'show a case, by its number', needs: 'portal', run: showCase },
]
