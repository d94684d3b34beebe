import { expect, test } from 'bun:test'
import { placeOf } from './place.ts'
import { RenderThread } from './render-thread.ts'

const rootUrl = 'http://localhost:3000/'
const place = placeOf('markdown', { path: '', filePath: '', fallbackRef: '' }, rootUrl)
const job = (text: string) => ({ text, rootUrl, keepsLineBreaks: false, place, known: undefined })

test('texts are answered each with its own', async () => {
  const thread = new RenderThread()
  const texts = Array.from({ length: 10 }, (_, i) => `${i}`)
  expect(await Promise.all(texts.map((text) => thread.render(job(text))))).toEqual(texts.map((text) => `<p>${text}</p>\n`))
  thread.stop()
})

test('a text that takes too long is given up, and the next one rendered', async () => {
  const thread = new RenderThread()
  await thread.render(job('warm'))
  const [slow, next] = await Promise.allSettled([thread.render(job('['.repeat(1_000_000)), 50), thread.render(job('next'))])
  expect(slow).toMatchObject({ status: 'rejected', reason: { status: 422, message: 'Cannot render the text: it takes longer than 0.05 seconds' } })
  expect(next).toEqual({ status: 'fulfilled', value: '<p>next</p>\n' })
  thread.stop()
})

test('of too many at once the last are refused', async () => {
  const thread = new RenderThread()
  const results = await Promise.allSettled(Array.from({ length: 70 }, () => thread.render(job('x'))))
  expect(results.map(({ status }) => status)).toEqual([...Array(64).fill('fulfilled'), ...Array(6).fill('rejected')])
  expect(results[69]).toMatchObject({ reason: { status: 503 } })
  thread.stop()
})
