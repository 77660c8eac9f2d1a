type LockedPackage = {
  /** Only if it differs from the name of the folder. */
  name?: string
  resolved?: string
  integrity?: string | undefined
  link?: boolean
  hasInstallScript?: boolean
}

export type Lock = { lockfileVersion: number; packages: Record<string, LockedPackage> }

/** Which packages may run their install script. npm reads it too. */
export type Manifest = { allowScripts: Record<string, boolean> }

/** SHA-512 in base64. */
const sha512 = /^sha512-[A-Za-z0-9+/]{86}==$/

/**
 * What `npm ci` accepts in a lock and R88 does not: a package without a hash, from an address of its own or under the name of
 * another, and an install script that nobody has reviewed.
 */
export function lockfileProblems({ allowScripts }: Manifest, { lockfileVersion, packages }: Lock): string[] {
  // npm reads the packages of an older lock from another place.
  if (lockfileVersion !== 3) return [`package-lock.json has version ${lockfileVersion}; only version 3 is checked`]
  const problems: string[] = []
  for (const [path, locked] of Object.entries(packages)) {
    if (path === '') continue
    if (!sha512.test(locked.integrity ?? '')) problems.push(`${path} has no SHA-512 hash`)
    if (locked.link || locked.resolved !== undefined) problems.push(`${path} has an address of its own`)
    if (locked.name !== undefined) problems.push(`${path} is another package, ${locked.name}`)
    if (locked.hasInstallScript && !Object.hasOwn(allowScripts, path.split('node_modules/').at(-1)!))
      problems.push(`${path} has an install script that is not in allowScripts`)
  }
  return problems
}
