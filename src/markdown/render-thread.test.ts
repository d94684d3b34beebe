import { afterAll, expect, test } from 'bun:test'
import { placeOf } from './place.ts'
import { openRenderThread } from './render-thread.ts'

const rootUrl = 'http://localhost:3000/'
const place = placeOf('markdown', { path: '', filePath: '', fallbackRef: '' }, rootUrl)
const job = (text: string) => ({ text, rootUrl, keepsLineBreaks: false, place, known: undefined })
const thread = openRenderThread()
afterAll(() => thread.stop())

test('texts are answered each with its own', async () => {
  const texts = Array.from({ length: 10 }, (_, i) => `${i}`)
  expect(await Promise.all(texts.map((text) => thread.run(job(text))))).toEqual(texts.map((text) => ({ html: `<p>${text}</p>\n` })))
})

test('a text that takes too long is given up, and the next one rendered', async () => {
  await thread.run(job('warm'))
  const [slow, next] = await Promise.allSettled([thread.run(job('['.repeat(1_000_000)), { milliseconds: 50 }), thread.run(job('next'))])
  expect(slow).toMatchObject({ status: 'rejected', reason: { status: 422, message: 'Cannot render the text: it takes longer than 0.05 seconds' } })
  expect(next).toEqual({ status: 'fulfilled', value: { html: '<p>next</p>\n' } })
})
