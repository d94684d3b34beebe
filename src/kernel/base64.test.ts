import { expect, test } from 'bun:test'
import { property } from '../../test/seeds.ts'
import { decodeBase64 } from './base64.ts'

/** As it was sent by some: a line feed after so many characters. */
function wrapped(text: string, width: number): string {
  return text.replace(new RegExp(`.{${width}}`, 'g'), '$&\n')
}

property('base64 is decoded, wrapped or not, whatever its length', 60, async (random) => {
  const bytes = Buffer.alloc(random.below(400_000), 'what is in it\xff')
  const text = bytes.toString('base64')
  expect(bytes.equals((await decodeBase64(text)) as Uint8Array)).toBe(true)
  expect(bytes.equals((await decodeBase64(wrapped(text, 1 + random.below(100)))) as Uint8Array)).toBe(true)
})

test('what is no padded base64 is none, wherever in it that shows', async () => {
  const long = 'QUJD'.repeat(100_000)
  for (const text of ['YQ', 'YQ=', 'YQ===', '=', 'YQ==YQ==', 'Y-_=', 'é', `${long}YQ`, `${long}-${long}`, `YQ==${long}`, `${long}YQ==${long}`, `${long}=\n=`])
    expect(await decodeBase64(text)).toBeUndefined()
  expect(await decodeBase64('')).toEqual(Buffer.alloc(0))
  expect(await decodeBase64(`${long}YQ=\n=\n`)).toHaveLength(300_001)
})

test('others have their turns while much is decoded', async () => {
  let turns = 0
  let next = setImmediate(function turn() {
    turns++
    next = setImmediate(turn)
  })
  await decodeBase64('YQ==\n'.replace('==', 'Jj').repeat(6_000_000))
  clearImmediate(next)
  expect(turns).toBeGreaterThan(3)
})
