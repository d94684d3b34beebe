import { expect, test } from 'bun:test'
import { turns } from '../../test/eventually.ts'
import { rejection } from '../../test/outcome.ts'
import { readUpload } from './read-upload.ts'

const pace = { seconds: 5, bytes: 1 }
const body = (boundary: string) => `--${boundary}\r\nContent-Disposition: form-data; name="attachment"; filename="a"\r\n\r\nx\r\n--${boundary}--\r\n`

async function read(type: string, text: string): Promise<string> {
  const request = new Request('http://localhost/', { method: 'POST', headers: { 'Content-Type': type }, body: text })
  const { file } = await readUpload(request, pace, async ({ name, bytes }) => {
    const parts: Uint8Array[] = []
    for await (const part of bytes) parts.push(part)
    return `${name}: ${Buffer.concat(parts)}`
  })
  return file
}

test('a form with a file is read', async () => {
  expect(await read('multipart/form-data; boundary=x', body('x'))).toBe('a: x')
})

test.each([
  ['names no boundary', 'multipart/form-data; charset=utf-8', body('x')],
  ['names one that is longer than any', `multipart/form-data; boundary=${'x'.repeat(5000)}`, body('x'.repeat(5000))],
  ['names another one', 'multipart/form-data; boundary=y', body('x')],
  ['is cut off', 'multipart/form-data; boundary=x', body('x').slice(0, -10)],
  ['is cut off in a header', 'multipart/form-data; boundary=x', body('x').slice(0, 30)],
  ['has a very long header', 'multipart/form-data; boundary=x', body('x').replace('name=', `${'x'.repeat(200_000)}; name=`)],
])('a form that %s is refused as what it is', async (_, type, text) => {
  expect(await rejection(read(type, text))).toMatchObject({ status: 400 })
})

test('a form that is cut off is refused as that, also before anybody looks at its file', async () => {
  const request = new Request('http://localhost/', {
    method: 'POST',
    headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
    body: body('x').slice(0, -5),
  })
  const taken = readUpload(request, pace, async ({ bytes }) => {
    await turns(3)
    for await (const _ of bytes);
  })
  expect(await rejection(taken)).toMatchObject({ status: 400 })
})

test('what stands in headers beyond those that are read counts for nothing', async () => {
  expect(await read('multipart/form-data; boundary=x', body('x').replace('\r\n\r\n', `${'\r\nX: 1'.repeat(10_000)}\r\n\r\n`))).toBe('a: x')
})
