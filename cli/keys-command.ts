import { openDatabase } from '../server/db.ts'
import { rotateKeys } from '../server/sealed-columns.ts'
import { portalKeys, type Surroundings } from './portal-keys.ts'

/** Puts everything that rests sealed under the first of the master keys; returns the exit code: 1 when something was left. */
export async function runRotation(surroundings: Surroundings, print: (text: string) => void): Promise<number> {
  const keys = await portalKeys(surroundings)
  const { db, close } = openDatabase(surroundings.url, { connections: 2, auditKey: keys.audit })
  try {
    const { values, unreadable } = await rotateKeys(db, keys)
    const key = keys.masters[0]!.id.toString('hex')
    print(`${values} values sealed anew. Everything is under the master key ${key} now`)
    if (!unreadable.length) {
      print(keys.masters.length > 1 ? '; the older ones can be put away.\n' : '.\n')
      return 0
    }
    print(`, but for ${unreadable.length} that cannot be opened; keep the older keys:\n`)
    for (const place of unreadable) print(`${place}\n`)
    return 1
  } finally {
    await close()
  }
}
