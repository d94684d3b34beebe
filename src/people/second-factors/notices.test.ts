import { afterAll, beforeAll, expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'
import { waitingLetters } from '../../../test/letters.ts'
import { outcome } from '../../../test/outcome.ts'
import { SoftwareAuthenticator } from './authenticator.fixture.ts'
import { makeChallenge, type Purpose } from './challenge.ts'
import { addKey, removeKey } from './change-keys.ts'
import { confirmTotp, disableTotp, offerTotp } from './change-totp.ts'
import { takeAwayFactors } from './index.ts'
import { listKeys } from './key-store.ts'
import { codeOf } from './one-time-code.fixture.ts'
import { replaceRecoveryCodes } from './recovery-codes.ts'
import { countFactors } from './store.ts'

const now = 1_800_000_000
const site = { rpId: 'localhost', origin: 'http://localhost' }
let forge: TestForge
beforeAll(() => {
  forge = testForge({ mailer: { ENABLED: true, PROTOCOL: 'dummy', FROM: 'forge@example.org' } }, { clock: { seconds: () => now, millis: () => now * 1000 } })
})
afterAll(() => forge[Symbol.asyncDispose]())

const lettersTo = ({ row }: Person) => waitingLetters(forge, { userId: row.id }).map(({ text }) => text)
const factorsOf = ({ row }: Person) => countFactors(forge.context.db, row.id)

async function addApp({ row }: Person): Promise<string[]> {
  const { secret, sealed } = await offerTotp(forge.context, row, 'localhost')
  return confirmTotp(forge.context, row, sealed, codeOf(secret, now))
}

function addKeyOf({ row }: Person, name: string): Promise<string[]> {
  const purpose: Purpose = `add a key to account ${row.id} in session 1`
  const { value, sealed } = makeChallenge(forge.context, purpose)
  const credential = new SoftwareAuthenticator().create({ challenge: value, rp: { id: 'localhost' }, user: { id: 'AAAA', name: row.name } })
  return addKey(forge.context, row, site, { name, challenge: sealed, credential }, purpose)
}

/** Has every change of a table fail, as a full disk or a crash would in the middle of a transaction. */
function breakTable(event: string): Disposable {
  const { db } = forge.context
  db.tx((tx) => tx.run(`CREATE TRIGGER broken BEFORE ${event} BEGIN SELECT RAISE(ABORT, 'broken'); END`))
  return { [Symbol.dispose]: () => db.tx((tx) => void tx.run('DROP TRIGGER broken')) }
}

test('each change of what guards an account is told by mail, without anything that is secret', async () => {
  const ada = await forge.person('ada')
  const codes = [...(await addApp(ada)), ...(await addKeyOf(ada, 'On my <key> ring'))]
  codes.push(...replaceRecoveryCodes(forge.context, ada.row))
  removeKey(forge.context, ada.row, listKeys(forge.context.db, ada.row.id)[0]?.id ?? 0)
  disableTotp(forge.context, ada.row)
  await addApp(ada)
  takeAwayFactors(forge.context, ada.row)
  const letters = lettersTo(ada)
  const parts = [
    'app was added',
    '"On my <key> ring" was added',
    'New recovery codes',
    '"On my <key> ring" was removed',
    'app was removed',
    'app was added',
    'A site administrator',
  ]
  expect(letters.map((text, i) => text.includes(parts[i] as string))).toEqual(parts.map(() => true))
  for (const code of codes) expect(letters.join()).not.toContain(code)
})

test('a recovery code that signs in is told by mail, with how many are left', async () => {
  const dora = await forge.person('dora', { password: 'correct horse battery' })
  const [code = ''] = await addApp(dora)
  const browser = new TestBrowser(forge)
  await browser.post('/user/login', { user_name: 'dora', password: 'correct horse battery' })
  expect((await browser.post('/user/two_factor/scratch', { scratch_code: code })).status).toBe(303)
  expect(lettersTo(dora).at(-1)).toContain('Remaining codes: 9.')
})

test('recovery codes come with the first factor, stay for the second, and go with the last', async () => {
  const bob = await forge.person('bob')
  expect([(await addKeyOf(bob, 'one')).length, (await addKeyOf(bob, 'two')).length, (await addApp(bob)).length]).toEqual([10, 0, 0])
  for (const { id } of listKeys(forge.context.db, bob.row.id)) removeKey(forge.context, bob.row, id)
  expect(factorsOf(bob)).toEqual({ totp: 1, keys: 0, recovery_codes: 10 })
  disableTotp(forge.context, bob.row)
  expect(factorsOf(bob)).toEqual({ totp: 0, keys: 0, recovery_codes: 0 })
})

test.each(['INSERT ON recovery_code', 'INSERT ON mail', 'UPDATE ON user'])(
  'what fails at %s leaves no account with a factor and without its codes',
  async (event) => {
    const person = await forge.person(event.replaceAll(' ', '-'))
    {
      using _ = breakTable(event)
      expect(await outcome(addApp(person))).toThrow('broken')
      expect(await outcome(addKeyOf(person, 'key'))).toThrow('broken')
    }
    expect([factorsOf(person), lettersTo(person)]).toEqual([{ totp: 0, keys: 0, recovery_codes: 0 }, []])
    expect(await addApp(person)).toHaveLength(10)
  },
)

test('an app that was not removed whole is there as it was', async () => {
  const eve = await forge.person('eve')
  await addApp(eve)
  {
    using _ = breakTable('DELETE ON recovery_code')
    expect(() => disableTotp(forge.context, eve.row)).toThrow('broken')
  }
  expect(factorsOf(eve)).toEqual({ totp: 1, keys: 0, recovery_codes: 10 })
})
