import { dlopen, getRawPointer } from 'node:ffi'

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

/** System calls that bypass Node, as native code would; one that is not refused has succeeded. Prepared before the process is confined. */
export function rawSystemCalls(parent: number, secret: string): Record<string, () => unknown> {
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
