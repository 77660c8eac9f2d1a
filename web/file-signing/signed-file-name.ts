import type { Locale } from '../../contract/enums.ts'

const suffix = { pl: '-podpisany', en: '-signed' } as const

/** `umowa.pdf` → `umowa-podpisany.pdf`. Names that were used before get a number, so that no file of an archive replaces another. */
export function signedNames(locale: Locale, names: readonly string[]): string[] {
  const used = new Set<string>()
  return names.map((name) => {
    const base = name.toLowerCase().endsWith('.pdf') ? name.slice(0, -'.pdf'.length) : name
    let number = 1
    const named = () => `${base}${suffix[locale]}${number > 1 ? `-${number}` : ''}.pdf`
    while (used.has(named().toLowerCase())) number += 1
    used.add(named().toLowerCase())
    return named()
  })
}
