import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { errorMessage } from '../observability/skipped-causes.ts'
import { keyNames, keyOf, type KeyName } from './configuration-keys.ts'
import { editDistance } from './keys/key-schemas.ts'
import { ConfigurationError } from './startup-error.ts'

export type Environment = Record<string, string | undefined>

/** What the environment and the file of SYGNET_CONFIG say. */
export type Sources = {
  /** The text of each key; relative paths from the file of SYGNET_CONFIG start at its folder. */
  texts: Partial<Record<KeyName, string>>
  masterKeyFile: string | undefined
  /** A sentence for each name that is not a key, and may be a newer version's. */
  warnings: readonly string[]
}

export const fileFaultOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? String(error.code) : errorMessage(error)
const isPath = (name: string) => name.endsWith('_FILE') || name === 'DATA_DIR'

/**
 * Reads the environment, then the file named by SYGNET_CONFIG, and secrets from their own files (R82). Only the secrets
 * of `wanted` are read. Throws ConfigurationError if the file cannot be used, because nobody knows then what else is
 * missing.
 */
export function readSources(
  environment: Environment,
  errors: string[],
  wanted: readonly KeyName[] = keyNames,
): Sources {
  const file = environment['SYGNET_CONFIG']?.trim()
  const inFile = file ? readFile(file, errors) : {}
  const given = (name: string) => environment[name]?.trim() || inFile[name]
  const warnings = unknownKeys(inFile, environment, given, errors)
  const texts: Sources['texts'] = {}
  for (const name of wanted) {
    const plain = given(name)
    const filed = keyOf(name).secret === undefined ? undefined : given(`${name}_FILE`)
    if (plain && filed) errors.push(`${name} and ${name}_FILE are both set; set only one of them`)
    const text = plain ?? (filed && name !== 'MASTER_KEY' ? readSecret(name, filed, errors) : undefined)
    if (text) texts[name] = text
  }
  // The key’s file is read with the keys, where it can also be created.
  return { texts, masterKeyFile: given('MASTER_KEY_FILE'), warnings }
}

function readSecret(name: string, file: string, errors: string[]) {
  try {
    const text = readFileSync(file, 'utf8').trim()
    if (!text) errors.push(`${name}_FILE names a file that is empty`)
    return text
  } catch (error) {
    errors.push(`${name}_FILE cannot be read (${fileFaultOf(error)})`)
    return undefined
  }
}

/** The allowed names in the file: the keys, and the files of secrets. */
export const configurationNames: ReadonlySet<string> = new Set(
  keyNames.flatMap((name) => (keyOf(name).secret === undefined ? [name] : [name, `${name}_FILE`])),
)

function readFile(file: string, errors: string[]): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(parsed(file))) {
    const text = Array.isArray(value) ? value.join(' ') : value
    if (!configurationNames.has(name)) texts[name] = ''
    else if (typeof text !== 'string' && typeof text !== 'number')
      errors.push(`${name} in the file of SYGNET_CONFIG is neither text, number nor list of texts`)
    else if (String(text).trim())
      texts[name] = isPath(name) ? resolve(dirname(file), String(text).trim()) : String(text).trim()
  }
  return texts
}

/**
 * Reports names that are not keys. They do not prevent a start, because an older version shares its configuration with newer ones during an
 * upgrade. But a name that is nearly that of a key which is not set is a typing error: without that key a proxy or a scanner would be
 * missing unnoticed (OPS-13).
 */
function unknownKeys(
  inFile: Record<string, string>,
  environment: Environment,
  given: (name: string) => string | undefined,
  errors: string[],
): string[] {
  const warnings: string[] = []
  const isSet = (name: string) => given(name) || given(`${name}_FILE`)
  for (const name of Object.keys(inFile).filter((each) => !configurationNames.has(each))) {
    const { nearest, distance } = nearestKey(name)
    const what = `${printable(name)} in the file of SYGNET_CONFIG is not a configuration key of this version`
    if (distance <= 2 && !isSet(nearest)) errors.push(`${what}, and ${nearest} is not set: correct the name`)
    else warnings.push(`${what} and is ignored${distance <= 3 ? `; did you mean ${nearest}?` : '.'}`)
  }
  // The environment has names of other programs too.
  for (const name of Object.keys(environment).filter((each) => each.length > 6 && !configurationNames.has(each))) {
    const { nearest, distance } = nearestKey(name)
    if (distance <= 2 && !isSet(nearest))
      warnings.push(`${printable(name)} in the environment is not a configuration key; did you mean ${nearest}?`)
  }
  return warnings
}

function nearestKey(name: string): { nearest: string; distance: number } {
  return [...configurationNames]
    .map((nearest) => ({ nearest, distance: editDistance(name.slice(0, 60), nearest) }))
    .reduce((a, b) => (b.distance < a.distance ? b : a))
}

export const printable = (name: string) => name.slice(0, 60).replace(/[^\x21-\x7e]/g, '?')

function parsed(file: string): object {
  let content: string
  try {
    content = readFileSync(file, 'utf8')
  } catch (error) {
    throw new ConfigurationError(`SYGNET_CONFIG names a file that cannot be read (${fileFaultOf(error)}).`)
  }
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch (error) {
    const lines = content.slice(0, positionOf(fileFaultOf(error), content)).split('\n')
    throw new ConfigurationError(
      `SYGNET_CONFIG names a file that is not JSON: see line ${lines.length}, column ${lines.at(-1)!.length + 1}.`,
    )
  }
  if (typeof value === 'object' && value && !Array.isArray(value)) return value
  throw new ConfigurationError('SYGNET_CONFIG names a file that is not a JSON object of keys and values.')
}

/**
 * Returns where a text stops being JSON. The parser's message quotes the text, which may be a secret, and has no
 * position for a wrong token.
 */
function positionOf(message: string, text: string): number {
  const position = /at position (\d+)/.exec(message)?.[1]
  if (position !== undefined) return Number(position)
  for (let end = 1; end <= text.length; end++)
    try {
      JSON.parse(text.slice(0, end))
    } catch (error) {
      if (fileFaultOf(error).startsWith('Unexpected token')) return end - 1
    }
  return text.length
}
