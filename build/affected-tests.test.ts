import { expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { affectedTests } from './affected-tests.ts'

test('finds tests that reach a changed file over imports, embedded files, workers and started programs', () => {
  const directory = mkdtempSync(join(tmpdir(), 'affected-'))
  const files: Record<string, string> = {
    'src/kernel/ids.ts': '',
    'src/rooms/1_rooms.sql': '',
    'src/rooms/store.ts': "import '#kernel/ids.ts'\nimport rooms from './1_rooms.sql' with { type: 'text' }",
    'src/rooms/worker.ts': '',
    'src/rooms/room.test.tsx': "import './store.ts'\nnew Worker(new URL('./worker.ts', import.meta.url))",
    'src/web/jsx-runtime.ts': '',
    'build/compile.ts': "export const program = ['src/main.ts']",
    'src/main.ts': "await import('./app.ts')",
    'test/e2e/story.test.ts': "import { program } from '../../build/compile.ts'",
    'test/alone.test.ts': '',
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
  const [room, story, alone] = ['src/rooms/room.test.tsx', 'test/e2e/story.test.ts', 'test/alone.test.ts']
  const cases: [changed: string, tests: string[]][] = [
    ['src/kernel/ids.ts', [room]],
    ['src/rooms/1_rooms.sql', [room]],
    ['src/rooms/worker.ts', [room]],
    ['src/web/jsx-runtime.ts', [room]],
    ['src/app.ts', [story]], // It was deleted: it is not there and still named.
    [alone, [alone]],
    ['README.md', []],
    ['bun.lock', [room, alone, story]],
  ]
  for (const [changed, tests] of cases) expect([changed, affectedTests([changed], directory).toSorted()]).toEqual([changed, tests.toSorted()])
  rmSync(directory, { recursive: true })
})
