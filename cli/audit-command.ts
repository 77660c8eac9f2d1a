import { readFileSync } from 'node:fs'
import { allAuditActions } from '../contract/desk/all-audit-actions.ts'
import { keysOf } from '../contract/keys-of.ts'
import { TrailPosition, type ListedEntry } from '../contract/provider/audit-trail.ts'
import { addAuditEntry } from '../server/platform/audit/audit.ts'
import { detachMonths, monthsWithoutTable } from '../server/platform/audit/audit-detach.ts'
import { openHead, readHead, signHead } from '../server/platform/audit/audit-head.ts'
import {
  asLine,
  endOfTrail,
  hasNews,
  numberOf,
  pagesAfter,
  positionBefore,
  startOfTrail,
  type AuditFilters,
} from '../server/platform/audit/audit-list.ts'
import { periodOfDay, verifyTrail, type Finding, type Period } from '../server/platform/audit/audit-verify.ts'
import { accountCalled } from '../server/platform/authentication/account-names.ts'
import type { Db } from '../server/platform/database/database.ts'
import type { Keys } from '../server/platform/encryption/keys.ts'
import type { CommandContext, Command } from './command.ts'
import { withDatabase } from './environment.ts'
import { CliError, errorMessage, exitCodes } from './cli-error.ts'
import { withoutControls } from './plain-text.ts'

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

const signNow = ({ environment, print }: CommandContext) =>
  withDatabase(environment, async (db, keys, folder) => {
    print(await signHead(db, keys, folder))
    return exitCodes.done
  })

/** Ends with exit code 1 if something was found, and also without any head: then a removed tail goes unnoticed. */
const verify = ({ environment, valuesOf, has, print, printResult }: CommandContext) =>
  withDatabase(environment, async (db, keys, folder) => {
    const own = readHead(keys, folder)
    const known = [...(own ? [own] : []), ...valuesOf('head').map((file) => readSavedHead(keys, file))]
    const findings: Finding[] = []
    const period = periodOf(valuesOf('day')[0])
    const { records, chains } = await db.transaction().execute((tx) =>
      verifyTrail(
        tx,
        keys.audit,
        { known, now: () => readHead(keys, folder) },
        (finding) => {
          findings.push(finding)
          if (!has('json')) print(`${lineOf(finding)}\n`)
        },
        period,
      ),
    )
    const found = findings.length
    printResult(
      [
        `${records} entries in ${chains} chains: ${found ? `${found} findings` : 'nothing found'}.\n`,
        ...known.map(({ ordinal, at }) => `Compared with head ${ordinal} of ${at}.\n`),
        own ? '' : `There is no head in ${folder}.\n`,
        known.length
          ? ''
          : 'So the check could not detect entries cut off the end. Give a saved head with --head, or sign the first one with sygnet audit head.\n',
      ].join(''),
      { records, chains, heads: known.map(({ ordinal, at }) => ({ ordinal, at })), findings },
    )
    return found || !known.length ? exitCodes.refused : exitCodes.done
  })

const detach = ({ operands, environment, printResult }: CommandContext) =>
  withDatabase(environment, async (db) => {
    const [month = ''] = operands
    if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(month))
      throw new CliError(`${month} is not a month such as 2027-01.`, exitCodes.misused)
    const before = new Date(`${month}-01T00:00:00Z`)
    const withoutTable = await monthsWithoutTable(db, before)
    const names = await db.transaction().execute((tx) => detachMonths(tx, before))
    printResult(
      [
        names.length ? `Detached: ${names.join(', ')}. Dump and drop them.\n` : 'No month was detached.\n',
        withoutTable.length
          ? `Entries of ${withoutTable.join(', ')} are in audit_default, because there was no table for them. They stay.\n`
          : '',
      ].join(''),
      { detached: names, withoutTable },
    )
    return exitCodes.done
  })

const newest = 100

/** Prints entries in the order of their positions. Each page leaves an entry of its own, by the operator's login, before it is printed. */
const show = (context: CommandContext) =>
  withDatabase(context.environment, async (db) => {
    const { has, print, note, oneOf, valuesOf, wholeNumber } = context
    const stopped = context.stopSignal()
    const [account] = valuesOf('account')
    const filters: AuditFilters = {
      account: account === undefined ? undefined : await idOf(db, account),
      action: oneOf('action', keysOf(allAuditActions)),
      since: timeOf(context, 'since'),
      until: timeOf(context, 'until'),
    }
    if (filters.since !== undefined && filters.until !== undefined && filters.since >= filters.until)
      throw new CliError('--since must be earlier than --until.', exitCodes.misused)
    const [position] = valuesOf('after')
    const given = wholeNumber('limit', 1, 999_999_999)
    if (position !== undefined && given !== undefined)
      throw new CliError('Use --after or --limit, not both.', exitCodes.misused)
    const isWhole = position !== undefined || filters.since !== undefined
    const limit = given ?? (isWhole ? undefined : newest)
    const { end, isComplete } = await endOfTrail(db)
    const from = position === undefined ? undefined : await numberAt(db, position)
    if (!isComplete) note('A transaction is open that may still add entries before the last ones.\n')
    // The same question again, a moment later: whoever goes on after the last entry would never get those.
    if (!isComplete && from !== undefined) return exitCodes.done
    const after = from ?? (limit === undefined ? 0 : await positionBefore(db, filters, end, limit))
    let isCut = false
    const mayContinue = () => {
      isCut = stopped.aborted
      return !isCut
    }
    for await (const page of pagesAfter(db, filters, { after, end, most: Infinity, mayContinue })) {
      if (hasNews(page)) {
        const details = { read: 'audit', found: page.length }
        const accountId = filters.account ?? null
        await db
          .transaction()
          .execute((tx) => addAuditEntry(tx, { action: 'data-read', accountId, actor: 'operator', details }))
      }
      print(has('json') ? page.map(jsonOf).join('') : tableOf(page))
    }
    return isCut ? exitCodes.interrupted : exitCodes.done
  })

