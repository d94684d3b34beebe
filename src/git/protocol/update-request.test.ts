import { expect, test } from 'bun:test'
import { defaultLimits } from '../limits.ts'
import { errorOf } from './git-server.fixture.ts'
import { encodePkt, FLUSH, PktReader } from './pkt-line.ts'
import { readUpdateRequest, type UpdateRequest } from './update-request.ts'

const zero = '0'.repeat(40)
const oid = 'a'.repeat(40)

async function* streamOf(lines: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const line of lines) yield encodePkt(line)
  yield FLUSH
}

function read(lines: readonly string[], maxCommands = 100): Promise<UpdateRequest> {
  return readUpdateRequest(new PktReader(streamOf(lines)), { ...defaultLimits, maxCommands })
}

test('commands read as they were sent, capabilities behind the first', async () => {
  const { commands, capabilities } = await read([`${zero} ${oid} refs/heads/a\0report-status agent=x\n`, `${oid} ${zero} refs/heads/b\n`])
  expect(commands).toEqual([
    { old: zero, new: oid, name: 'refs/heads/a' },
    { old: oid, new: zero, name: 'refs/heads/b' },
  ] as never)
  expect([...capabilities]).toEqual([
    ['report-status', ''],
    ['agent', 'x'],
  ])
})

test.each([
  ['more commands than allowed', Array.from({ length: 101 }, (_, i) => `${zero} ${oid} refs/heads/${i}`), 'limit'],
  ['few commands of great length', Array.from({ length: 50 }, (_, i) => `${zero} ${oid} refs/heads/${i}${'x'.repeat(4000)}`), 'limit'],
  ['a name that no packet of the report could carry', [`${zero} ${oid} refs/heads/${'x'.repeat(65_000)}`], 'limit'],
  ['a line as long as a packet', ['x'.repeat(65_516)], 'protocol'],
  ['a NUL in a later name', [`${zero} ${oid} refs/heads/a\0`, `${zero} ${oid} refs/heads/b\0c`], 'protocol'],
])('a push with %s fails as a whole', async (_, lines, kind) => {
  expect(await errorOf(() => read(lines))).toStartWith(`${kind}: Cannot read push`)
})
