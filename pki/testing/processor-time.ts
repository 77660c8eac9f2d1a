/** Measures processor seconds from now on, independent of other load. */
export function processorTime() {
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1e6
  }
}
