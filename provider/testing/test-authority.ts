import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openAuthority, type Authority, type AuthorityOptions } from '../authority.ts'

/** The files that hold an authority's own keys and certificates. */
const keyFiles = ['authority.json', 'timestamping.json']
/** Their texts, by the address that the certificates name. */
const drawn = new Map<string, string[]>()
const hourMs = 3_600_000

/**
 * An authority in an empty folder, with the keys of the one before it in this process: to draw four large RSA keys takes a
 * second of the processor. What it has issued and revoked is its own.
 */
export async function openTestAuthority(options: AuthorityOptions): Promise<Authority> {
  const { directory, baseUrl, now } = options
  const paths = keyFiles.map((name) => join(directory, name))
  // Its own timestamp certificate begins when it is made.
  const isUsual = Math.abs(now().getTime() - Date.now()) < hourMs && !existsSync(paths[0]!)
  const known = isUsual ? drawn.get(baseUrl) : undefined
  for (const [i, text] of known?.entries() ?? []) writeFileSync(paths[i]!, text, { mode: 0o600 })
  const authority = await openAuthority(options)
  if (isUsual && !known)
    drawn.set(
      baseUrl,
      paths.map((path) => readFileSync(path, 'utf8')),
    )
  return authority
}
