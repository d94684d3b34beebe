import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { cpSync, linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ADMIN_PASSWORD, runBinary, startBinary } from '../binary.ts'
import { eventually } from '../eventually.ts'
import { git, tryGit } from '../git.ts'
import { commitFiles, copyStore, forgeForStories, story } from './forge.ts'

story('a store under other hands', () => {
  const forge = forgeForStories()

  /** A server says that it has the store open a moment after it listens. */
  async function opened(data: string): Promise<void> {
    using db = new Database(join(data, 'pocketforge.db'))
    await eventually(() => db.query<{ is_open: number }, []>('SELECT is_open FROM store_state').get()?.is_open === 1)
  }

  test('one copied from a running server says so, with its -wal or without, what may be missing is told where it is, and a complete backup is well', async () => {
    const data = join(forge.directory, 'copied')
    const whole = join(forge.directory, 'copied-whole')
    const cut = join(forge.directory, 'copied-cut')
    const backup = join(forge.directory, 'copied-backup')
    await copyStore(data)
    {
      await using server = await startBinary({ data })
      await opened(data)
      const body = JSON.stringify({ username: 'late', email: 'late@example.org', password: 'a password for late' })
      const headers = { Authorization: `Basic ${btoa(`admin:${ADMIN_PASSWORD}`)}`, 'Content-Type': 'application/json' }
      expect((await fetch(`${server.origin}/api/v1/admin/users`, { method: 'POST', headers, body })).status).toBe(201)
      for (const place of [whole, cut, backup]) cpSync(data, place, { recursive: true })
      for (const end of ['-wal', '-shm']) rmSync(join(cut, `pocketforge.db${end}`), { force: true })
      for (const end of ['', '-wal', '-shm']) rmSync(join(backup, `pocketforge.db${end}`), { force: true })
      const db = new Database(join(data, 'pocketforge.db'))
      db.run('VACUUM INTO ?', [join(backup, 'pocketforge.db')])
      db.close()
    }
    expect((await usersOf(data)).sort()).toEqual(['ada', 'admin', 'late'])
    expect((await runBinary(['doctor', '--data', whole])).stderr).toContain('was copied while a server had it open')
    expect((await usersOf(whole)).sort()).toEqual(['ada', 'admin', 'late'])
    const { stdout, stderr } = await runBinary(['admin', 'user', 'list', '--json', '--data', cut])
    expect(stdout).not.toContain('late')
    expect(stderr).toContain('was copied while a server had it open')
    const doctor = await runBinary(['doctor', '--data', cut])
    expect([doctor.exitCode, doctor.stdout.includes('without its -wal file')]).toEqual([1, true])
    expect((await runBinary(['doctor', '--repair', '--data', cut])).exitCode).toBe(0)
    expect((await runBinary(['doctor', '--data', whole])).stdout).not.toContain('-wal')
    expect((await runBinary(['doctor', '--data', backup])).exitCode).toBe(0)
    expect((await usersOf(backup)).sort()).toEqual(['ada', 'admin', 'late'])
  })

  test('under an older database nobody is given what was pushed later, and it can be pushed again', async () => {
    await forge.api('POST /user/repos', forge.ada, { name: 'older', auto_init: true })
    const database = join(forge.server.data, 'pocketforge.db')
    await opened(forge.server.data)
    const open = new Database(database)
    const backup = open.serialize()
    open.close()
    const copy = join(forge.directory, 'copy')
    await git(['clone', '--quiet', forge.url('ada/older', forge.ada), copy])
    const later = await commitFiles(copy, 'later', { later: 'later' })
    const push = () => tryGit(['push', '--quiet', 'origin', 'HEAD'], { cwd: copy })
    expect((await push()).exitCode).toBe(0)
    await forge.restartInPlace(async () => {
      for (const end of ['-wal', '-shm']) rmSync(database + end, { force: true })
      writeFileSync(database, backup)
    })
    const other = join(forge.directory, 'other.git')
    await git(['clone', '--quiet', '--bare', forge.url('ada/older', forge.ada), other])
    expect((await tryGit(['cat-file', '-e', later], { cwd: other })).exitCode).not.toBe(0)
    expect((await tryGit(['fetch', '--quiet', 'origin', later], { cwd: other })).exitCode).not.toBe(0)
    expect((await push()).exitCode).toBe(0)
    await git(['fetch', '--quiet', 'origin', later], { cwd: other })
  })

  test('a killed server is no copy', async () => {
    const data = join(forge.directory, 'killed')
    await copyStore(data)
    const server = await startBinary({ data })
    await opened(data)
    await server.stop('SIGKILL')
    expect((await runBinary(['admin', 'user', 'list', '--data', data])).stderr).not.toContain('copied')
    await using again = await startBinary({ data })
    expect(again.log()).not.toContain('copied')
  })

  test('one whose database is a hard link of another one is not opened, and the other loses nothing', async () => {
    const [data, linked] = [join(forge.directory, 'linked-from'), join(forge.directory, 'linked')]
    await copyStore(data)
    {
      await using _server = await startBinary({ data })
      await opened(data)
      mkdirSync(linked)
      for (const end of ['', '-wal']) linkSync(join(data, `pocketforge.db${end}`), join(linked, `pocketforge.db${end}`))
    }
    for (const command of [['serve', '--port', '0'], ['doctor'], ['admin', 'user', 'list']]) {
      const { exitCode, stderr } = await runBinary([...command, '--data', linked])
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('the file has 2 hard links')])
    }
    rmSync(linked, { recursive: true })
    expect((await usersOf(data)).sort()).toEqual(['ada', 'admin'])
  })

  test('a command line that would have to change the store under a running server refuses', async () => {
    const data = join(forge.directory, 'older')
    await copyStore(data)
    await using server = await startBinary({ data })
    // As if the server were of a version without this migration.
    const db = new Database(join(data, 'pocketforge.db'))
    db.run("DELETE FROM migration WHERE name = 'refs/2_reflog_age'")
    db.close()
    const { exitCode, stderr } = await runBinary(['admin', 'user', 'list', '--data', data])
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('a running server of an older version')])
    expect((await fetch(`${server.origin}/api/v1/version`)).status).toBe(200)
  })

  async function usersOf(data: string): Promise<string[]> {
    const { stdout } = await runBinary(['admin', 'user', 'list', '--json', '--data', data])
    return (JSON.parse(stdout) as { login: string }[]).map(({ login }) => login)
  }
})
