import { execFileSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { dlopen, getRawPointer } from 'node:ffi'
import {
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { open as openInspector } from 'node:inspector'
import { createRequire, register } from 'node:module'
import { connect, createServer } from 'node:net'
import { constants, getPriority, setPriority } from 'node:os'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { createTracing } from 'node:trace_events'
import { setHeapSnapshotNearHeapLimit, writeHeapSnapshot } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { WASI } from 'node:wasi'
import { Worker } from 'node:worker_threads'
import { confine } from '../platform/pdf/pdf-confinement.ts'

/**
 * Program that runs as the process that reads PDFs: tries what a malicious file in control of the process would try, through built-in
 * modules and system calls, and reports what succeeded (R46, R108).
 */
const { host, port, secret, folder } = JSON.parse(readOptions()) as Record<'host' | 'secret' | 'folder', string> & {
  port: number
}
const require = createRequire(import.meta.url)
const parent = process.ppid
const written = (name: string) => join(folder, name)
const expectSuccess = (succeeded: unknown) => {
  if (!succeeded) throw new Error('no')
}

/** Numbers on x64 and on arm64. */
const numbers = {
  openat: [257, 56],
  openat2: [437, 437],
  socket: [41, 198],
  socketpair: [53, 199],
  clone: [56, 220],
  execve: [59, 221],
  kill: [62, 129],
  tkill: [200, 130],
  tgkill: [234, 131],
  rt_sigqueueinfo: [129, 138],
  pidfd_open: [434, 434],
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  setuid: [105, 146],
  setpriority: [141, 140],
  prlimit64: [302, 261],
  prctl: [157, 167],
  unlinkat: [263, 35],
  memfd_create: [319, 279],
  io_uring_setup: [425, 425],
  shmget: [29, 194],
  unshare: [272, 97],
  bpf: [321, 280],
  exit: [60, 93],
} as const

/**
 * Prepares, before the process is confined, system calls that bypass Node as native code would; a call that is not refused has succeeded.
 */
function rawSystemCalls(): Record<string, () => unknown> {
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) return {}
  const column = process.arch === 'x64' ? 0 : 1
  const { syscall } = dlopen(null, {
    syscall: { arguments: ['int64', 'int64', 'int64', 'int64', 'int64', 'int64'], return: 'int64' },
  }).functions
  const path = Buffer.from(`${secret}\0`)
  const program = Buffer.from('/bin/true\0')
  const zeros = Buffer.alloc(256)
  const call = (name: keyof typeof numbers, ...given: (number | bigint | Buffer)[]) => {
    const values = given.map((value) => (Buffer.isBuffer(value) ? getRawPointer(value) : BigInt(value)))
    return syscall(
      BigInt(numbers[name][column]),
      ...([...values, 0n, 0n, 0n, 0n, 0n].slice(0, 5) as [bigint, bigint, bigint, bigint, bigint]),
    )
  }
  const here = -100
  const attempts: Record<string, () => bigint> = {
    'open a file': () => call('openat', here, path, 0),
    'make a file': () => call('openat', here, Buffer.from(`${secret}-2\0`), 0o101, 0o600),
    'open a file by openat2': () => call('openat2', here, path, zeros, 24),
    'remove a file': () => call('unlinkat', here, path, 0),
    'make a socket': () => call('socket', 2, 1, 0),
    'make a local socket': () => call('socket', 1, 1, 0),
    'make two sockets': () => call('socketpair', 1, 1, 0, zeros),
    fork: () => {
      const made = call('clone', 17, 0)
      if (made === 0n) call('exit', 0)
      return made
    },
    'become a program': () => call('execve', program, zeros, zeros),
    'signal the portal': () => call('kill', parent, 0),
    'signal a thread of the portal': () => call('tgkill', parent, parent, 0),
    'signal any thread': () => call('tkill', parent, 0),
    'signal with a message': () => call('rt_sigqueueinfo', parent, 0, zeros),
    'hold the portal': () => call('pidfd_open', parent, 0),
    'trace the portal': () => call('ptrace', 16, parent, 0, 0),
    'read memory of the portal': () => call('process_vm_readv', parent, zeros, 0, zeros, 0),
    'change its user': () => call('setuid', 0),
    'change its priority': () => call('setpriority', 0, parent, 19),
    'change limits of the portal': () => call('prlimit64', parent, 7, 0, zeros),
    'change its own process': () => call('prctl', 4, 1),
    'hold memory as a file': () => call('memfd_create', path, 0),
    'call past the filter': () => call('io_uring_setup', 1, zeros),
    'share memory': () => call('shmget', 0, 4096, 0o1600),
    'leave its namespaces': () => call('unshare', 0x10000000),
    'load a program into the system': () => call('bpf', 0, zeros, 0),
  }
  return Object.fromEntries(
    Object.entries(attempts).map(([what, attempt]) => [
      `natively ${what}`,
      () => {
        if (attempt() < 0n) throw new Error('refused')
      },
    ]),
  )
}

const tries: Record<string, () => unknown> = {
  // The network.
  connect: () => once(connect(port, host), 'connect'),
  'connect to a local socket': () => once(connect('/var/run/docker.sock'), 'connect'),
  listen: () => once(createServer().listen(0, host), 'listening'),
  fetch: () => fetch(`http://${host}:${port}`),
  http: () => once(get({ host, port }), 'response'),
  http2: () => once(connectHttp2(`http://${host}:${port}`), 'connect'),
  'send a datagram': () =>
    new Promise((resolve, reject) => {
      createSocket('udp4')
        .on('error', reject)
        .send('x', port, host, (error) => (error ? reject(error) : resolve(0)))
    }),
  'look up a name': () => lookup('localhost'),
  'open a WebSocket': () =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://${host}:${port}`)
      socket.addEventListener('open', resolve)
      socket.addEventListener('error', reject)
    }),
  // Files.
  read: () => readFile(secret),
  'read at once': () => readFileSync(secret),
  'see that a file is there': () => expectSuccess(existsSync(secret)),
  'read the system': () => readFile('/etc/hosts'),
  'read a folder': () => readdirSync('/'),
  'read its own memory': () => openSync('/proc/self/mem', 'r+'),
  'read its own environment': () => readFileSync('/proc/self/environ'),
  'read the memory of the portal': () => openSync(`/proc/${parent}/mem`, 'r'),
  'read its own program': () => readFileSync(import.meta.filename),
  'read a package': () => readFileSync(join(import.meta.dirname, '../../package.json')),
  require: () => require('../../package.json'),
  'load further code': () => require(join(import.meta.dirname, '../../node_modules/zod/index.js')),
  write: () => writeFile(written('file'), 'x'),
  'write to the usual folder': () => writeFileSync(join(tmpdir(), `sygnet-confined-${process.pid}`), 'x'),
  'write by an open file': () => openSync('/dev/null', 'w'),
  link: () => symlinkSync(secret, written('link')),
  'write a report': () => expectSuccess(process.report.writeReport(written('report.json'))),
  'write a heap snapshot': () => writeHeapSnapshot(written('heap')),
  'write heap snapshots later': () => {
    setHeapSnapshotNearHeapLimit(1)
    throw new Error('not yet')
  },
  trace: () => {
    createTracing({ categories: ['v8'] }).enable()
    expectSuccess(existsSync('node_trace.1.log'))
  },
  'keep a database': () => {
    const { DatabaseSync } = require('node:sqlite') as typeof import('node:sqlite')
    new DatabaseSync(written('database')).close()
  },
  'keep a database in memory': () => {
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
    new DatabaseSync(':memory:').exec(`attach '${written('attached')}' as a; create table a.b (c)`)
  },
  'keep a store': () => localStorage.setItem('a', 'b'),
  'read keys by OpenSSL': () => createSecureContext({ cert: readFileSync(secret) }),
  'change the folder': () => process.chdir('/'),
  // Other processes.
  'signal the portal': () => process.kill(parent, 0),
  'stop the portal': () => process.kill(parent, 'SIGCONT'),
  'signal every process': () => process.kill(-1, 0),
  'slow the portal': () => setPriority(parent, getPriority(parent)),
  // oxlint-disable-next-line no-underscore-dangle -- Node's own name
  debug: () => (process as unknown as { _debugProcess(pid: number): void })._debugProcess(parent),
  'start a program': () => execFileSync('/bin/true'),
  'become a program': () => process.execve!('/bin/true', ['true'], {}),
  'start a thread': () => once(new Worker('', { eval: true }), 'online'),
  'be root': () => expectSuccess(process.getuid?.() === 0),
  'become another user': () => process.setuid!(process.getuid!()),
  'become another group': () => process.setgid!(0),
  // Itself.
  // oxlint-disable-next-line no-eval -- the attempt itself
  'run text as code': () => (0, eval)('1'),
  // oxlint-disable-next-line typescript/no-implied-eval -- the attempt itself
  'make a function of text': () => new Function('return 1')(),
  'run text in another context': () => runInNewContext('new Function("return process")()'),
  'be debugged': () => openInspector(0),
  'load native code': () =>
    process.dlopen({ exports: {} }, '/lib/x86_64-linux-gnu/libc.so.6', constants.dlopen.RTLD_NOW),
  'call native code': () => (require('node:ffi') as typeof import('node:ffi')).dlopen(null),
  'use WASI': () => new WASI({ version: 'preview1', preopens: { '/': '/' } }),
  'reach internals': () => (process as unknown as { binding(name: string): unknown }).binding('fs'),
  'hook the loading of code': () => register(`data:text/javascript,${parent}`),
  'see our secrets': () =>
    expectSuccess(Object.keys(process.env).some((name) => /DATABASE|KEY|PATH|HOME|SYGNET/.test(name))),
  ...rawSystemCalls(),
}

/** The operations that must remain possible, because the work needs them. */
const needed: Record<string, () => unknown> = {
  'use WebAssembly': () => WebAssembly.instantiate(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])),
  'use threads of its own': () => crypto.subtle.digest('SHA-256', new Uint8Array(1 << 20)),
}

const confinement = await confine()
// Some fail after their call has returned.
process.on('uncaughtException', () => {})
const outcomes = await Promise.all(
  Object.entries({ ...tries, ...needed }).map(async ([what, attempt]) => {
    try {
      await Promise.race([attempt(), tooLong()])
      return what
    } catch {
      return undefined
    }
  }),
)
writeSync(1, JSON.stringify({ confinement, through: outcomes.filter((what) => what !== undefined) }))
process.exit()

/** Rejects after three seconds, so that an attempt without an answer counts as failed. */
function tooLong() {
  return new Promise((_, reject) => setTimeout(() => reject(new Error('no answer')), 3000))
}

function readOptions(): string {
  const bytes = Buffer.alloc(4096)
  return bytes.toString('utf8', 0, readSync(0, bytes))
}
