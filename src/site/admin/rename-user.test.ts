import { expect, test } from 'bun:test'
import { testForge } from '../../../test/harness.ts'

test('an old name leads to the account, is taken by nobody else, and can be taken back', async () => {
  await using forge = testForge()
  const root = await forge.person('root1', { isAdmin: true })
  const ada = await forge.person('ada')
  forge.repo(ada, 'engine')
  const rename = async (from: string, to: string) => {
    const { status, body } = await forge.asUser(root).post(`/admin/users/${from}/rename`, { new_username: to })
    return status === 204 ? 204 : body.message
  }
  const follow = async (path: string) => (await forge.get(path)).headers.get('location')
  expect(await rename('ada', 'Countess')).toBe(204)
  expect(await follow('/users/ADA')).toBe('/api/v1/users/Countess')
  expect(await follow('/repos/ada/engine')).toBe('/api/v1/repos/Countess/engine')
  expect((await forge.asUser(ada).get('/user')).body.login).toBe('Countess')
  expect(await rename('root1', 'ada')).toBe('name is reserved [name: ada]')
  expect(await rename('root1', 'countess')).toBe('user already exists [name: countess]')
  expect(await rename('root1', '..')).toStartWith('name is invalid')
  expect(await rename('countess', 'COUNTESS')).toBe(204)
  expect((await forge.get('/users/countess')).body.login).toBe('COUNTESS')
  expect(await rename('countess', 'ada')).toBe(204)
  expect(await follow('/users/countess')).toBe('/api/v1/users/ada')
  expect((await forge.get('/users/ada')).status).toBe(200)
})
