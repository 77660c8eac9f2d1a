import { dlopen, getRawPointer } from 'node:ffi'

/** The confinement of a process, in addition to Node's permissions; missing parts are reported at the start (R108). */
export type Confinement = { kernelFilter: boolean; ownUser: boolean }

/** An unused user id: systemd and Debian leave it free, and containers map it. */
const unusedId = 65_533

/**
 * Confines this process (R108): from now on none of its threads can open a file or socket, start a program or signal another process. On
 * Linux a filter of system calls (seccomp(2)) enforces that for native code too. If the portal runs as root, the process gets a user of its
 * own. Node's permissions to load our program and to call native functions end.
 */
export async function confine(): Promise<Confinement> {
  // libuv registers new descriptors by a call that the filter refuses, so its loop has to run once before.
  await new Promise((resolve) => setImmediate(resolve))
  const ownUser = changeUser()
  const kernelFilter = process.platform === 'linux' && filterSystemCalls()
  for (const scope of ['fs', 'ffi']) process.permission.drop(scope)
  return { kernelFilter, ownUser }
}

function changeUser(): boolean {
  if (process.getuid?.() !== 0 || !process.argv.includes('own-user')) return false
  try {
    process.setgroups?.([])
    process.setgid?.(unusedId)
    process.setuid?.(unusedId)
    return true
  } catch {
    // In a container root may lack that right.
    return false
  }
}

/** prctl(2), seccomp(2), getrlimit(2) */
const PR_SET_NAME = 15
const PR_SET_NO_NEW_PRIVS = 38
const PR_SET_VMA = 0x53564d41
const SECCOMP_SET_MODE_FILTER = 1n
const SECCOMP_FILTER_FLAG_TSYNC = 1n
const RLIMIT_FSIZE = 1n
const RLIMIT_CORE = 4n
const CLONE_THREAD = 0x10000
const EPERM = 1
const ENOSYS = 38

type Architecture = { audit: number; seccomp: bigint; setrlimit: bigint; column: 0 | 1 }
const architectures: Partial<Record<NodeJS.Architecture, Architecture>> = {
  x64: { audit: 0xc000003e, seccomp: 317n, setrlimit: 160n, column: 0 },
  arm64: { audit: 0xc00000b7, seccomp: 277n, setrlimit: 164n, column: 1 },
}

/** The system calls that V8, OpenSSL, zlib and our program need once loaded: numbers on x64 and arm64, -1 for none. */
const allowed = {
  read: [0, 63],
  write: [1, 64],
  close: [3, 57],
  fstat: [5, 80],
  poll: [7, -1],
  lseek: [8, 62],
  mmap: [9, 222],
  mprotect: [10, 226],
  munmap: [11, 215],
  brk: [12, 214],
  rt_sigaction: [13, 134],
  rt_sigprocmask: [14, 135],
  rt_sigreturn: [15, 139],
  readv: [19, 65],
  writev: [20, 66],
  sched_yield: [24, 124],
  mremap: [25, 216],
  madvise: [28, 233],
  nanosleep: [35, 101],
  getpid: [39, 172],
  exit: [60, 93],
  gettimeofday: [96, 169],
  getrusage: [98, 165],
  sysinfo: [99, 179],
  getuid: [102, 174],
  getgid: [104, 176],
  geteuid: [107, 175],
  getegid: [108, 177],
  sigaltstack: [131, 132],
  sched_getparam: [143, 121],
  sched_getscheduler: [145, 120],
  gettid: [186, 178],
  futex: [202, 98],
  sched_getaffinity: [204, 123],
  set_tid_address: [218, 96],
  restart_syscall: [219, 128],
  clock_gettime: [228, 113],
  clock_getres: [229, 114],
  clock_nanosleep: [230, 115],
  exit_group: [231, 94],
  epoll_wait: [232, -1],
  epoll_ctl: [233, 21],
  ppoll: [271, 73],
  set_robust_list: [273, 99],
  epoll_pwait: [281, 22],
  getcpu: [309, 168],
  getrandom: [318, 278],
  membarrier: [324, 283],
  pkey_mprotect: [329, 288],
  pkey_alloc: [330, 289],
  pkey_free: [331, 290],
  rseq: [334, 293],
} as const

