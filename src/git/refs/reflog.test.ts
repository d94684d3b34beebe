import { expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { RandomHistory } from '../history/random-history.fixture.ts'
import { type Oid, SHA1 } from '../objects/oid.ts'
import { formatReflogLine, parseReflogLine } from './reflog.ts'

test('git reads the lines we write, and we read the lines git writes', () => {
  using history = new RandomHistory({ seed: 1, commits: 3 })
  const [first, second] = history.oids as [Oid, Oid]
  const log = join(history.gitDir, 'logs', 'refs', 'heads', 'x')
  const entry = {
    old: SHA1.zero,
    new: first,
    name: 'Ada <L>',
    email: 'ada@example.org',
    time: 1_700_000_000,
    zone: '-0330',
    message: 'push: first\nsecond line',
  }
  history.git('update-ref', 'refs/heads/x', first)
  mkdirSync(dirname(log), { recursive: true })
  writeFileSync(log, formatReflogLine(entry))
  expect(history.git('log', '-g', '--format=%gn|%ge|%gs|%gd', '--date=raw', 'refs/heads/x').trim()).toBe(
    'Ada L|ada@example.org|push: first second line|x@{1700000000 -0330}',
  )
  history.git('-c', 'user.name=B', '-c', 'user.email=b@example.org', 'update-ref', '--create-reflog', '-m', 'moved\tby git', 'refs/heads/x', second)
  const written = readFileSync(log, 'utf8').trim().split('\n').map(parseReflogLine)
  expect(written).toMatchObject([
    { old: SHA1.zero, new: first, name: 'Ada L', time: 1_700_000_000, zone: '-0330', message: 'push: first second line' },
    { old: first, new: second, name: 'B', email: 'b@example.org', message: 'moved by git' },
  ])
})

const oids = `${'0'.repeat(40)} ${'1'.repeat(40)}`
const malformed = [
  '',
  oids,
  `${oids} A <a> x +0000\tm`,
  `${oids} A a 1 +0000\tm`,
  `short ${oids} A <a> 1 +0000\tm`,
  `${oids} A <a> 1 +0000\tm\nmore`,
  `${oids} A <a> 1 +0000\t${'m'.repeat(20_000)}`,
]

for (const text of malformed) {
  test(`the line ${JSON.stringify(text.slice(-30))} is refused`, () => {
    expect(() => parseReflogLine(text)).toThrow('Cannot parse reflog line')
  })
}

test('a line without a message has no tab, and an empty name is kept', () => {
  const line = formatReflogLine({ old: SHA1.zero, new: SHA1.zero, name: '', email: '', time: 0, zone: '+0000', message: ' ' })
  expect(line).toBe(`${SHA1.zero} ${SHA1.zero}  <> 0 +0000\n`)
  expect(parseReflogLine(line)).toMatchObject({ name: '', email: '', message: '' })
})
