import { readFileSync } from 'node:fs'
import { openHead, readHead, signHead } from '../server/audit-head.ts'
import { verifyTrail, type Finding } from '../server/audit-verify.ts'
import type { Keys } from '../server/keys.ts'
import type { Asked, Command } from './command.ts'
import { folderOf, withDatabase } from './surroundings.ts'
import { exitCodes, Told } from './told.ts'

const meanings: { [what in Finding['what']]: string } = {
  changed: 'was changed, moved here, or made by somebody else',
  missing: 'missing',
  'out of order': 'does not follow the record before it',
  'cut off': 'cut off the end: a signed head knows more',
  'unlike the head': 'is not the one that a signed head names',
  added: 'was added to the records from before the chains',
  'head replaced': 'tells of a newer head than the one in the data folder',
}

const signNow = ({ surroundings, print }: Asked) =>
  withDatabase(surroundings, async (db, keys) => {
    print(await signHead(db, keys, folderOf(surroundings)))
    return exitCodes.done
  })

/** Exit code 1 when something was found, or nothing could have been. */
const verify = ({ surroundings, values, has, print, say }: Asked) =>
  withDatabase(surroundings, async (db, keys) => {
    const directory = folderOf(surroundings)
    const own = readHead(keys, directory)
    const known = [...(own ? [own] : []), ...values('head').map((file) => readKept(keys, file))]
    const findings: Finding[] = []
    const { records, chains } = await db.transaction().execute((tx) =>
      verifyTrail(tx, keys.audit, { known, now: () => readHead(keys, directory) }, (finding) => {
        findings.push(finding)
        if (!has('json')) print(`${sentenceOf(finding)}\n`)
      }),
    )
    const found = findings.length
    say(
      [
        own ? '' : `There is no head in ${directory}: records cut off the end would not be missed.\n`,
        `${records} records in ${chains} chains: ${found ? `${found} findings` : 'nothing found'}.\n`,
        own ? `Compared with head ${own.ordinal} of ${own.at}.\n` : '',
      ].join(''),
      { records, chains, head: own?.ordinal ?? null, findings },
    )
    return found || !own ? exitCodes.refused : exitCodes.done
  })

function readKept(keys: Keys, file: string) {
  try {
    return openHead(keys, readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Told(`${file} cannot be used: ${(error as Error).message}`)
  }
}

const sentenceOf = ({ chain, from, to, what }: Finding) =>
  `${chain} ${from}${to > from ? `–${to}` : ''}: ${meanings[what]}`

export const auditCommands: readonly Command[] = [
  {
    words: 'audit head',
    says: 'sign where the audit trail ends now, and print it, to be kept elsewhere',
    needs: 'database',
    run: signNow,
  },
  {
    words: 'audit verify',
    says: 'name every record that was changed, removed, moved, added or cut off',
    options: { head: { takes: 'FILE', multiple: true, says: 'a printed head that was kept elsewhere' } },
    needs: 'database',
    run: verify,
  },
]
