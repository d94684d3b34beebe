import { beforeAll, expect, test } from 'bun:test'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { ADMIN_PASSWORD, builtExecutable, runBinary, startBinary } from '../binary.ts'
import { eventually, turns } from '../eventually.ts'
import { generateHistory } from '../generate-history.ts'
import { git, tryGit } from '../git.ts'
import { soak } from '../soak.ts'
import { addressOf, commitFiles, contentOf, copyStore, forgeForStories, newWorkingCopy, story } from './forge.ts'

story('the executable by itself', () => {
  const forge = forgeForStories()

  test('alone in an empty directory, with nothing on its path, it serves a push and a clone', async () => {
    const home = join(forge.directory, 'alone')
    mkdirSync(home)
    copyFileSync(await builtExecutable(), join(home, 'pocketforge'))
    chmodSync(join(home, 'pocketforge'), 0o755)
    const child = Bun.spawn(['./pocketforge', '--port', '0', '--data', 'data'], {
      cwd: home,
      env: { PATH: '', POCKETFORGE_ADMIN_PASSWORD: ADMIN_PASSWORD },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    try {
      const origin = await lineOf(child.stdout, /^listening on (http:\S+)\/$/m)
      const source = join(forge.directory, 'alone-source.git')
      await generateHistory(source, { commits: 60, files: 30, bigFileBytes: 0 })
      const url = `${origin.replace('://', `://admin:${encodeURIComponent(ADMIN_PASSWORD)}@`)}/admin/x.git`
      await git(['push', '--quiet', '--mirror', url], { cwd: source })
      await git(['clone', '--quiet', '--mirror', url, join(forge.directory, 'alone-clone.git')])
      expect(await contentOf(join(forge.directory, 'alone-clone.git'))).toEqual(await contentOf(source))
    } finally {
      child.kill()
    }
    expect(await child.exited).toBe(0)
    expect(readdirSync(home).sort()).toEqual(['data', 'pocketforge'])
  })

  test('the first start says where it is, who may sign in, and how to push', async () => {
    const data = join(forge.directory, 'greeting')
    const child = Bun.spawn([await builtExecutable(), 'serve', '--port', '0', '--data', data], {
      env: { PATH: '' },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'ignore',
    })
    const text = await textUntil(child.stdout, /^listening on .*$/m)
    child.kill()
    await child.exited
    expect(text).toContain(data)
    expect(text).toMatch(/password +\S{12,}/)
    expect(text).toMatch(/sign in +http:\/\/localhost:\d+\/user\/sign_in\/[0-9a-f]{40}\n/)
    expect(text).toMatch(/git remote add \S+ http:\/\/admin@localhost:\d+\/admin\/\S+\n.*git push /)
    expect(text.trimEnd().split('\n').at(-1)).toMatch(/^listening on http:\/\/127\.0\.0\.1:\d+\/$/)
    expect(statSync(data).mode & 0o777).toBe(0o700)
  })

  test('it carries the licences of all that is in it', async () => {
    const { exitCode, stdout } = await runBinary(['licenses', '--full'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain('GNU LESSER GENERAL PUBLIC LICENSE')
    expect(stdout.match(/^\S+ \d+\.\S+: /gm)?.length).toBeGreaterThan(50)
  })

  test('a second instance on the same data is refused, and the first goes on', async () => {
    const { exitCode, stderr } = await runBinary(['serve', '--port', '0', '--data', forge.server.data])
    expect(exitCode).not.toBe(0)
    expect(stderr).toContain(forge.server.data)
    expect(stderr).not.toContain('    at ')
    expect((await forge.api('GET /version')).status).toBe(200)
  })

  test('a port that is taken is an error that names it', async () => {
    const { port } = new URL(forge.server.origin)
    const { exitCode, stderr } = await runBinary(['serve', '--port', port, '--data', join(forge.directory, 'taken')])
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(port) })
  })

  test('a setting that is misspelt is an error that names the right one', async () => {
    const data = join(forge.directory, 'misspelt')
    mkdirSync(data)
    await Bun.write(join(data, 'pocketforge.toml'), '[server]\nHTTP_PRT = 1\n')
    expect(await runBinary(['serve', '--data', data])).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('HTTP_PORT') })
  })

  test('a key that is none is an error that says what would be one, and nothing is served without it', async () => {
    const data = join(forge.directory, 'garbled')
    mkdirSync(data)
    await Bun.write(join(data, 'secret.key'), 'nonsense')
    const { exitCode, stderr } = await runBinary(['serve', '--port', '0', '--data', data])
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('expected lines of 64 hexadecimal digits') })
  })

  test('Ctrl-C and SIGTERM let a push that is under way land, and then the server ends', async () => {
    const source = join(forge.directory, 'drain-source.git')
    await generateHistory(source, { commits: 200, files: 100, bigFileBytes: 3 << 20 })
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const data = join(forge.directory, `drain-${signal}`)
      const member = await copyStore(data)
      await using server = await startBinary({ data })
      const pushing = tryGit(['push', '--mirror', addressOf(server, 'ada/late', member)], { cwd: source })
      await eventually(() => existsSync(join(data, 'repositories', '1.git')))
      const [exitCode, pushed] = await Promise.all([server.stop(signal), pushing])
      expect({ exitCode, pushed }).toMatchObject({ exitCode: 0, pushed: { exitCode: 0 } })
      await using again = await startBinary({ data })
      expect(await git(['ls-remote', addressOf(again, 'ada/late', member), 'refs/heads/main'])).toStartWith(await git(['rev-parse', 'main'], { cwd: source }))
    }
  }, 120_000)

  test('a second signal ends it at once, though a push sends nothing', async () => {
    const data = join(forge.directory, 'hurried')
    const member = await copyStore(data)
    await using server = await startBinary({ data, env: { POCKETFORGE_SERVER_SHUTDOWN_SECONDS: '3600' } })
    const { hostname, port } = new URL(server.origin)
    const head = `POST /ada/late.git/git-receive-pack HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: ${member.authorization}\r\nContent-Length: 99\r\n`
    const client = createConnection(Number(port), hostname).on('error', () => {})
    client.write(`${head}Content-Type: application/x-git-receive-pack-request\r\n\r\n00`)
    // Once this is answered, the other has been begun.
    await fetch(`${server.origin}/api/v1/version`)
    process.kill(server.pid, 'SIGTERM')
    await eventually(() => server.log().includes('finishing running requests'))
    // One that comes at once is taken for the same, so this asks until one is not.
    let exitCode: number | undefined
    await eventually(async () => {
      await turns(50)
      void server.stop().then((code) => (exitCode = code))
      return exitCode !== undefined
    })
    // A third that comes after it has let go of signals, at its very end, ends it as it does any program.
    expect(exitCode).toBeOneOf([0, 128 + 15])
    client.destroy()
  })

  test('doctor finds nothing wrong, while the server runs and after it', async () => {
    const copy = await newWorkingCopy(join(forge.directory, 'healthy'))
    await commitFiles(copy, 'Start', { a: 'a' })
    await git(['push', '--quiet', forge.url('ada/healthy', forge.ada), 'main'], { cwd: copy })
    expect(await runBinary(['doctor', '--data', forge.server.data])).toMatchObject({ exitCode: 0 })
    await forge.restart()
    expect(await runBinary(['doctor', '--data', forge.server.data])).toMatchObject({ exitCode: 0 })
  })
})

