import { afterAll } from 'bun:test'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'

/** The cost of one file of tests; `build/steps.ts` reads a line of JSON for each. */
export interface FileCost {
  /** Below the root. */
  file: string
  /** Seconds of CPU time of the process and of the programs that it started and that have ended. */
  cpu: number
  /** Seconds from the end of the file before it in the same process. */
  wall: number
}

/** Where a run of all tests wants them, which the runner names. */
const path = process.env.TEST_FILE_COSTS
/** What the process has cost up to the end of the last file is kept beside that: files that are run with modules of their own share nothing in memory. */
const paid = `${path}-${process.pid}`

if (path !== undefined)
  afterAll(() => {
    const [paidCpu = 0, paidWall = 0] = (existsSync(paid) ? readFileSync(paid, 'utf8') : '').split(' ').map(Number)
    const [cpu, wall] = [cpuSeconds(), process.uptime()]
    writeFileSync(paid, `${cpu} ${wall}`)
    const cost: FileCost = { file: relative(process.cwd(), Bun.main), cpu: cpu - paidCpu, wall: wall - paidWall }
    appendFileSync(path, `${JSON.stringify(cost)}\n`)
  })

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + endedPrograms()
}

/** Fields 16 and 17, in hundredths of a second on every system that has them. Source: proc_pid_stat(5). */
function endedPrograms(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[13]) + Number(fields[14])) / 100
  } catch {
    return 0
  }
}
