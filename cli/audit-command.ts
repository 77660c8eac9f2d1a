import { readFileSync } from 'node:fs'
import { openHead, readHead, signHead } from '../server/platform/audit/audit-head.ts'
import { verifyTrail, type Finding } from '../server/platform/audit/audit-verify.ts'
import type { Keys } from '../server/platform/encryption/keys.ts'
import type { CommandContext, Command } from './command.ts'
import { withDatabase } from './environment.ts'
import { CliError, errorMessage, exitCodes } from './cli-error.ts'

const meanings: { [what in Finding['what']]: string } = {
  changed: 'was changed, moved here, or forged',
  missing: 'missing',
  'out of order': 'does not follow the record before it',
  'cut off': 'cut off the end: a signed head names a later record',
  'unlike the head': 'differs from the one that a signed head names',
  added: 'was added to the records from before there were chains',
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
    const { records, chains } = await db.transaction().execute((tx) =>
      verifyTrail(tx, keys.audit, { known, now: () => readHead(keys, folder) }, (finding) => {
        findings.push(finding)
        if (!has('json')) print(`${lineOf(finding)}\n`)
      }),
    )
    const found = findings.length
    printResult(
      [
        `${records} records in ${chains} chains: ${found ? `${found} findings` : 'nothing found'}.\n`,
        ...known.map(({ ordinal, at }) => `Compared with head ${ordinal} of ${at}.\n`),
        own ? '' : `There is no head in ${folder}.\n`,
        known.length
          ? ''
          : 'So the check could not detect records cut off the end. Give a saved head with --head, or sign the first one with sygnet audit head.\n',
      ].join(''),
      { records, chains, heads: known.map(({ ordinal, at }) => ({ ordinal, at })), findings },
    )
    return found || !known.length ? exitCodes.refused : exitCodes.done
  })

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
    name: 'audit verify',
    summary: 'name every record that was changed, removed, moved, added or cut off',
    details: `The exit code is 0 if nothing was found. Only a signed head shows that a tail was cut off: the one in DATA_DIR, or saved
ones. Without any, the exit code is 1, because the check was not complete.`,
    options: { head: { valueName: 'FILE', multiple: true, summary: 'a printed head that was saved elsewhere' } },
    needs: 'database',
    run: verify,
  },
]
