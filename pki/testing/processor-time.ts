/** Seconds of the processor from now on, which do not depend on what else the machine does. */
export function processorTime() {
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1e6
  }
}
