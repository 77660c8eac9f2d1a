import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** The descriptor of the network in which this machine reaches Debian's packages; the drill has a network of its own. */
const outside = 3
/** The other end of every cable: the drill itself. */
export const drillAddress = '10.0.0.1'
const bridge = 'sygnet0'
const cgroups = '/sys/fs/cgroup'
/** Where `ip` keeps the names of networks. */
const networks = '/run/netns'

export type Machine = Awaited<ReturnType<typeof startMachine>>

/** A Debian with nothing but systemd and the network, from packages that apt verifies. */
export function makeDebian(folder: string): void {
  if (existsSync(folder)) return
  const draft = `${folder}-draft`
  rmSync(draft, { recursive: true, force: true })
  const packages = '--include=systemd-sysv,dbus,iproute2,ca-certificates'
  // Where this Debian gets its packages from.
  const sources = ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list'].find((path) => existsSync(path))!
  execFileSync('mmdebstrap', ['--quiet', '--variant=minbase', packages, 'bookworm', draft, sources], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  execFileSync('mv', [draft, folder])
}

/** Removes the control groups of a drill that has ended, which outlive its namespaces. */
export function removeGroups(folder: string): void {
  // Some systems have the second version below the first.
  for (const path of [cgroups, join(cgroups, 'unified')].map((parent) => join(parent, basename(folder))))
    if (existsSync(path)) spawnSync('find', [path, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';'])
}

/** A network between the machines, without a way out. Addresses: those of customers, which the drill has too. */
export function openNetwork(addresses: readonly string[]): void {
  const ip = (...words: string[]) => execFileSync('ip', words)
  ip('link', 'set', 'lo', 'up')
  ip('link', 'add', bridge, 'type', 'bridge')
  for (const address of [drillAddress, ...addresses]) ip('address', 'add', `${address}/24`, 'dev', bridge)
  ip('link', 'set', bridge, 'up')
  execFileSync('mount', ['-t', 'cgroup2', 'cgroup2', cgroups])
  // The names of networks end with the drill, too.
  mkdirSync(networks, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', networks])
}

/** An address on the network for a program of this machine; returns the path of its network namespace. */
export function addToNetwork(name: string, address: string): string {
  const ip = (...words: string[]) => execFileSync('ip', words)
  ip('netns', 'add', name)
  ip('link', 'add', `${name}-0`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
  ip('link', 'set', `${name}-0`, 'master', bridge, 'up')
  ip('-n', name, 'address', 'add', `${address}/24`, 'dev', 'eth0')
  for (const device of ['lo', 'eth0']) ip('-n', name, 'link', 'set', device, 'up')
  return join(networks, name)
}

type MachineOptions = {
  name: string
  address: string
  /** The root that all machines begin with, and where the machine's own files go. */
  debian: string
  folder: string
  /** Lines of /etc/hosts. */
  hosts: string
}

/** Boots a machine with systemd, in namespaces of its own. */
export async function startMachine({ name, address, debian, folder, hosts }: MachineOptions) {
  const [root, upper, work] = ['root', 'upper', 'work'].map((part) => join(folder, name, part)) as [
    string,
    string,
    string,
  ]
  for (const path of [root, upper, work]) mkdirSync(path, { recursive: true })
  execFileSync('mount', [
    '-t',
    'overlay',
    'overlay',
    '-o',
    `lowerdir=${debian},upperdir=${upper},workdir=${work}`,
    root,
  ])
  const write = (path: string, text: string) => writeFileSync(join(root, path), text)
  rmSync(join(root, 'etc/machine-id'), { force: true })
  write('etc/hosts', `127.0.0.1 localhost\n${hosts}`)
  mkdirSync(join(root, 'etc/systemd/network'), { recursive: true })
  write('etc/systemd/network/10-host0.network', `[Match]\nName=host0\n[Network]\nAddress=${address}/24\n`)

  // systemd manages the whole group that it finds, so each machine has its own.
  const group = join(cgroups, basename(folder), name)
  mkdirSync(group, { recursive: true })
  const console = join(folder, name, 'console')
  const output = openSync(console, 'w')
  const nspawn = spawn(
    'sh',
    [
      '-c',
      'echo $$ > "$0/cgroup.procs" && exec systemd-nspawn "$@"',
      group,
      '--quiet',
      '--boot',
      '--register=no',
      '--keep-unit',
      '--console=read-only',
      '--resolv-conf=copy-host',
      `--machine=${name}`,
      `--hostname=${name}`,
      `--network-bridge=${bridge}`,
      `--directory=${root}`,
    ],
    { stdio: ['ignore', output, output] },
  )
  closeSync(output)
  const ended = once(nspawn, 'exit').then(([code]) => {
    throw new Error(`${name} ended with ${String(code)}: ${readFileSync(console, 'utf8')}`)
  })
  ended.catch(() => {})

  /** The process that is number 1 in the machine. */
  const init = () => readFileSync(`/proc/${nspawn.pid}/task/${nspawn.pid}/children`, 'utf8').trim().split(' ')[0]!

  /** Runs a script as root, in its home; with the network of this machine it reaches Debian's packages. */
  async function run(script: string, network: 'own' | 'outside' = 'own'): Promise<string> {
    const enter = ['--target', init(), '--mount', '--uts', '--ipc', '--pid', '--cgroup', '--root']
    const shell = ['env', '-i', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root']
    const words = [...enter, ...(network === 'own' ? ['--net'] : []), '--', ...shell, 'LANG=C.UTF-8']
    const child = spawn(
      'nsenter',
      [
        ...(network === 'own' ? [] : [`--net=/proc/self/fd/${outside}`, '--', 'nsenter']),
        ...words,
        'DEBIAN_FRONTEND=noninteractive',
        'bash',
        '-euo',
        'pipefail',
        '-c',
        `cd /root\n${script}`,
      ],
      { stdio: ['ignore', 'pipe', 'pipe', network === 'own' ? 'ignore' : outside], timeout: 300_000 },
    )
    let [out, error] = ['', '']
    child.stdout!.on('data', (chunk: Buffer) => (out += String(chunk)))
    child.stderr!.on('data', (chunk: Buffer) => (error += String(chunk)))
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
    if (code !== 0) throw new Error(`${name}: ended with ${code ?? signal}:\n${script}\n${out}${error}`)
    return out
  }

  await Promise.race([booted(), ended])
  async function booted() {
    // A unit that needs a real machine may fail; what the drill needs fails by itself.
    while (!init()) await new Promise((resolve) => setTimeout(resolve, 50))
    const listing = 'systemctl is-system-running --wait || true; ip -brief address show host0'
    for (;;) {
      const text = await run(listing).catch(() => '')
      if (/^(?:running|degraded)\n/.test(text) && text.includes(address)) return
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }

  return {
    name,
    address,
    /** Its file system, as this machine sees it. */
    root,
    run,
  }
}
