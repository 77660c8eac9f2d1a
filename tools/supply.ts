import { spawnSync } from 'node:child_process'
import { verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Lock } from './lockfile.ts'
import { secretsInFiles, secretsInHistory, sentenceOf } from './secrets.ts'

/**
 * `npm run supply`, for every release and every night (R89): known holes in what we use, the registry's signatures, how long
 * a release has been out, and secrets in files and history. Exit code 1: something was found. 2: something could not be
 * checked, which is never taken for good.
 */
type Check = { name: string; run: (house: House) => Promise<string[]> }
type House = { root: string; registry: string; locked: Locked[] }
type Locked = { name: string; version: string; integrity: string }

/** A release that is younger may be the one that is taken back tomorrow. */
const daysOut = 7

const lockedOf = ({ packages }: Lock): Locked[] => [
  ...new Map(
    Object.entries(packages)
      .filter(([path]) => path !== '')
      .map(([path, { version = '', integrity = '' }]) => {
        const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
        return [`${name}@${version}`, { name, version, integrity }] as const
      }),
  ).values(),
]

async function ask(registry: string, path: string): Promise<unknown> {
  const answer = await fetch(`${registry}${path}`, { signal: AbortSignal.timeout(60_000) })
  if (!answer.ok) throw new Error(`the registry answers ${answer.status} to ${path}`)
  return answer.json()
}

/** Eight at a time. */
async function forEach<T>(all: readonly T[], look: (one: T) => Promise<string | undefined>): Promise<string[]> {
  const left = [...all]
  const problems: string[] = []
  const worker = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) {
      const problem = await look(one)
      if (problem) problems.push(problem)
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  return problems.toSorted()
}

const pathOf = (name: string) => name.replace('/', '%2f')

type Audit = {
  metadata?: { vulnerabilities?: { total?: number } }
  vulnerabilities?: Record<string, { severity: string; via: (string | { title: string; url: string })[] }>
  message?: string
}

/** npm's own audit; its answer counts only if it is one. */
async function advisories({ root, registry }: House): Promise<string[]> {
  const { stdout } = spawnSync('npm', ['audit', '--json', '--package-lock-only', `--registry=${registry}`], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  const audit = JSON.parse(stdout || '{}') as Audit
  if (audit.metadata?.vulnerabilities?.total === undefined)
    throw new Error(audit.message ?? 'npm audit gives no answer')
  return Object.entries(audit.vulnerabilities ?? {}).map(([name, { severity, via }]) => {
    const titles = via.map((one) => (typeof one === 'string' ? `through ${one}` : `${one.title} (${one.url})`))
    return `${name}: ${severity}: ${titles.join('; ')}`
  })
}

type SigningKey = { keyid: string; key: string; expires: string | null }
type Manifest = { dist?: { signatures?: { keyid: string; sig: string }[] } }

/** The registry has signed each package with the very hash that the lock demands; npm's own check asks for less, and another host for the keys. */
async function signatures({ registry, locked }: House): Promise<string[]> {
  const { keys = [] } = (await ask(registry, '/-/npm/v1/keys')) as { keys?: SigningKey[] }
  if (!keys.length) throw new Error('the registry tells no keys')
  const known = new Map(
    keys.map(({ keyid, key }) => [keyid, `-----BEGIN PUBLIC KEY-----\n${key}\n-----END PUBLIC KEY-----`]),
  )
  return forEach(locked, async ({ name, version, integrity }) => {
    const { dist } = (await ask(registry, `/${pathOf(name)}/${version}`)) as Manifest
    const signed = Buffer.from(`${name}@${version}:${integrity}`)
    const fits = dist?.signatures?.some(({ keyid, sig }) => {
      const key = known.get(keyid)
      return key !== undefined && verify('sha256', signed, key, Buffer.from(sig, 'base64'))
    })
    return fits ? undefined : `${name}@${version} is not signed by the registry with the hash of the lock`
  })
}

/** What the lock had so many days ago has been out for as long; of the rest the registry says when it came. */
async function ages({ root, registry, locked }: House): Promise<string[]> {
  const before = lockOfDaysAgo(root)
  const fresh = locked.filter(({ name, version }) => !before.has(`${name}@${version}`))
  return forEach(fresh, async ({ name, version }) => {
    const { time } = (await ask(registry, `/${pathOf(name)}`)) as { time?: Record<string, string> }
    const at = Date.parse(time?.[version] ?? '')
    if (Number.isNaN(at)) throw new Error(`the registry does not say when ${name}@${version} came out`)
    const days = Math.floor((Date.now() - at) / 86_400_000)
    return days < daysOut ? `${name}@${version} came out ${days} days ago; wait until it is ${daysOut}` : undefined
  })
}

function lockOfDaysAgo(root: string): Set<string> {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  const commit = git('rev-list', '-1', `--before=${daysOut} days ago`, 'HEAD').stdout.trim()
  const { status, stdout } = commit ? git('show', `${commit}:package-lock.json`) : { status: 1, stdout: '' }
  return new Set(
    status === 0 ? lockedOf(JSON.parse(stdout) as Lock).map(({ name, version }) => `${name}@${version}`) : [],
  )
}

const secrets = async ({ root }: House) => [...secretsInFiles(root), ...secretsInHistory(root)].map(sentenceOf)

const checks: Check[] = [
  { name: 'advisories', run: advisories },
  { name: 'signatures', run: signatures },
  { name: 'release age', run: ages },
  { name: 'secrets', run: secrets },
]

/** Runs every check, whatever became of the others, and says of each how it went. */
async function checkSupply(root: string, say: (line: string) => void): Promise<number> {
  const { stdout } = spawnSync('npm', ['config', 'get', 'registry'], { cwd: root, encoding: 'utf8' })
  const registry = stdout.trim().replace(/\/$/, '')
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock
  let code = 0
  for (const { name, run } of checks)
    try {
      const problems = await run({ root, registry, locked: lockedOf(lock) })
      if (!problems.length) say(`${name}: nothing found.`)
      for (const problem of problems) say(`${name}: ${problem}.`)
      if (problems.length) code = Math.max(code, 1)
    } catch (error) {
      say(`${name}: COULD NOT BE CHECKED: ${(error as Error).message}.`)
      code = 2
    }
  if (code === 2) say('A check that did not run says nothing about the supply chain: this is a failure.')
  return code
}

if (import.meta.main)
  process.exitCode = await checkSupply(process.argv[2] ?? join(import.meta.dirname, '..'), console.log)
