import { readFileSync } from 'node:fs'
import { InvalidArgumentError, Option } from 'commander'
import type { AuditAction } from '../contract/audit-actions.ts'
import { allAuditActions } from '../contract/desk/all-audit-actions.ts'
import { keysOf } from '../contract/enums.ts'
import { TrailPosition, type ListedEntry } from '../contract/provider/audit-trail.ts'
import { detachMonths, listMonthsWithoutTable } from '../server/platform/audit/audit-detach.ts'
import { openHead, readHead, signHead } from '../server/platform/audit/audit-head.ts'
import {
  asLine,
  endOfTrail,
  hasNews,
  findNumber,
  readPagesAfter,
  findNumberBefore,
  startOfTrail,
  type AuditFilters,
} from '../server/platform/audit/audit-list.ts'
import { periodOfDay, verifyTrail, type Finding } from '../server/platform/audit/audit-verify.ts'
import { addAuditEntry } from '../server/platform/audit/audit.ts'
import { findAccountByName } from '../server/platform/authentication/account-names.ts'
import type { Db } from '../server/platform/database/database.ts'
import type { Keys } from '../server/platform/encryption/keys.ts'
import { oneLine } from '../server/platform/messages/mail-template.ts'
import { errorMessage } from '../server/platform/observability/skipped-causes.ts'
import { checked, needs, repeated, wholeNumber, type AddCommands, type CommandContext } from './command.ts'
import { withDatabase, CliError, exitCodes, usageError } from './environment.ts'

const meanings: { [what in Finding['what']]: string } = {
  changed: 'was changed, moved here, or forged',
  missing: 'missing',
  'out of order': 'does not follow the entry before it',
  'cut off': 'cut off the end: a signed head names a later entry',
  'unlike the head': 'differs from the one that a signed head names',
  detached:
    'months were detached without the command, or their list was changed: entries may be missing here and in other chains',
  'head replaced': 'names a newer head than the one in the data folder',
}

const newest = 100

export const addAuditCommands: AddCommands = (program, context) => {
  const audit = program.command('audit').commandsGroup(needs.database)
  audit
    .command('head')
    .description('sign the current end of the audit trail and print it, to be kept elsewhere')
    .action(() => withDatabase(context, async (db, keys, folder) => context.print(await signHead(db, keys, folder))))
  audit
    .command('show')
    .description('print entries of the audit trail in order: time, actor, action, account, address, details')
    .option('--account <id-or-login>', 'only of this account: its id, your own id, login or e-mail')
    .option(
      '--after <position>',
      'all entries after this one, oldest first',
      checked(
        (text) => TrailPosition.safeParse(text).success,
        `a position of audit show --json, or ${startOfTrail} for the beginning`,
      ),
    )
    .option('--since <time>', 'only from this time on', readTime)
    .option('--until <time>', 'only before this time', readTime)
    .option(
      '--action <name>',
      'only this action, such as account-unblocked',
      checked(
        (text): text is AuditAction => Object.hasOwn(allAuditActions, text),
        `one of ${keysOf(allAuditActions).join(', ')}`,
      ),
    )
    .addOption(
      new Option('--limit <n>', 'only the newest N of them').argParser(wholeNumber(1, 999_999_999)).conflicts('after'),
    )
    .addHelpText(
      'after',
      `\nWithout --since and --after these are the newest ${newest}, or those of --limit. TIME is a day (UTC) or a time such as
2027-01-31T10:30Z. With --json each line is an entry, and its position is the cursor for --after and for the call of the
API. To follow the trail, begin with --after ${startOfTrail}, and go on with the position of the last line that
you kept. Reading is recorded too, with the operator’s login.`,
    )
    .action((options) => show(context, options))
  audit
    .command('detach')
    .description('take the months before MONTH out of the audit trail; their tables stay until you dump and drop them')
    .argument(
      '<month>',
      'such as 2027-01',
      checked((text) => /^\d{4}-(?:0[1-9]|1[0-2])$/.test(text), 'a month such as 2027-01'),
    )
    .addHelpText(
      'after',
      `\nVerify them first. Customers no longer see these months in their history, nor in the copy of their data. Run it while
all nodes have the same version.`,
    )
    .action((month) => detach(context, month))
  audit
    .command('verify')
    .description('list every entry that was changed, removed, moved, added or cut off')
    .option(
      '--day <date>',
      'only the entries of this day (UTC) and their neighbours, such as 2027-01-31',
      checked((text) => text.length === 10 && timeIn(text) !== undefined, 'a day such as 2027-01-31'),
    )
    .option('--head <file>', 'a printed head that was saved elsewhere; repeatable', repeated())
    .addHelpText(
      'after',
      `\nThe exit code is 0 if nothing was found. Only a signed head shows that a tail was cut off: the one in DATA_DIR, or
saved ones. Without any, the exit code is 1, because the check was not complete.`,
    )
    .action((options) => verify(context, options))
}

