import { expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

test.skipIf(process.platform === 'win32')('what a command stores no other account can read, even in a directory that was open to all', async () => {
  const data = mkdtempSync(join(tmpdir(), 'pf-'))
  chmodSync(data, 0o777)
  try {
    const command = [
      process.execPath,
      join(import.meta.dir, 'main.ts'),
      'admin',
      'user',
      'create',
      '--data',
      data,
      '--username',
      'ada',
      '--email',
      'ada@example.org',
    ]
    const { exitCode } = Bun.spawnSync(['sh', '-c', 'umask 000; exec "$@"', 'sh', ...command], { stdout: 'ignore', stderr: 'ignore' })
    expect(exitCode).toBe(0)
    const stored = [...new Bun.Glob('**/*').scanSync({ cwd: data, dot: true, onlyFiles: false })]
    expect(stored).toContain('pocketforge.db')
    expect(['', ...stored].filter((name) => (statSync(join(data, name)).mode & 0o077) !== 0)).toEqual([])
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
})

test('what is wrong with a body is not described at length for developers: that takes longer than everybody should wait', () => {
  const program = `
    const { argv } = process
    process.argv = [argv[0], 'pocketforge', 'version']
    await import(${JSON.stringify(join(import.meta.dir, 'main.ts'))})
    const { t, ValidationError } = await import('elysia')
    console.log(Object.keys(JSON.parse(new ValidationError('body', t.Object({ title: t.String() }), {}).message)).join())
  `
  const { stdout } = Bun.spawnSync([process.execPath, '-e', program], { cwd: import.meta.dir, env: { ...process.env, NODE_ENV: undefined } })
  expect(stdout.toString().trim().split('\n').at(-1)).toBe('type,on,found')
})
