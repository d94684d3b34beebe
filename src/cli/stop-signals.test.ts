import { expect, test } from 'bun:test'
import { join } from 'node:path'

/** What stops a process that a shell starts, and that gets SIGHUP and then SIGTERM. @param before what the shell does first */
async function firstSignal(before: string): Promise<string> {
  const script = `
    import { stopSignals } from '${join(import.meta.dir, 'stop-signals.ts')}'
    using signals = stopSignals()
    process.kill(process.pid, 'SIGHUP')
    for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
    process.kill(process.pid, 'SIGTERM')
    console.log(await signals.first)`
  const child = Bun.spawn(['sh', '-c', `${before} exec "$0" -e "$1"`, process.execPath, script], { stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' })
  return (await child.stdout.text()).trim()
}

test('a closed terminal stops the server', async () => {
  expect(await firstSignal('')).toBe('SIGHUP')
})

test.skipIf(process.platform !== 'linux')('under nohup it does not, and SIGTERM does', async () => {
  expect(await firstSignal("trap '' HUP;")).toBe('SIGTERM')
})
