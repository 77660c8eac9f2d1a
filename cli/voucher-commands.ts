import { createReadStream } from 'node:fs'
import { limits } from '../contract/limits.ts'
import {
  CodeOrder,
  getProviderCase,
  getVoucherCode,
  listProviderCases,
  putVoucherCodes,
  type CodeState,
  type ProviderCaseState,
} from '../contract/provider-vouchers.ts'
import { CaseStatus } from '../contract/vouchers.ts'
import { isBlank, linesOf } from '../server/ndjson.ts'
import type { Asked, Command } from './command.ts'
import { plainLines } from './plain-lines.ts'
import { Refusal, type PortalCalls } from './portal-calls.ts'
import { reasonOf } from './surroundings.ts'
import { exitCodes, Told } from './told.ts'

const unlessAbsent = (sentence: string) => (error: unknown) => {
  throw error instanceof Refusal && error.code === 'not-found' ? new Told(sentence) : error
}

async function showCode({ operands, portal, say }: Asked): Promise<number> {
  const code = operands[0]!
  const state = await portal()
    .call(getVoucherCode, { params: { code } })
    .catch(unlessAbsent(`The portal knows no code ${code}.`))
  say(plainLines(state), state)
  return exitCodes.done
}

/** Orders of a file, a code a line. All are looked at before any is made: codes are money. */
async function readOrders(file: string): Promise<CodeOrder[]> {
  const orders: CodeOrder[] = []
  try {
    for await (const { number, bytes } of linesOf(createReadStream(file), limits.http.jsonBytes)) {
      if (bytes && isBlank(bytes)) continue
      orders.push(readOrder(number, bytes))
    }
  } catch (error) {
    throw error instanceof Told ? error : new Told(`${file} cannot be read: ${reasonOf(error)}.`, exitCodes.misused)
  }
  return orders
}

function readOrder(number: number, bytes: Buffer | undefined): CodeOrder {
  try {
    return CodeOrder.parse(JSON.parse(bytes!.toString('utf8')))
  } catch {
    throw new Told(`Line ${number} is no order of a code. Nothing was made.`)
  }
}

async function makeCodes({ operands, portal, print, note }: Asked): Promise<number> {
  const calls = portal()
  const orders = await readOrders(operands[0]!)
  const twice = new Set(orders.map(({ id }) => id)).size < orders.length
  if (twice) throw new Told('Two lines have the same id. Nothing was made.')
  let unknown = 0
  for (let from = 0; from < orders.length; from += limits.voucher.codesAtOnce) {
    const codes = orders.slice(from, from + limits.voucher.codesAtOnce)
    const made = await calls.call(putVoucherCodes, { body: { codes } })
    for (const code of made.codes) print(`${JSON.stringify(code satisfies CodeState)}\n`)
    for (const id of made.unknown)
      note(`${id}: the portal does not know its customer or signature; no code was made.\n`)
    unknown += made.unknown.length
  }
  return unknown ? exitCodes.refused : exitCodes.done
}

async function* allCases(calls: PortalCalls, query: Record<string, string>): AsyncGenerator<ProviderCaseState> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: { items: ProviderCaseState[]; next: string | null } = await calls.call(listProviderCases, {
      query: { ...query, ...(cursor ? { cursor } : {}) },
    })
    yield* page.items
    cursor = page.next
  }
}

async function listCases({ values, has, portal, print }: Asked): Promise<number> {
  const [status] = values('status')
  if (status !== undefined && !CaseStatus.safeParse(status).success)
    throw new Told(`--status is one of ${CaseStatus.options.join(', ')}.`, exitCodes.misused)
  const query = { ...(status ? { status } : {}), ...(has('unknown') ? { known: 'false' } : {}) }
  for await (const one of allCases(portal(), query))
    print(
      has('json')
        ? `${JSON.stringify(one)}\n`
        : `${one.case}  ${one.createdAt}  ${one.status}  ${one.process}  ${one.customer ?? '(registered)'}  ${one.providerStatus ?? ''}\n`,
    )
  return exitCodes.done
}

async function showCase({ operands, portal, say }: Asked): Promise<number> {
  const number = operands[0]!
  const state = await portal()
    .call(getProviderCase, { params: { case: number } })
    .catch(unlessAbsent(`The portal knows no case ${number}.`))
  say(plainLines(state), state)
  return exitCodes.done
}

export const voucherCommands: readonly Command[] = [
  {
    words: 'codes make',
    operands: ['FILE'],
    says: 'make voucher and renewal codes from NDJSON, an order a line, and print them as NDJSON',
    more: `A line is an order as PUT /provider/v1/voucher-codes takes one: {"id": "order-2881-1", "kind": "voucher", …}
An id that is known keeps its code, so a file can be given again.`,
    needs: 'portal',
    run: makeCodes,
  },
  {
    words: 'codes show',
    operands: ['CODE'],
    says: 'a code by your own id of it, and whether it was used',
    needs: 'portal',
    run: showCode,
  },
  {
    words: 'cases list',
    says: 'the cases that vouchers have opened',
    options: {
      status: { takes: 'STATUS', says: `only those that are ${CaseStatus.options.join(', ')}` },
      unknown: { says: 'only those whose state was told by a word that the portal does not know' },
    },
    needs: 'portal',
    run: listCases,
  },
  { words: 'cases show', operands: ['CASE'], says: 'a case by its number', needs: 'portal', run: showCase },
]
