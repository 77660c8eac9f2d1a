import { dlopen, getRawPointer } from 'node:ffi'

/** By what a process is confined besides Node's permissions; what is missing is reported at the start (R108). */
export type Confinement = { kernelFilter: boolean; ownUser: boolean }

/** No account of any system: systemd and Debian leave it free, and containers map it. */
const nobodyElse = 65_533

/**
 * R108: from here on this process opens no file, no socket and no program, and signals nobody, in any of its threads.
 * Linux enforces it by a filter of system calls (seccomp(2)), so that native code cannot get around it either. A portal
 * that runs as root gives the process a user of its own. Node's permissions to load our program and to call the system end.
 */
export async function confine(): Promise<Confinement> {
  // libuv hands in what it begins to watch by a call that is refused from then on; a turn of its loop settles that.
  await new Promise((resolve) => setImmediate(resolve))
  const ownUser = changeUser()
  const kernelFilter = process.platform === 'linux' && filterSystemCalls()
  for (const scope of ['fs', 'ffi']) process.permission.drop(scope)
  return { kernelFilter, ownUser }
}

function changeUser(): boolean {
  if (process.getuid?.() !== 0 || !process.argv.includes('own-user')) return false
  try {
    process.setgroups!([])
    process.setgid!(nobodyElse)
    process.setuid!(nobodyElse)
    return true
  } catch {
    // A container may have taken that right from root.
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

/** What V8, OpenSSL, zlib and the reading of files need once they are loaded: numbers on x64 and on arm64, -1 for none. */
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

/** Allowed for some values of their first argument alone. */
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
/** Offsets in `struct seccomp_data`; the argument's lower half says all that is asked of it. */
const number = load(0)
const architecture = load(4)
const firstArgument = load(16)

const whenCalled = (call: number, then: Instruction[]) => [skipUnless(call, then.length), ...then]

function filterFor({ audit, column }: Architecture): Instruction[] {
  const always = Object.values(allowed).map((numbers) => numbers[column])
  return [
    architecture,
    // The numbers of another architecture mean other calls.
    skipIf(audit, 1),
    kill,
    number,
    ...always.filter((call) => call >= 0).flatMap((call) => whenCalled(call, [pass])),
    // A thread, but no process. The flags of clone3 are in memory; the C library takes clone where there is none.
    ...whenCalled(clone3, [refuse(ENOSYS)]),
    ...whenCalled(clone[column], [firstArgument, skipUnlessSet(CLONE_THREAD, 1), pass, refuse(EPERM)]),
    // When it breaks, it signals its own threads.
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
  const here = architectures[process.arch]
  if (!here) return false
  const { functions: system } = dlopen(null, {
    prctl: { arguments: ['int32', 'uint64', 'uint64', 'uint64', 'uint64'], return: 'int32' },
    syscall: { arguments: ['int64', 'uint64', 'uint64', 'uint64'], return: 'int64' },
  })
  // Neither a file of its own nor one of its memory.
  const none = new BigUint64Array(2)
  for (const resource of [RLIMIT_FSIZE, RLIMIT_CORE])
    system.syscall(here.setrlimit, resource, getRawPointer(none.buffer), 0n)
  if (system.prctl(PR_SET_NO_NEW_PRIVS, 1n, 0n, 0n, 0n) !== 0) return false

  const filter = filterFor(here)
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
  return system.syscall(here.seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, getRawPointer(program)) === 0n
}
