import { expect, test } from 'bun:test'
import { answerHead, isKnown, serveContent, withLength } from './serve-content.ts'

const text = '0123456789'
const ask = async (headers: Record<string, string>, method = 'GET', body = text) => {
  const response = await serveContent(new Request('http://localhost/x', { method, headers }), {
    size: body.length,
    etag: '"a"',
    headers: { 'Content-Type': 'text/plain', 'Last-Modified': 'Sat, 03 Jan 2026 10:00:00 GMT' },
    open: (from, to) => new Blob([body.slice(from, to)]),
  })
  return [response.status, await response.text(), response.headers.get('content-range'), response.headers.get('content-length')]
}

test.each<[Record<string, string>, (string | number | null)[]]>([
  [{}, [200, text, null, '10']],
  [{ range: 'bytes=0-3' }, [206, '0123', 'bytes 0-3/10', '4']],
  [{ range: 'bytes=4-' }, [206, '456789', 'bytes 4-9/10', '6']],
  [{ range: 'bytes=9-9' }, [206, '9', 'bytes 9-9/10', '1']],
  [{ range: 'bytes=8-100' }, [206, '89', 'bytes 8-9/10', '2']],
  [{ range: 'bytes=-3' }, [206, '789', 'bytes 7-9/10', '3']],
  [{ range: 'bytes=-30' }, [206, text, 'bytes 0-9/10', '10']],
  [{ range: 'bytes=10-' }, [416, '', 'bytes */10', null]],
  [{ range: 'bytes=-0' }, [416, '', 'bytes */10', null]],
  [{ range: 'bytes=3-1' }, [200, text, null, '10']],
  [{ range: 'bytes=1-2,4-5' }, [200, text, null, '10']],
  [{ range: 'bytes=99999999999999999999-' }, [200, text, null, '10']],
  [{ range: 'lines=1-2' }, [200, text, null, '10']],
  [{ range: 'bytes=0-3', 'if-range': '"a"' }, [206, '0123', 'bytes 0-3/10', '4']],
  [{ range: 'bytes=0-3', 'if-range': '"b"' }, [200, text, null, '10']],
  [{ range: 'bytes=0-3', 'if-range': 'W/"a"' }, [200, text, null, '10']],
  [{ range: 'bytes=0-3', 'if-none-match': '"x", W/"a"' }, [304, '', null, null]],
  [{ 'if-modified-since': 'Sat, 03 Jan 2026 10:00:00 GMT' }, [304, '', null, null]],
  [{ 'if-modified-since': 'Sat, 03 Jan 2026 09:59:59 GMT' }, [200, text, null, '10']],
  [{ 'if-modified-since': 'Sat, 03 Jan 2026 10:00:00 GMT', 'if-none-match': '"b"' }, [200, text, null, '10']],
  [{ 'if-modified-since': 'yesterday' }, [200, text, null, '10']],
  [{ range: 'bytes=0-3', 'if-range': 'Sat, 03 Jan 2026 10:00:00 GMT' }, [206, '0123', 'bytes 0-3/10', '4']],
  [{ range: 'bytes=0-3', 'if-range': 'Sat, 03 Jan 2026 10:00:01 GMT' }, [200, text, null, '10']],
])('%p', async (headers, answer) => {
  expect(await ask(headers)).toEqual(answer)
})

test('nothing has no ranges', async () => {
  expect(await ask({ range: 'bytes=0-' }, 'GET', '')).toEqual([200, '', null, '0'])
  expect(await ask({}, 'GET', '')).toEqual([200, '', null, '0'])
})

test('HEAD knows no ranges', async () => {
  expect(await ask({ range: 'bytes=0-3' }, 'HEAD')).toEqual([200, '', null, '10'])
})

test('what a client says it has is compared without regard to weakness', () => {
  for (const [header, known] of [
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ['*', true],
    ['"b"', false],
    ['a', false],
    [null, false],
  ] as const)
    expect([header, isKnown(header, '"a"'), isKnown(header, 'W/"a"')]).toEqual([header, known, known])
})

test('HEAD for what a client has already tells no length', async () => {
  const request = new Request('http://localhost/x', { method: 'HEAD', headers: { 'if-none-match': '"a"' } })
  const answer = await serveContent(request, { size: 5, etag: '"a"', headers: {}, open: () => new Blob([]) })
  // As Elysia leaves it.
  answer.headers.set('content-length', '0')
  withLength(request, answer)
  expect([answer.status, answer.headers.get('content-length')]).toEqual([304, null])
})

test('HEAD opens nothing, and tells the length of what it stands for, or none where nobody knows it', async () => {
  const open = () => {
    throw new Error('opened')
  }
  const request = new Request('http://localhost/x', { method: 'HEAD' })
  const told = async (answer: Response) => {
    // As Elysia leaves it.
    answer.headers.set('content-length', '0')
    return withLength(request, answer)?.headers.get('content-length')
  }
  expect(await told(await serveContent(request, { size: 5_242_887, etag: '"a"', headers: {}, open }))).toBe('5242887')
  expect(await told(answerHead(request, {}))).toBe(null)
  expect(withLength(new Request('http://localhost/x', { method: 'HEAD' }), new Response(null))).toBeUndefined()
})
