import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { keyNames, keyOf, type KeyName } from './configuration-keys.ts'

export type Environment = Record<string, string | undefined>

/** One text a key, and where it lies: a path of a file counts from the folder of that file. */
export type Sources = { texts: Partial<Record<KeyName, string>>; masterKeyFile: string | undefined }

const reasonOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? (error as Error).message
const isPath = (name: string) => name.endsWith('_FILE') || name === 'DATA_DIR'

/** Everything that was given: the environment first, then the file that SYGNET_CONFIG names, and secrets from files of their own (R82). Of secrets only those that are wanted are read. */
export function readSources(
  environment: Environment,
  mistakes: string[],
  wanted: readonly KeyName[] = keyNames,
): Sources {
  const file = environment['SYGNET_CONFIG']?.trim()
  const inFile = file ? readFile(file, mistakes) : {}
  const given = (name: string) => environment[name]?.trim() || inFile[name]
  const texts: Sources['texts'] = {}
  for (const name of wanted) {
    const plain = given(name)
    const filed = keyOf(name).secret === undefined ? undefined : given(`${name}_FILE`)
    if (plain && filed) mistakes.push(`${name} and ${name}_FILE are both set; only one can be meant`)
    const text = plain ?? (filed && name !== 'MASTER_KEY' ? readSecret(name, filed, mistakes) : undefined)
    if (text) texts[name] = text
  }
  // Its file is read where keys are, which also makes one.
  return { texts, masterKeyFile: given('MASTER_KEY_FILE') }
}

function readSecret(name: string, file: string, mistakes: string[]) {
  try {
    const text = readFileSync(file, 'utf8').trim()
    if (!text) mistakes.push(`${name}_FILE names a file that is empty`)
    return text
  } catch (error) {
    mistakes.push(`${name}_FILE cannot be read (${reasonOf(error)})`)
    return undefined
  }
}

/** The names that the file may have: those of the keys, and of the files of secrets. */
const known = new Set<string>(
  keyNames.flatMap((name) => (keyOf(name).secret === undefined ? [name] : [name, `${name}_FILE`])),
)

function readFile(file: string, mistakes: string[]): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(parsed(file, mistakes))) {
    const text = Array.isArray(value) ? value.join(' ') : value
    if (!known.has(name))
      mistakes.push(`${name}, which stands in the file of SYGNET_CONFIG, is no key of the configuration`)
    else if (typeof text !== 'string' && typeof text !== 'number')
      mistakes.push(`${name} in the file of SYGNET_CONFIG is neither text, number nor list of texts`)
    else if (String(text).trim())
      texts[name] = isPath(name) ? resolve(dirname(file), String(text).trim()) : String(text).trim()
  }
  return texts
}

function parsed(file: string, mistakes: string[]): object {
  let content: string
  try {
    content = readFileSync(file, 'utf8')
  } catch (error) {
    mistakes.push(`SYGNET_CONFIG names a file that cannot be read (${reasonOf(error)})`)
    return {}
  }
  try {
    const value: unknown = JSON.parse(content)
    if (typeof value === 'object' && value && !Array.isArray(value)) return value
  } catch {
    // The parser would quote what stands there, which may be a secret.
  }
  mistakes.push('SYGNET_CONFIG names a file that is no JSON object of keys and values')
  return {}
}
