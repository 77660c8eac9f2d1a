import { readFileSync } from 'node:fs'
import { openHead, readHead, signHead } from '../server/audit-head.ts'
import { verifyTrail, type Finding } from '../server/audit-verify.ts'
import type { Keys } from '../server/keys.ts'
import type { Asked, Command } from './command.ts'
import { withDatabase } from './surroundings.ts'
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
  withDatabase(surroundings, async (db, keys, folder) => {
    print(await signHead(db, keys, folder))
    return exitCodes.done
  })

/** Exit code 1 when something was found, or when there was no head, without which a tail that was cut off is not missed. */
const verify = ({ surroundings, values, has, print, say }: Asked) =>
  withDatabase(surroundings, async (db, keys, folder) => {
    const own = readHead(keys, folder)
    const known = [...(own ? [own] : []), ...values('head').map((file) => readKept(keys, file))]
    const findings: Finding[] = []
    const { records, chains } = await db.transaction().execute((tx) =>
      verifyTrail(tx, keys.audit, { known, now: () => readHead(keys, folder) }, (finding) => {
        findings.push(finding)
        if (!has('json')) print(`${sentenceOf(finding)}\n`)
      }),
    )
    const found = findings.length
    say(
      [
        `${records} records in ${chains} chains: ${found ? `${found} findings` : 'nothing found'}.\n`,
        ...known.map(({ ordinal, at }) => `Compared with head ${ordinal} of ${at}.\n`),
        own ? '' : `There is no head in ${folder}.\n`,
        known.length
          ? ''
          : 'So records cut off the end were not looked for. Give a head that was kept, with --head, or sign the first one with sygnet audit head.\n',
      ].join(''),
      { records, chains, heads: known.map(({ ordinal, at }) => ({ ordinal, at })), findings },
    )
    return found || !known.length ? exitCodes.refused : exitCodes.done
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
    more: `Ends with 0 when nothing was found. A tail that was cut off is missed by a signed head alone: the one in DATA_DIR, and
those that were kept. Without any, this ends with 1, since not all of it was looked at.`,
    options: { head: { takes: 'FILE', multiple: true, says: 'a printed head that was kept elsewhere' } },
    needs: 'database',
    run: verify,
  },
]