story('the API while a large push is taken in', () => {
  const forge = forgeForStories()
  const source = () => join(forge.directory, 'source.git')

  beforeAll(async () => {
    await generateHistory(source(), { commits: soak(300, 2500), files: 200, bigFileBytes: 1 << 20 })
  }, 120_000)

  test('goes on answering, with each answer right', async () => {
    let isDone = false
    const pushing = git(['push', '--quiet', '--mirror', forge.url('ada/large', forge.ada)], { cwd: source() }).finally(() => (isDone = true))
    let answers = 0
    for (; !isDone; answers++) {
      const response = await forge.api('GET /users/ada')
      expect(((await response.json()) as { login: string }).login).toBe('ada')
    }
    await pushing
    // A main thread that did the work itself would answer once or twice.
    expect(answers).toBeGreaterThan(10)
  }, 120_000)
})

/** Reads a program's output until `pattern` is in it; answers the first group. */
async function lineOf(output: ReadableStream<Uint8Array>, pattern: RegExp): Promise<string> {
  return pattern.exec(await textUntil(output, pattern))?.[1] ?? ''
}

async function textUntil(output: ReadableStream<Uint8Array>, pattern: RegExp): Promise<string> {
  let text = ''
  for await (const chunk of output) {
    text += Buffer.from(chunk).toString()
    if (pattern.test(text)) return text
  }
  throw new Error(`The program ended with: ${text}`)
}