/** A line for programs, whose position the API takes too. */
const jsonOf = (entry: Parameters<typeof asLine>[0]) => `${JSON.stringify(asLine(entry))}\n`

async function numberAt(db: Db, position: string): Promise<number> {
  if (!TrailPosition.safeParse(position).success)
    throw new CliError(
      `--after takes a position of audit show --json, or ${startOfTrail} for the beginning.`,
      exitCodes.misused,
    )
  const number = await numberOf(db, position)
  if (number === undefined)
    throw new CliError(
      `position-unknown: the trail does not have the entry ${position}. If the database was restored, begin again with --since and the time to which it was restored.`,
    )
  return number
}

async function idOf(db: Db, account: string): Promise<string> {
  const id = await accountCalled(db, account)
  if (!id) throw new CliError(`No account is called ${account}.`)
  return id
}

/** A day of UTC, which stands for its beginning, or an instant; undefined for anything else. */
function timeIn(text: string): Date | undefined {
  const isDay = text.length === 10
  const time = new Date(isDay ? `${text}T00:00:00Z` : text)
  // Date takes 31 February for 3 March, and a time without Z for a local one.
  const isExact = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text.slice(0, 16).replace('Z', ''))
  // PostgreSQL has no year 0.
  return isExact && text >= '0001' && (isDay || text.endsWith('Z')) ? time : undefined
}

function timeOf({ valuesOf }: CommandContext, name: string): string | undefined {
  const [text] = valuesOf(name)
  if (text === undefined) return undefined
  const time = timeIn(text)
  if (!time) throw new CliError(`--${name} takes a time such as 2027-01-31 or 2027-01-31T10:30Z.`, exitCodes.misused)
  return time.toISOString()
}

/** A day of UTC. */
function periodOf(day: string | undefined): Period | undefined {
  if (day === undefined) return undefined
  const from = day.length === 10 ? timeIn(day) : undefined
  if (!from) throw new CliError(`${day} is not a day such as 2027-01-31.`, exitCodes.misused)
  return periodOfDay(from)
}

function tableOf(entries: readonly ListedEntry[]): string {
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
    ].map(withoutControls),
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

export const auditCommands: readonly Command[] = [
  {
    name: 'audit head',
    summary: 'sign the current end of the audit trail and print it, to be kept elsewhere',
    needs: 'database',
    run: signNow,
  },
  {
    name: 'audit show',
    summary: 'print entries of the audit trail in order: time, actor, action, account, address, details',
    details: `Without --since and --after these are the newest ${newest}, or those of --limit. TIME is a day (UTC) or a time such as 2027-01-31T10:30Z. With
--json each line is an entry, and its position is the cursor for --after and for the call of the API. To follow the trail, begin with
--after ${startOfTrail}, and go on with the position of the last line that you kept. Reading is recorded too, with the login of whoever runs the command.`,
    options: {
      account: { valueName: 'ID-OR-LOGIN', summary: 'only of this account: its id, your own id, login or e-mail' },
      after: { valueName: 'POSITION', summary: 'all entries after this one, oldest first' },
      since: { valueName: 'TIME', summary: 'only from this time on' },
      until: { valueName: 'TIME', summary: 'only before this time' },
      action: { valueName: 'NAME', summary: 'only this action, such as account-unblocked' },
      limit: { valueName: 'N', summary: 'only the newest N of them' },
    },
    needs: 'database',
    run: show,
  },
  {
    name: 'audit detach',
    operands: ['MONTH'],
    summary: 'take the months before MONTH out of the audit trail; their tables stay until you dump and drop them',
    details: `Verify them first. Customers no longer see these months in their history, nor in the copy of their data. Run it while all nodes
have the same version.`,
    needs: 'database',
    run: detach,
  },
  {
    name: 'audit verify',
    summary: 'list every entry that was changed, removed, moved, added or cut off',
    details: `The exit code is 0 if nothing was found. Only a signed head shows that a tail was cut off: the one in DATA_DIR, or saved
ones. Without any, the exit code is 1, because the check was not complete.`,
    options: {
      day: {
        valueName: 'DATE',
        summary: 'only the entries of this day (UTC) and their neighbours, such as 2027-01-31',
      },
      head: { valueName: 'FILE', multiple: true, summary: 'a printed head that was saved elsewhere' },
    },
    needs: 'database',
    run: verify,
  },
]
