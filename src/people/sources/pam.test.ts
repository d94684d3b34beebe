import { afterAll, beforeAll, describe, expect, setDefaultTimeout, spyOn, test } from 'bun:test'
import { chmodSync, closeSync, constants, existsSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../../../test/eventually.ts'
import { testForge } from '../../../test/harness.ts'
import { outcome } from '../../../test/outcome.ts'
import { Pam } from './pam.ts'
import { putSource } from './sources.fixture.ts'

/** Programs beside the tests take their time on a busy machine. */
setDefaultTimeout(30_000)

const modules = ['/usr/lib/x86_64-linux-gnu/security', '/usr/lib/aarch64-linux-gnu/security', '/usr/lib/security', '/lib/security']
const hasPam = modules.some((directory) => existsSync(join(directory, 'pam_exec.so')))

describe.skipIf(!hasPam)('with PAM,', () => {
  let directory: string
  let pam: Pam
  /** Each line lets one question to the service `hangs` go on. */
  let gate: number
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'pf-pam-'))
    pam = new Pam()
    pam.directory = directory
    const script = join(directory, 'check.sh')
    writeFileSync(script, '#!/bin/sh\nread -r secret\n[ "$PAM_USER" = ada ] && [ "$secret" = "correct horse" ]\n')
    chmodSync(script, 0o755)
    const hangs = join(directory, 'hang.sh')
    Bun.spawnSync(['mkfifo', join(directory, 'gate')])
    gate = openSync(join(directory, 'gate'), constants.O_RDWR)
    writeFileSync(hangs, `#!/bin/sh\n: > "${directory}/hanging.$$"\nread -r _ < "${directory}/gate"\nrm "${directory}/hanging.$$"\n`)
    chmodSync(hangs, 0o755)
    const asks = `auth [success=1 default=ignore] pam_exec.so expose_authtok quiet ${script}\nauth requisite pam_deny.so\nauth required pam_permit.so\n`
    const services = {
      open: `${asks}account required pam_permit.so\n`,
      locked: `${asks}account required pam_deny.so\n`,
      all: 'auth required pam_permit.so\naccount required pam_permit.so\n',
      hangs: `auth required pam_exec.so quiet ${hangs}\naccount required pam_permit.so\n`,
      broken: 'auth required pam_nowhere.so\naccount required pam_permit.so\n',
    }
    for (const [name, text] of Object.entries(services)) writeFileSync(join(directory, name), text)
  })
  afterAll(() => {
    pam?.[Symbol.dispose]()
    closeSync(gate)
    rmSync(directory, { recursive: true, force: true })
  })
  const ask = (service_name: string, user: string, password: string, more = {}) =>
    pam.signIn({ service_name, email_domain: '', timeout_seconds: 20, ...more }, user, password)

  test('who has the password is let in, and nobody else', async () => {
    expect(await ask('open', 'ada', 'correct horse')).toEqual({ loginName: 'ada', name: 'ada', email: '' })
    expect(await ask('open', 'ada', 'correct horse', { email_domain: 'corp.example' })).toMatchObject({ email: 'ada@corp.example' })
    expect(await ask('open', 'ada', 'wrong')).toBeUndefined()
    expect(await ask('open', 'bob', 'correct horse')).toBeUndefined()
  })

  test('a locked account is not let in by its right password', async () => {
    expect(await ask('locked', 'ada', 'correct horse')).toBeUndefined()
  })

  test.each([
    ['broken', 'PAM request failed: Module is unknown'],
    ['absent', 'Check that the service file "absent" exists'],
  ])('a service that is %s is told', async (service, message) => {
    expect(await outcome(ask(service, 'ada', 'correct horse'))).toThrow(message)
  })

  /** How many questions hang now. */
  const hanging = () => readdirSync(directory).filter((name) => name.startsWith('hanging.')).length
  const letGoOn = async (count: number) => {
    writeSync(gate, '\n'.repeat(count))
    await eventually(() => hanging() === 0)
  }

  /** Has the limits of all questions that are asked meanwhile end when it says so. */
  function limits(): { end: () => void } & Disposable {
    const controller = new AbortController()
    const spy = spyOn(AbortSignal, 'timeout').mockImplementation(() => controller.signal)
    return { end: () => controller.abort(), [Symbol.dispose]: () => spy.mockRestore() }
  }

  test('one that takes too long is given up, and holds nobody else up meanwhile', async () => {
    let isOver = false
    using time = limits()
    const slow = ask('hangs', 'ada', 'x')
      .catch((error: Error) => error.message)
      .finally(() => {
        isOver = true
      })
    await eventually(() => hanging() === 1)
    expect(await Promise.all(Array.from({ length: 8 }, (_, i) => ask('all', `u${i}`, 'x')))).toHaveLength(8)
    expect(isOver).toBe(false)
    time.end()
    expect(await slow).toBe('PAM request failed: PAM did not respond in time')
    await letGoOn(1)
  })

  test('when all threads hang, others are told so in their time, and let in once one is back', async () => {
    const ending = (text: Promise<unknown>) =>
      text.then(
        () => 'answered',
        (error: Error) => error.message,
      )
    const slow = []
    {
      using time = limits()
      slow.push(...Array.from({ length: 4 }, () => ending(ask('hangs', 'ada', 'x'))))
      await eventually(() => hanging() === 4)
      slow.push(ending(ask('open', 'ada', 'correct horse')))
      time.end()
    }
    expect(new Set(await Promise.all(slow))).toEqual(new Set(['PAM request failed: PAM did not respond in time']))
    const next = ask('open', 'ada', 'correct horse')
    await letGoOn(4)
    expect(await next).toMatchObject({ name: 'ada' })
  })

  test('a question is given up after as many seconds as the source says', async () => {
    using timeout = spyOn(AbortSignal, 'timeout')
    await ask('all', 'ada', 'x', { timeout_seconds: 7 })
    expect(timeout.mock.calls).toEqual([[7000]])
  })

  test('somebody signs in by it', async () => {
    await using forge = testForge()
    forge.context.services.get(Pam).directory = directory
    const id = putSource(forge.context, 'pam', { service_name: 'open', email_domain: 'corp.example' })
    const enter = (password: string) => forge.get('/user', { headers: { Authorization: `Basic ${btoa(`ada:${password}`)}` } })
    expect((await enter('correct horse\0')).status).toBe(401)
    expect((await enter('correct horse')).body).toMatchObject({ login: 'ada', email: 'ada@corp.example', source_id: id })
  })
})
