import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database } from '#kernel/db.ts'
import { builtExecutable, runBinary } from '../binary.ts'
import { Random } from '../generate-history.ts'
import { isSoak, soak } from '../soak.ts'
import { countRows, formerStore, shapeOf } from '../upgrade/former-store.ts'

/** The executable is killed by strace, which not every machine has, or lets anybody use. */
const canTrace = Bun.which('strace') !== null && Bun.spawnSync(['strace', '-o', '/dev/null', 'true']).exitCode === 0
const MS = soak(120_000, 1_800_000)

describe.skipIf(!canTrace)('a store of version 0.1.0 whose upgrade is killed', () => {
  let root: string
  let former: string
  let made = 0
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'pf-'))
    former = join(root, 'former')
    mkdirSync(former)
    const db = await formerStore(join(former, 'pocketforge.db'))
    db.close()
    await runBinary(['admin', 'name', 'block', '--name', 'unused', '--data', join(root, 'new')])
  }, MS)
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  /** Of its own for each test, whichever ran before. */
  const chance = () => new Random(8)

  const listUsers = (data: string) => ['admin', 'user', 'list', '--json', '--data', data]

  /** @returns whether it came to its end, because it makes fewer such calls */
  async function upgrade(data: string, calls: string, killedAt: number): Promise<boolean> {
    const inject = ['-e', `trace=${calls}`, '-e', `inject=${calls}:signal=SIGKILL:when=${killedAt}`]
    const args = ['strace', '-f', '--seccomp-bpf', '-qq', '-o', '/dev/null', ...inject, await builtExecutable(), ...listUsers(data)]
    const child = Bun.spawn(args, { env: { PATH: process.env.PATH ?? '' }, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
    await child.exited
    return child.exitCode === 0
  }

  async function expectUpgraded(data: string): Promise<void> {
    const { exitCode, stdout, stderr } = await runBinary(listUsers(data))
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect((JSON.parse(stdout) as unknown[]).length).toBe(2)
    const [before, fresh, db] = [former, join(root, 'new'), data].map((one) => new Database(join(one, 'pocketforge.db')))
    expect(shapeOf(db as Database)).toEqual(shapeOf(fresh as Database))
    expect(countRows(db as Database)).toMatchObject(countRows(before as Database))
    expect(db?.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
    for (const one of [before, fresh, db]) one?.close()
  }

  function copyOf(): string {
    const data = join(root, `data-${made++}`)
    cpSync(former, data, { recursive: true })
    return data
  }

  test.each([
    ['writes', 'pwrite64', 500],
    ['syncs', 'fsync,fdatasync', 30],
  ])(
    'at any of its %s: the next start ends it, and nothing is lost',
    async (_, calls, step) => {
      const random = chance()
      for (let call = 1; ; call += isSoak ? 1 : 1 + random.below(2 * step)) {
        const data = copyOf()
        const isOver = await upgrade(data, calls, call)
        await expectUpgraded(data)
        rmSync(data, { recursive: true })
        if (isOver) break
      }
    },
    MS,
  )

  test(
    'again and again: each start goes on where the last one was killed',
    async () => {
      const data = copyOf()
      const random = chance()
      for (let kills = 0; kills < soak(3, 20); kills++) await upgrade(data, 'fsync,fdatasync', 3 + random.below(8))
      await expectUpgraded(data)
    },
    MS,
  )
})