/** Ends with exit code 1 if something was found, and also without any head: then a removed tail goes unnoticed. */
const verify = (context: CommandContext, { day, head: heads = [] }: { day?: string; head?: readonly string[] }) =>
  withDatabase(context, async (db, keys, folder) => {
    const own = readHead(keys, folder)
    const known = [...(own ? [own] : []), ...heads.map((file) => readSavedHead(keys, file))]
    const findings: Finding[] = []
    const { records, chains } = await db.transaction().execute((tx) =>
      verifyTrail(
        tx,
        keys.audit,
        { known, now: () => readHead(keys, folder) },
        (finding) => {
          findings.push(finding)
          if (!context.isJson) context.print(`${lineOf(finding)}\n`)
        },
        day === undefined ? undefined : periodOfDay(new Date(day)),
      ),
    )
    const found = findings.length
    context.printResult(
      { records, chains, heads: known.map(({ ordinal, at }) => ({ ordinal, at })), findings },
      [
        `${records} entries in ${chains} chains: ${found ? `${found} findings` : 'nothing found'}.\n`,
        ...known.map(({ ordinal, at }) => `Compared with head ${ordinal} of ${at}.\n`),
        own ? '' : `There is no head in ${folder}.\n`,
        known.length
          ? ''
          : 'So the check could not detect entries cut off the end. Give a saved head with --head, or sign the first one with sygnet audit head.\n',
      ].join(''),
    )
    if (found || !known.length) context.exitCode = exitCodes.refused
  })

const detach = (context: CommandContext, month: string) =>
  withDatabase(context, async (db) => {
    const before = new Date(`${month}-01T00:00:00Z`)
    const withoutTable = await listMonthsWithoutTable(db, before)
    const detached = await db.transaction().execute((tx) => detachMonths(tx, before))
    context.printResult(
      { detached, withoutTable },
      [
        detached.length ? `Detached: ${detached.join(', ')}. Dump and drop them.\n` : 'No month was detached.\n',
        withoutTable.length
          ? `Entries of ${withoutTable.join(', ')} are in audit_default, because there was no table for them. They stay.\n`
          : '',
      ].join(''),
    )
  })

type ShowOptions = {
  account?: string
  after?: string
  since?: string
  until?: string
  action?: AuditAction
  limit?: number
}

/** Prints entries in the order of their positions. Each page leaves an entry of its own, by the operator's login, before it is printed. */
const show = (context: CommandContext, { account, after: position, limit: given, ...options }: ShowOptions) =>
  withDatabase(context, async (db) => {
    const stopped = context.stopSignal()
    const filters: AuditFilters = { ...options, account: account === undefined ? undefined : await findId(db, account) }
    const { since, until } = filters
    if (since !== undefined && until !== undefined && since >= until)
      throw usageError('--since must be earlier than --until.')
    const isWhole = position !== undefined || since !== undefined
    const limit = given ?? (isWhole ? undefined : newest)
    const { end, isComplete } = await endOfTrail(db)
    const from = position === undefined ? undefined : await requireNumber(db, position)
    if (!isComplete) context.note('A transaction is open that may still add entries before the last ones.\n')
    // The same question again, a moment later: whoever goes on after the last entry would never get those.
    if (!isComplete && from !== undefined) return
    const after = from ?? (limit === undefined ? 0 : await findNumberBefore(db, filters, end, limit))
    const mayContinue = () => {
      if (stopped.aborted) context.exitCode = exitCodes.interrupted
      return !stopped.aborted
    }
    for await (const page of readPagesAfter(db, filters, { after, end, maxEntries: Infinity, mayContinue })) {
      if (hasNews(page)) {
        const details = { read: 'audit', found: page.length }
        const accountId = filters.account ?? null
        await db
          .transaction()
          .execute((tx) => addAuditEntry(tx, { action: 'data-read', accountId, actor: 'operator', details }))
      }
      context.print(context.isJson ? page.map(jsonOf).join('') : formatTable(page))
    }
  })

/** Formats an entry as a JSON line for programs; the API also accepts its position. */
const jsonOf = (entry: Parameters<typeof asLine>[0]) => `${JSON.stringify(asLine(entry))}\n`

async function requireNumber(db: Db, position: string): Promise<number> {
  const number = await findNumber(db, position)
  if (number === undefined)
    throw new CliError(
      `position-unknown: the trail does not have the entry ${position}. If the database was restored, begin again with --since and the time to which it was restored.`,
    )
  return number
}

async function findId(db: Db, account: string): Promise<string> {
  const id = await findAccountByName(db, account)
  if (!id) throw new CliError(`No account is called ${account}.`)
  return id
}

/** Parses an instant, or a day in UTC, which means its beginning; undefined for anything else. */
function timeIn(text: string): Date | undefined {
  const isDay = text.length === 10
  const time = new Date(isDay ? `${text}T00:00:00Z` : text)
  // Date takes 31 February for 3 March, and a time without Z for a local one.
  const isExact = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text.slice(0, 16).replace('Z', ''))
  // PostgreSQL has no year 0.
  return isExact && text >= '0001' && (isDay || text.endsWith('Z')) ? time : undefined
}

function readTime(text: string): string {
  const time = timeIn(text)
  if (!time) throw new InvalidArgumentError('It must be a time such as 2027-01-31 or 2027-01-31T10:30Z.')
  return time.toISOString()
}

function formatTable(entries: readonly ListedEntry[]): string {
  const rows = entries.map(({ at, actor, actorName, action, account, address, details }) =>
    [
      at,
      actorName === null ? actor : `${actor} ${actorName}`,
      action,
      account ?? '-',
      address ?? '-',
      Object.entries(details)
        .map(([name, value]) => `${name}=${String(value)}`)
        .join(' '),
    ].map(oneLine),
  )
  const widths = rows.reduce((most, row) => row.map((cell, i) => Math.max(most[i] ?? 0, cell.length)), [] as number[])
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, i) => cell.padEnd(widths[i] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

function readSavedHead(keys: Keys, file: string) {
  try {
    return openHead(keys, readFileSync(file, 'utf8'))
  } catch (error) {
    throw new CliError(`${file} cannot be used: ${errorMessage(error)}`)
  }
}

const lineOf = ({ chain, from, to, what }: Finding) => `${chain} ${from}${to > from ? `–${to}` : ''}: ${meanings[what]}`
