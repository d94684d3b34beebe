import { expect, test } from 'bun:test'
import { Elysia, t } from 'elysia'
import type { RouteDeclaration } from '../slice.ts'
import { answerAsDeclared, answersOf, trustAnswers } from './declared-answers.ts'

const empty = t.Void()
const app = new Elysia()
  .onError(() => new Response('no', { status: 418 }))
  .get('/unsaid', () => 'x')
  .get('/ok', () => 'x', { response: { 200: t.String() } })
  .post('/made', () => ({ id: 1 }), { response: { 201: t.Object({ id: t.Number() }) } })
  .put('/done', () => {}, { response: { 204: empty } })
  .put('/refused', () => Promise.reject(new Error('no')), { response: { 204: empty } })
  .get('/elsewhere', ({ set }) => void (set.status = 303), { response: { 204: empty, 303: empty } })
  .delete('/queued', ({ set }) => void (set.status = 202), { response: { 202: empty, 204: empty } })
for (const route of app.routes as readonly RouteDeclaration[]) answerAsDeclared(route)

test.each([
  ['GET', '/unsaid', 200],
  ['GET', '/ok', 200],
  ['POST', '/made', 201],
  ['PUT', '/done', 204],
  ['PUT', '/refused', 418],
  ['GET', '/elsewhere', 303],
  ['DELETE', '/queued', 202],
])('%s %s answers %d: what it declares, or says where it has a choice', async (method, path, status) => {
  expect((await app.handle(new Request(`http://localhost${path}`, { method }))).status).toBe(status)
})

test('an answer that is trusted is sent as it is, and is declared all the same', async () => {
  const room = new Elysia().get('/', () => ({ id: 'one' }) as never, { response: { 200: t.Object({ id: t.Number() }) } })
  for (const route of room.routes as readonly RouteDeclaration[]) trustAnswers(route)
  const house = new Elysia().use(room)
  const [route] = house.routes as readonly RouteDeclaration[] as [RouteDeclaration]
  expect(await (await house.handle(new Request('http://localhost/'))).json()).toEqual({ id: 'one' })
  expect(answersOf(route)).toHaveProperty('200.properties.id')
})
