import { afterAll, expect, test } from 'bun:test'
import { accessStore } from '#access/index.ts'
import { type Clock, systemClock } from '#kernel/clock.ts'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'
import { waitingLetters } from '../../../test/letters.ts'

let ahead = 0
const clock: Clock = { ...systemClock, seconds: () => systemClock.seconds() + ahead }
const mailer = { ENABLED: true, PROTOCOL: 'dummy', FROM: 'forge@example.org' }
const forge = testForge({ mailer }, { clock })
afterAll(() => forge[Symbol.asyncDispose]())
const root = await forge.person('root1', { isAdmin: true })

let people = 0
const person = () => forge.person(`p${++people}`)
const add = (as: Person, ...emails: string[]) => forge.asUser(as).post('/user/emails', { emails })
const remove = (as: Person, ...emails: string[]) => forge.asUser(as).delete('/user/emails', { emails })
const holder = (email: string) => accessStore.findUserByEmail(forge.context.db, email)?.name

function mailed(email: string, at: TestForge = forge): string[] {
  return waitingLetters(at, { address: email }).map(({ text }) => /activate_email\?code=([0-9a-f]{40})\n/.exec(text)?.[1] ?? '')
}

const look = (code: string) => forge.app.handle(new Request(`http://localhost/user/activate_email?code=${code}`))
function confirm(code: string): Promise<Response> {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  return forge.app.handle(new Request('http://localhost/user/activate_email', { method: 'POST', headers, body: `code=${code}` }))
}

test('an address is confirmed by the form that its mail leads to, not by looking at it, and once', async () => {
  const ada = await person()
  expect((await add(ada, 'ada@new.example')).status).toBe(201)
  const [code = ''] = mailed('ada@new.example')
  for (let i = 0; i < 2; i++) {
    const page = await look(code)
    expect([page.status, page.headers.get('referrer-policy')]).toEqual([200, 'same-origin'])
    expect(await page.text()).toContain('<form class="form" method="post" action="/user/activate_email">')
    expect(holder('ada@new.example')).toBeUndefined()
  }
  expect((await confirm(code)).status).toBe(200)
  expect(holder('ada@new.example')).toBe(ada.name)
  expect([(await confirm(code)).status, (await look(code)).status]).toEqual([404, 404])
})

test('an address is confirmed in any browser where visitors are shown nothing, and a wrong link is told of in a page', async () => {
  await using closed = testForge({ service: { REQUIRE_SIGNIN_VIEW: true }, mailer })
  const kim = await closed.person('kim')
  await closed.asUser(kim).post('/user/emails', { emails: ['kim@new.example'] })
  const [code = ''] = mailed('kim@new.example', closed)
  for (const browser of [new TestBrowser(closed), new TestBrowser(closed, kim)]) {
    expect((await browser.get(`/user/activate_email?code=${code}`)).status).toBe(200)
    const wrong = await browser.get(`/user/activate_email?code=${'0'.repeat(40)}`)
    expect([wrong.status, wrong.text.includes('<p>The link is invalid, has expired or was already used.</p>')]).toEqual([404, true])
  }
  expect((await new TestBrowser(closed).post('/user/activate_email', { code })).status).toBe(200)
  expect((await closed.asUser(kim).get<unknown[]>('/user/emails')).body).toHaveLength(2)
})

test('the token is not in the database', async () => {
  const ada = await person()
  await add(ada, 'digest@new.example')
  const [code] = mailed('digest@new.example')
  expect(JSON.stringify(forge.context.db.all('SELECT * FROM email_proof'))).not.toContain(code)
})

test('who confirms first has the address; the claims and links of others are gone', async () => {
  const [ada, bob] = [await person(), await person()]
  await add(ada, 'both@new.example')
  await add(bob, 'both@new.example')
  const [first = '', second = ''] = mailed('both@new.example')
  expect((await confirm(second)).status).toBe(200)
  expect((await confirm(first)).status).toBe(404)
  expect(holder('both@new.example')).toBe(bob.name)
  expect((await forge.asUser(ada).get<unknown[]>('/user/emails')).body).toHaveLength(1)
})

test('a link is good for a day, and until the address is taken away, even when it is added again', async () => {
  const ada = await person()
  await add(ada, 'gone@new.example')
  await remove(ada, 'gone@new.example')
  await add(ada, 'gone@new.example')
  const [before = '', after = ''] = mailed('gone@new.example')
  expect((await confirm(before)).status).toBe(404)
  ahead = 86_400
  expect((await confirm(after)).status).toBe(404)
  ahead = 0
  expect((await confirm(after)).status).toBe(200)
})

test('nobody can have a stranger mailed again and again, nor many strangers', async () => {
  const ada = await person()
  for (let i = 0; i < 5; i++) {
    expect((await add(ada, 'stranger@new.example')).status).toBe(201)
    await remove(ada, 'stranger@new.example')
  }
  expect(mailed('stranger@new.example')).toHaveLength(3)
  for (let i = 0; i < 25; i++) {
    await add(ada, `many${i}@new.example`)
    await remove(ada, `many${i}@new.example`)
  }
  expect(mailed('many16@new.example')).toHaveLength(1)
  expect(mailed('many17@new.example')).toHaveLength(0)
})

test('an administrator gives an address that was added to its account, with or without mail', async () => {
  const ada = await person()
  await add(ada, 'given@new.example')
  const body = { source_id: 0, login_name: ada.name, email: 'given@new.example' }
  expect((await forge.asUser(root).patch(`/admin/users/${ada.name}`, body)).status).toBe(200)
  expect([holder('given@new.example'), holder(`${ada.name}@example.org`)]).toEqual([ada.name, ada.name])
  expect((await confirm(mailed('given@new.example')[0] ?? '')).status).toBe(404)
})

test('without mail nothing is written', async () => {
  await using quiet = testForge()
  const ada = await quiet.person('ada')
  expect((await quiet.asUser(ada).post('/user/emails', { emails: ['ada@new.example'] })).status).toBe(201)
  expect(mailed('ada@new.example', quiet)).toEqual([])
})
