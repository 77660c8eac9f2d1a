import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import pg from 'pg'

/**
 * A point in the work of a process: before or after the `nth` database statement or file operation that begins with `what`.
 * `after` means that the database or the disk has finished it and the portal has not received the answer.
 */
export type KillPoint = { when: 'before' | 'after'; what: string; nth?: number }

/** Kills this process at a point, without any code for it in the portal itself (R53). */
export function killAt({ when, what, nth = 1 }: KillPoint): void {
  let seen = 0
  const reached = (side: KillPoint['when'], name: string) => {
    if (side === when && name.startsWith(what) && ++seen === nth) process.kill(process.pid, 'SIGKILL')
  }
  const around = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    reached('before', name)
    const result = await work()
    reached('after', name)
    return result
  }

  const client = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown }
  const { query } = client
  client.query = function (...given) {
    const [first] = given as [string | { text: string }]
    const text = (typeof first === 'string' ? first : first.text).replaceAll(/["\s]+/g, ' ').trim()
    reached('before', text)
    const answered = given.at(-1)
    if (typeof answered === 'function')
      given[given.length - 1] = (...answer: unknown[]) => {
        reached('after', text)
        ;(answered as (...answer: unknown[]) => void)(...answer)
      }
    const result = query.apply(this, given)
    if (result instanceof Promise) void result.then(() => reached('after', text)).catch(() => {})
    return result
  }

  const { open, rename, rm } = fs
  Object.assign(fs, {
    rename: (...given: Parameters<typeof rename>) => around('rename', () => rename(...given)),
    rm: (...given: Parameters<typeof rm>) => around('remove', () => rm(...given)),
    async open(...given: Parameters<typeof open>) {
      const handle = await open(...given)
      if (given[1] !== 'wx') return handle
      const { appendFile, sync } = handle
      return Object.assign(handle, {
        appendFile: (...part: Parameters<typeof appendFile>) => around('append', () => appendFile.apply(handle, part)),
        sync: () => around('sync', () => sync.apply(handle)),
      })
    },
  })
  syncBuiltinESMExports()
}
