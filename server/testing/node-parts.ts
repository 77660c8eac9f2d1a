import type { Ports } from '../platform/ports.ts'

/** The ports of a node of a measurement or test that has nothing outside: any proof passes, and no country is known. */
export const plainPorts = {
  botCheck: {
    kind: 'altcha',
    siteKey: '',
    origin: undefined,
    verify: async (nonce) => ({ verdict: 'human', nonce, expiresInSeconds: 300 }),
  },
  country: { lookUp: async () => undefined },
  appActivation: { by: 'provider' },
  timestampAccounts: undefined,
  certificateStatus: undefined,
  trust: undefined,
  revocation: undefined,
  malware: undefined,
  alarms: { raise: () => {} },
} satisfies Partial<Ports>

/** Milliseconds between two looks at the clock. */
const every = 10

/**
 * Measures the delay of this thread's event loop. `delay` is what a visitor would wait; on a busy machine it includes other
 * programs. `cpu` is this thread's own computing time within the longest such delay, which no other program affects.
 */
export function watchLoop() {
  const worst = { delay: 0, cpu: 0 }
  const cpu = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  const clock = () => Number(process.hrtime.bigint()) / 1e6
  let [lastClock, lastCpu] = [clock(), cpu()]
  setInterval(() => {
    const [nowClock, nowCpu] = [clock(), cpu()]
    const delay = nowClock - lastClock - every
    worst.delay = Math.max(worst.delay, delay)
    worst.cpu = Math.max(worst.cpu, Math.min(delay, nowCpu - lastCpu))
    ;[lastClock, lastCpu] = [nowClock, nowCpu]
  }, every).unref()
  return worst
}
