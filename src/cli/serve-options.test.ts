import { expect, test } from 'bun:test'
import { serveCommand } from './serve.ts'
import { readPlainServe } from './serve-options.ts'

/** What the library that explains the options makes of them. */
function readByCommander(words: readonly string[]): unknown {
  const command = serveCommand({ environment: {}, out: { print: () => {}, warn: () => {}, isPretty: false }, exitCode: 0 })
  command.parseOptions([...words])
  return command.opts()
}

test.each([
  [[]],
  [['--port', '0']],
  [['--data', './forge', '--config', 'a b.toml', '--host', '::1', '--port', '08080']],
  [['--admin-username', 'ada', '--admin-password', 'a=b --c', '--admin-email', 'ada@example.org']],
  [['--port', '1', '--port', '2']],
])('options written plainly are read as the command line does: %j', (words) => {
  const read = readByCommander(words)
  expect(readPlainServe(words)).toEqual(read as never)
  expect(readPlainServe(['serve', ...words])).toEqual(read as never)
})

test.each([
  [['--help']],
  [['-V']],
  [['doctor']],
  [['serve', 'serve']],
  [['serve', 'more']],
  [['--prot', '1']],
  [['--port']],
  [['--port', 'high']],
  [['--port', '65536']],
  [['--port=1']],
  [['--host', '']],
  [['--data', '--port', '1']],
  [['--data', '-']],
])('whatever else is meant or may be wrong is left to it: %j', (words) => {
  expect(readPlainServe(words)).toBeUndefined()
})
