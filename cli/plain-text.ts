/** An object as lines for people, a name and a value each. Empty values are left out. */
export function plainText(object: object): string {
  const rows = Object.entries(object).flatMap(([name, value]): [string, string][] =>
    value === null || value === undefined ? [] : [[name, shown(value)]],
  )
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`).join('')
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