/** Allowed only for some values of their first argument. */
const clone = [56, 220] as const
const prctl = [157, 167] as const
const tgkill = [234, 131] as const
const clone3 = 435

/** Instructions of the classic BPF (linux/filter.h): code, jump if true, jump if false, value. */
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number]
const load = (offset: number): Instruction => [0x20, 0, 0, offset]
const skipIf = (value: number, instructions: number): Instruction => [0x15, instructions, 0, value]
const skipUnless = (value: number, instructions: number): Instruction => [0x15, 0, instructions, value]
const skipUnlessSet = (bits: number, instructions: number): Instruction => [0x45, 0, instructions, bits]
const end = (result: number): Instruction => [0x06, 0, 0, result]
const refuse = (error: number) => end(0x00050000 | error)
const pass = end(0x7fff0000)
const kill = end(0x80000000)
/** Offsets in `struct seccomp_data`; the argument's lower half is sufficient. */
const number = load(0)
const architecture = load(4)
const firstArgument = load(16)

const whenCalled = (call: number, then: Instruction[]) => [skipUnless(call, then.length), ...then]

function filterFor({ audit, column }: Architecture): Instruction[] {
  const always = Object.values(allowed).map((numbers) => numbers[column])
  return [
    architecture,
    // On another architecture the numbers mean other calls.
    skipIf(audit, 1),
    kill,
    number,
    ...always.filter((call) => call >= 0).flatMap((call) => whenCalled(call, [pass])),
    // Threads are allowed, processes are not. The filter cannot read the flags of clone3, so the C library falls back to clone.
    ...whenCalled(clone3, [refuse(ENOSYS)]),
    ...whenCalled(clone[column], [firstArgument, skipUnlessSet(CLONE_THREAD, 1), pass, refuse(EPERM)]),
    // A crashing process signals its own threads.
    ...whenCalled(tgkill[column], [firstArgument, skipUnless(process.pid, 1), pass, refuse(EPERM)]),
    ...whenCalled(prctl[column], [
      firstArgument,
      ...[PR_SET_NAME, PR_SET_VMA].flatMap((option) => whenCalled(option, [pass])),
      refuse(EPERM),
    ]),
    refuse(EPERM),
  ]
}

function filterSystemCalls(): boolean {
  const target = architectures[process.arch]
  if (!target) return false
  const { functions: system } = dlopen(null, {
    prctl: { arguments: ['int32', 'uint64', 'uint64', 'uint64', 'uint64'], return: 'int32' },
    syscall: { arguments: ['int64', 'uint64', 'uint64', 'uint64'], return: 'int64' },
  })
  // The process can create neither files nor core dumps.
  const none = new BigUint64Array(2)
  for (const resource of [RLIMIT_FSIZE, RLIMIT_CORE])
    system.syscall(target.setrlimit, resource, getRawPointer(none.buffer), 0n)
  if (system.prctl(PR_SET_NO_NEW_PRIVS, 1n, 0n, 0n, 0n) !== 0) return false

  const filter = filterFor(target)
  const code = Buffer.alloc(filter.length * 8)
  for (const [i, [operation, ifTrue, ifFalse, value]] of filter.entries()) {
    code.writeUInt16LE(operation, i * 8)
    code.writeUInt8(ifTrue, i * 8 + 2)
    code.writeUInt8(ifFalse, i * 8 + 3)
    code.writeUInt32LE(value >>> 0, i * 8 + 4)
  }
  // `struct sock_fprog`
  const program = Buffer.alloc(16)
  program.writeUInt16LE(filter.length)
  program.writeBigUInt64LE(getRawPointer(code), 8)
  return (
    system.syscall(target.seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, getRawPointer(program)) === 0n
  )
}
