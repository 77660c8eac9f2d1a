const every = 10

/**
 * Watches how late this thread's turns come. `delay` is what a visitor would wait: on a busy machine that is also other
 * programs' work. `cpu` is what this thread itself computed within the longest such wait, which no other program lengthens.
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
