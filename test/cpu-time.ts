/**
 * A meter of the CPU time that this process spends from now on, in ms. Unlike a clock it says the same beside other
 * processes that want the machine, so a test may hold it against a bound.
 */
export function cpuMeter(): () => number {
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
}
