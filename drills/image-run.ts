import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pause } from './acknowledged-load.ts'
import type { Step } from './guide-machines.ts'
import { addToNetwork, type Machine } from './machines.ts'

type RuntimeMount = { destination: string; type?: string; source: string; options?: string[] }
type RuntimeConfig = {
  process: {
    user: { uid: number }
    env: string[]
    capabilities?: object
    noNewPrivileges?: boolean
    terminal?: boolean
  }
  root: { path: string; readonly?: boolean }
  mounts: RuntimeMount[]
  linux: { namespaces: { type: string; path?: string }[] }
}
const none = { bounding: [], effective: [], permitted: [], inheritable: [], ambient: [] }

/**
 * Runs the image of a release in an OCI runtime, in place of a node: with the user and the program that the image names, on a
 * read-only file system, without capabilities, and with the node's configuration and address.
 */
export async function runImage({
  image,
  folder,
  node,
  step,
}: {
  image: string
  folder: string
  node: Machine
  step: Step
}) {
  const [layout, bundle, etc, data] = ['layout', 'bundle', 'etc', 'data'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ]
  mkdirSync(layout, { recursive: true })
  await step('unpack the image of the release', async () => {
    execFileSync('tar', ['--extract', `--file=${image}`, `--directory=${layout}`])
    const tag = entryOf(layout).annotations['org.opencontainers.image.ref.name']!
    execFileSync('umoci', ['unpack', '--image', `${layout}:${tag}`, bundle], { stdio: 'pipe' })
  })

  const file = join(bundle, 'config.json')
  const config = JSON.parse(readFileSync(file, 'utf8')) as RuntimeConfig
  const { uid } = config.process.user
  if (uid === 0) throw new Error('The image runs as root.')
  // A volume for a folder of the image gets its owner, and so does the configuration.
  mkdirSync(data)
  cpSync(join(node.root, 'etc/sygnet'), etc, { recursive: true })
  execFileSync('chown', ['--recursive', `${uid}:${uid}`, etc, data])
  const runtime = {
    ...config,
    process: {
      ...config.process,
      terminal: false,
      env: [...config.process.env, 'NODE_EXTRA_CA_CERTS=/etc/sygnet/ca.pem'],
      noNewPrivileges: true,
      capabilities: none,
    },
    root: { ...config.root, readonly: true },
    mounts: [
      ...config.mounts.filter(({ type }) => type !== 'cgroup'),
      { destination: '/etc/sygnet', source: etc, type: 'none', options: ['rbind', 'ro'] },
      { destination: '/etc/hosts', source: join(node.root, 'etc/hosts'), type: 'none', options: ['bind', 'ro'] },
      { destination: '/var/lib/sygnet', source: data, type: 'none', options: ['rbind', 'rw'] },
      { destination: '/tmp', source: 'tmpfs', type: 'tmpfs', options: ['nosuid', 'nodev'] },
    ],
    linux: {
      ...config.linux,
      namespaces: [
        ...config.linux.namespaces.filter(({ type }) => !['network', 'user', 'cgroup'].includes(type)),
        { type: 'network', path: addToNetwork('container', node.address) },
      ],
    },
  }
  writeFileSync(file, JSON.stringify(runtime))
  const log = openSync(join(folder, 'log'), 'w')
  // With its state in the drill's folder: a drill that was killed leaves no container behind.
  const options = ['--cgroup-manager=disabled', `--root=${join(folder, 'crun')}`]
  const child = spawn('crun', [...options, 'run', `--bundle=${bundle}`, 'sygnet-drill'], {
    stdio: ['ignore', log, log],
  })
  await step(`run it as user ${uid}, read-only and without capabilities, until it is ready`, async () => {
    for (;;) {
      const ready = await fetch(`http://${node.address}:9464/readyz`).catch(() => undefined)
      if (ready?.ok) return
      if (child.exitCode !== null) throw new Error(`The container ended: ${readFileSync(join(folder, 'log'), 'utf8')}`)
      await pause(100)
    }
  })
  await step('there its health command succeeds, and its command sygnet runs', async () => {
    // As Docker does, as the user of the container's own process.
    const inside = (...words: string[]) => {
      const process = join(folder, 'process.json')
      writeFileSync(process, JSON.stringify({ ...runtime.process, args: words }))
      execFileSync('crun', [...options, 'exec', `--process=${process}`, 'sygnet-drill'], { stdio: 'pipe' })
    }
    inside(...healthCommandOf(layout))
    inside('sygnet', 'audit', 'verify')
  })
}

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as unknown

type Entry = { digest: string; annotations: Record<string, string> }
const entryOf = (layout: string) => (readJson(join(layout, 'index.json')) as { manifests: [Entry] }).manifests[0]

/** What Docker runs to know whether the container is healthy. */
function healthCommandOf(layout: string): string[] {
  const blob = (digest: string) => readJson(join(layout, 'blobs', digest.replace(':', '/')))
  const manifest = blob(entryOf(layout).digest) as { config: { digest: string } }
  const { config } = blob(manifest.config.digest) as { config: { Healthcheck: { Test: ['CMD', ...string[]] } } }
  return config.Healthcheck.Test.slice(1)
}
