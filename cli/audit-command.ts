import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { openHead, readHead, signHead } from '../server/audit-head.ts'
import { verifyTrail, type Finding } from '../server/audit-verify.ts'
import { openDatabase } from '../server/db.ts'
import type { Keys } from '../server/keys.ts'
import { portalKeys, type Surroundings } from './portal-keys.ts'

type Wish = {
  /** Files of heads that were kept elsewhere. */
  kept: string[]
  print: (text: string) => void
}

const meanings: { [what in Finding['what']]: string } = {
  changed: 'was changed, moved here, or made by somebody else',
  missing: 'missing',
  'out of order': 'does not follow the record before it',
  'cut off': 'cut off the end: a signed head knows more',
  'unlike the head': 'is not the one that a signed head names',
  added: 'was added to the records from before the chains',
  'head replaced': 'tells of a newer head than the one in the data folder',
}

/** Signs a head, or verifies the trail; returns the exit code: 1 when something was found. */
export async function runAudit(
  verb: 'head' | 'verify',
  surroundings: Surroundings,
  { kept, print }: Wish,
): Promise<number> {
  const directory = resolve(surroundings.folder)
  const keys = await portalKeys(surroundings)
  const { db, close } = openDatabase(surroundings.url, { connections: 1, auditKey: keys.audit })
  try {
    if (verb === 'head') {
      print(await signHead(db, keys, directory))
      return 0
    }
    const own = readHead(keys, directory)
    const known = [...(own ? [own] : []), ...kept.map((file) => readKept(keys, file))]
    let found = 0
    const { records, chains } = await db.transaction().execute((tx) =>
      verifyTrail(tx, keys.audit, { known, now: () => readHead(keys, directory) }, (finding) => {
        found++
        print(`${sentenceOf(finding)}\n`)
      }),
    )
    if (!own) print(`There is no head in ${directory}: records cut off the end would not be missed.\n`)
    print(`${records} records in ${chains} chains: ${found ? `${found} findings` : 'nothing found'}.\n`)
    if (own) print(`Compared with head ${own.ordinal} of ${own.at}.\n`)
    return found || !own ? 1 : 0
  } finally {
    await close()
  }
}

function readKept(keys: Keys, file: string) {
  try {
    return openHead(keys, readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Error(`${file} cannot be used: ${(error as Error).message}`, { cause: error })
  }
}

const sentenceOf = ({ chain, from, to, what }: Finding) =>
  `${chain} ${from}${to > from ? `–${to}` : ''}: ${meanings[what]}`
